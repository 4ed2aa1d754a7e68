// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_microkernel/thread_address_adder.hpp"

namespace reconverge {

ThreadAddressAdder::ThreadAddressAdder(sc_core::sc_module_name name) : sc_module(name), sums("sums") {
  sums.bind(static_cast<ControlTarget<ThreadAddresses>&>(*this));
}

void ThreadAddressAdder::b_transport(ThreadAddresses& threads, sc_core::sc_time& /*delay*/) {
  std::uint32_t before = 0;  // active lanes below this one
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    threads.address[lane] = before < threads.left ? threads.first + before * formation_entry_bytes
                                                  : threads.second + (before - threads.left) * formation_entry_bytes;
    before += threads.lanes >> lane & 1U;
  }
}

}  // namespace reconverge
