// SPDX-License-Identifier: Apache-2.0
#include "models/sm/thread_scoreboard.hpp"

#include <algorithm>

namespace reconverge {

ThreadScoreboard::ThreadScoreboard(sc_core::sc_module_name name, std::size_t warp_slots)
    : Scoreboard(name), warp_slots_(warp_slots) {}

void ThreadScoreboard::begin(const ProgramImage& image) {
  image_ = &image;
  tracked_ = image.tracked();
  ready_.assign(warp_slots_ * tracked_, {});
  loads_.assign(warp_slots_, {});
}

void ThreadScoreboard::clear(std::uint32_t slot, LaneMask lanes) {
  Row* const rows = ready_.data() + slot * tracked_;
  for (std::size_t number = 0; number < tracked_; ++number) {
    for_each_lane(lanes, [&](unsigned lane) { rows[number][lane] = 0; });
  }
}

void ThreadScoreboard::write(const ScoreboardRequest& request) {
  const auto destinations = request.issued->dependencies.destinations();
  if (destinations.empty()) return;
  const std::uint64_t word = RegisterReady::word(request);
  for_each_lane(request.lanes, [&](unsigned lane) {
    const std::size_t home = home_of(request, lane);
    for (const std::uint16_t number : destinations) ready_[home * tracked_ + number][lane] = word;
    if (request.from_memory) note_load(home, lane, request);
  });
}

std::uint64_t ThreadScoreboard::latest(std::size_t home, unsigned lane, const DecodedInstruction& next) const {
  std::uint64_t latest = 0;
  for (const std::uint16_t number : next.dependencies.all()) {
    latest = std::max(latest, ready_[home * tracked_ + number][lane]);
  }
  return next.flow == Flow::exit ? std::max(latest, loads_[home][lane].word()) : latest;
}

void ThreadScoreboard::b_transport(ScoreboardRequest& request, sc_core::sc_time& /*delay*/) {
  if (request.issued != nullptr) write(request);
  if (request.next == nullptr) return;
  std::uint64_t all = 0;
  for_each_lane(request.next_lanes,
                [&](unsigned lane) { all = std::max(all, latest(home_of(request, lane), lane, *request.next)); });
  answer(request, all);
}

void ThreadScoreboard::b_transport(ReadinessRequest& request, sc_core::sc_time& /*delay*/) {
  const DecodedInstruction& next = image_->decoded(request.pc);
  request.from_memory = 0;
  for_each_lane(request.lanes, [&](unsigned lane) {
    const std::uint64_t word = latest(request.slot, lane, next);
    request.ready[lane] = RegisterReady::cycle(word);
    if (RegisterReady::from_memory(word)) request.from_memory |= lane_bit(lane);
  });
}

}  // namespace reconverge
