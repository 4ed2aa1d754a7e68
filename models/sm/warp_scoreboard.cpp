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

inline std::uint64_t WarpScoreboard::latest(std::uint32_t slot, const DecodedInstruction& next) const {
  if (one_by_one_) [[unlikely]]
    return std::max(RegisterReady::word(last_[slot], false), loads_[slot].word());
  const std::uint64_t* ready = ready_.data() + slot * tracked_;
  std::uint64_t latest = 0;
  const Dependencies& needed = next.dependencies;
  for (std::size_t i = 0; i < needed.count; i += Dependencies::together) {
    const std::uint16_t* numbers = needed.registers.data() + i;
    latest = std::max({latest, ready[numbers[0]], ready[numbers[1]], ready[numbers[2]], ready[numbers[3]]});
  }
  return next.flow == Flow::exit ? std::max(latest, loads_[slot].word()) : latest;
}

void WarpScoreboard::b_transport(ScoreboardRequest& request, sc_core::sc_time& /*delay*/) {
  if (request.issued != nullptr) {
    std::uint64_t* ready = ready_.data() + request.slot * tracked_;
    const std::uint64_t word = RegisterReady::word(request);
    const Dependencies& changed = request.issued->dependencies;
    // Most instructions write at most two registers. The host would not predict the end of a loop over them.
    const std::size_t unused = tracked_ - 1;
    ready[changed.written > 0 ? changed.registers[0] : unused] = word;
    ready[changed.written > 1 ? changed.registers[1] : unused] = word;
    for (std::size_t i = 2; i < changed.written; ++i) ready[changed.registers[i]] = word;
    if (one_by_one_) [[unlikely]] {
      if (!request.from_memory) last_[request.slot] = request.result;
    }
    if (request.from_memory && changed.written != 0) {
      loads_[request.slot].note(request.result, request.written_back);
    }
  }
  if (request.next != nullptr) answer(request, latest(request.slot, *request.next));
}

void WarpScoreboard::b_transport(ReadinessRequest& request, sc_core::sc_time& /*delay*/) {
  const std::uint64_t word = latest(request.slot, image_->decoded(request.pc));
  request.ready.fill(RegisterReady::cycle(word));
  request.from_memory = RegisterReady::from_memory(word) ? request.lanes : 0;
}

}  // namespace reconverge
