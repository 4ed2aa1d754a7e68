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
  latest_.assign(warp_slots_ * tracked_, {});
  loads_.assign(warp_slots_, {});
}

void ThreadScoreboard::clear(std::uint32_t slot, LaneMask lanes) {
  Row* const rows = ready_.data() + slot * tracked_;
  for (std::size_t number = 0; number < tracked_; ++number) {
    for_each_lane(lanes, [&](unsigned lane) { rows[number][lane] = 0; });
    latest_[slot * tracked_ + number].lanes &= ~lanes;
  }
}

void ThreadScoreboard::write(const ScoreboardRequest& request) {
  const auto destinations = request.issued->dependencies.destinations();
  if (destinations.empty()) return;
  const std::uint64_t word = RegisterReady::word(request);
  const auto set = [&](std::size_t row, LaneMask lanes) {
    for_each_lane(lanes, [&](unsigned lane) { ready_[row][lane] = word; });
    Latest& latest = latest_[row];
    if (word > latest.word) {
      latest = {word, lanes};
    } else {
      latest.lanes = word == latest.word ? latest.lanes | lanes : latest.lanes & ~lanes;
    }
  };
  for (const std::uint16_t number : destinations) {
    if (moved(request)) {
      for_each_lane(request.lanes,
                    [&](unsigned lane) { set(request.homes->slot[lane] * tracked_ + number, lane_bit(lane)); });
    } else {
      set(request.slot * tracked_ + number, request.lanes);
    }
  }
  if (!request.from_memory) return;
  for_each_lane(request.lanes, [&](unsigned lane) { note_load(home_of(request, lane), lane, request); });
}

std::uint64_t ThreadScoreboard::latest(std::size_t home, unsigned lane, const DecodedInstruction& next) const {
  std::uint64_t latest = 0;
  for (const std::uint16_t number : next.dependencies.all()) {
    latest = std::max(latest, ready_[home * tracked_ + number][lane]);
  }
  return next.flow == Flow::exit ? std::max(latest, loads_[home][lane].word()) : latest;
}

const ThreadScoreboard::Latest& ThreadScoreboard::latest_of_row(std::size_t row) {
  Latest& latest = latest_[row];
  if (latest.lanes != 0) return latest;
  latest.word = std::ranges::max(ready_[row]);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    latest.lanes |= ready_[row][lane] == latest.word ? lane_bit(lane) : 0;
  }
  return latest;
}

std::uint64_t ThreadScoreboard::latest(const ScoreboardRequest& request) {
  std::uint64_t all = 0;
  if (moved(request)) {
    for_each_lane(request.next_lanes,
                  [&](unsigned lane) { all = std::max(all, latest(home_of(request, lane), lane, *request.next)); });
    return all;
  }
  const std::size_t first = request.slot * tracked_;
  for (const std::uint16_t number : request.next->dependencies.all()) {
    if (latest_[first + number].word <= all) continue;
    const Latest& latest = latest_of_row(first + number);
    if (latest.word <= all) continue;
    if ((latest.lanes & request.next_lanes) != 0) {
      all = latest.word;
    } else {
      const Row& row = ready_[first + number];
      for_each_lane(request.next_lanes, [&](unsigned lane) { all = std::max(all, row[lane]); });
    }
  }
  if (request.next->flow == Flow::exit) {
    const auto& loads = loads_[request.slot];
    for_each_lane(request.next_lanes, [&](unsigned lane) { all = std::max(all, loads[lane].word()); });
  }
  return all;
}

void ThreadScoreboard::b_transport(ScoreboardRequest& request, sc_core::sc_time& /*delay*/) {
  if (request.issued != nullptr) write(request);
  if (request.next != nullptr) answer(request, latest(request));
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
