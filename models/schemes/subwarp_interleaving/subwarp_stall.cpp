// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/subwarp_interleaving/subwarp_stall.hpp"

#include <stdexcept>

#include "models/protocols/ask.hpp"

namespace reconverge {

SubwarpStall::SubwarpStall(sc_core::sc_module_name name) : sc_module(name), stalls("stalls"), captures("captures") {
  stalls.bind(static_cast<ControlTarget<StallCapture>&>(*this));
}

void SubwarpStall::b_transport(StallCapture& capture, sc_core::sc_time& /*delay*/) {
  if (!can_stall(capture.warp)) throw std::logic_error("two warps stall in a cycle");
  if (this_cycle_ && this_cycle_->scoreboard != capture.scoreboard) {
    throw std::logic_error("a warp stalls for two scoreboards in a cycle");
  }
  if (capture.scoreboard >> scoreboard_bits != 0 || capture.count > most_outstanding) {
    throw std::logic_error("a subwarp stalls for a scoreboard or a count that an entry cannot hold");
  }
  this_cycle_ = capture;
  send(captures, capture);
}

}  // namespace reconverge
