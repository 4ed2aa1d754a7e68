// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/subwarp_interleaving/rtl_subwarp_scheduler.hpp"

namespace reconverge {

RtlSubwarpScheduler::RtlSubwarpScheduler(sc_core::sc_module_name name, std::uint32_t warps, unsigned entries,
                                         SelectTrigger trigger)
    : SubwarpUnit(name), warps_(warps), entries_(entries) {
  inputs_.trigger = trigger;
  begin();
}

void RtlSubwarpScheduler::begin() {
  inputs_.step();
  inputs_.waits = 0;
  rtl_ = twin::make_rtl<SubwarpPorts>({warps_, entries_});
  probe_.watch(*rtl_);
  outputs_ = &rtl_->settle(inputs_);
}

void RtlSubwarpScheduler::step() {
  rtl_->settle(inputs_);
  rtl_->clock();
  inputs_.step();
  outputs_ = &rtl_->settle(inputs_);
}

EntryMask RtlSubwarpScheduler::entries_in(std::uint32_t warp, ThreadState state) const {
  EntryMask entries = all_entries(entries_);
  for (std::size_t bit = 0; bit < 3; ++bit) {
    entries &= ~(outputs_->states.at(warp)[bit] ^ plane_of(state, bit));
  }
  return entries;
}

}  // namespace reconverge
