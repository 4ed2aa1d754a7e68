// SPDX-License-Identifier: Apache-2.0
#include "models/sm/warp_scoreboard.hpp"

#include <algorithm>

namespace reconverge {

WarpScoreboard::WarpScoreboard(sc_core::sc_module_name name, std::size_t warp_slots, bool one_by_one)
    : Scoreboard(name), warp_slots_(warp_slots), one_by_one_(one_by_one) {}

void WarpScoreboard::begin(const ProgramImage& image) {
  image_ = &image;
  tracked_ = image.tracked() + 2;
  ready_.assign(warp_slots_ * tracked_, 0);
  loads_.assign(warp_slots_, {});
  last_.assign(warp_slots_, 0);
}

void WarpScoreboard::clear(std::uint32_t slot, LaneMask /*lanes*/) {
  const auto first = ready_.begin() + static_cast<std::ptrdiff_t>(slot * tracked_);
  std::fill(first, first + static_cast<std::ptrdiff_t>(tracked_), 0);
  last_[slot] = 0;
}

void WarpScoreboard::b_transport(ReadinessRequest& request, sc_core::sc_time& /*delay*/) {
  const std::uint64_t word = latest(request.slot, image_->decoded(request.pc));
  request.ready.fill(RegisterReady::cycle(word));
  request.from_memory = RegisterReady::from_memory(word) ? request.lanes : 0;
}

}  // namespace reconverge
