// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_microkernel/new_warp_fifo.hpp"

#include <stdexcept>

namespace reconverge {

NewWarpFifo::NewWarpFifo(sc_core::sc_module_name name, std::size_t capacity)
    : sc_module(name), pushes("pushes"), pops("pops"), warps_(capacity) {
  pushes.bind(static_cast<ControlTarget<WarpPush>&>(*this));
  pops.bind(static_cast<ControlTarget<WarpPop>&>(*this));
}

void NewWarpFifo::b_transport(WarpPush& push, sc_core::sc_time& /*delay*/) {
  if (warps_.full()) throw std::logic_error("a warp is pushed into a full new-warp FIFO");
  warps_.push_back(push.warp);
}

void NewWarpFifo::b_transport(WarpPop& pop, sc_core::sc_time& /*delay*/) {
  if (warps_.empty()) return;
  pop.warp = warps_.front();
  warps_.pop_front();
}

}  // namespace reconverge
