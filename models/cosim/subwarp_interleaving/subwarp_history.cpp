// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/subwarp_interleaving/subwarp_history.hpp"

#include <fmt/format.h>

namespace reconverge {

void SubwarpHistory::add(std::uint64_t cycle, const SubwarpInputs& inputs, const SubwarpOutputs& expected) {
  for (const WriteBack& result : inputs.results) {
    if (result.entries == 0) continue;
    events_.push_back({cycle, result.warp, "have a result on scoreboard", result.entries, result.scoreboard});
  }
  if (inputs.stall != 0) {
    events_.push_back({cycle, inputs.stall_warp, "stall on scoreboard", inputs.stall, inputs.stall_scoreboard});
  }
  if (inputs.take && expected.offer) {
    events_.push_back({cycle, expected.offer->warp, "are taken, led by", inputs.peers, expected.offer->leader});
  }
}

std::string SubwarpHistory::text(std::optional<unsigned> warp) const {
  constexpr unsigned most = 6;
  std::string text;
  unsigned shown = 0;
  for (auto event = events_.rbegin(); event != events_.rend() && shown < most; ++event) {
    if (warp && event->warp != *warp) continue;
    text += fmt::format("; cycle {}: entries {:#x} of warp {} {} {}", event->cycle, event->entries, event->warp,
                        event->what, event->number);
    ++shown;
  }
  return text;
}

}  // namespace reconverge
