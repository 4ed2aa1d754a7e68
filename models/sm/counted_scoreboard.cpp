// SPDX-License-Identifier: Apache-2.0
#include "models/sm/counted_scoreboard.hpp"

#include <algorithm>
#include <bit>

namespace reconverge {

void CountedScoreboard::Counter::note(std::uint64_t word, bool written_back) {
  const std::uint32_t of_unit = RegisterReady::asynchronous(word) ? 1 : 0;
  if (RegisterReady::cycle(word) >= never) {
    ++unknown;
    unknown_of_units += of_unit;
    return;
  }
  until = std::max(until, word);
  if (!written_back) return;
  --unknown;
  unknown_of_units -= of_unit;
}

CountedScoreboard::CountedScoreboard(sc_core::sc_module_name name, std::size_t warp_slots, unsigned counters)
    : ThreadScoreboard(name, warp_slots), count_(counters) {}

void CountedScoreboard::begin(const ProgramImage& image) {
  ThreadScoreboard::begin(image);
  uses_ = kernel::allocate_scoreboards(image.program(), count_);
  counters_.assign(warp_slots() * count_, {});
}

void CountedScoreboard::clear(std::uint32_t slot, LaneMask lanes) {
  ThreadScoreboard::clear(slot, lanes);
  for (unsigned counter = 0; counter < count_; ++counter) {
    for_each_lane(lanes, [&](unsigned lane) { counters_[slot * count_ + counter][lane] = {}; });
  }
}

const kernel::ScoreboardUse& CountedScoreboard::use_of(const DecodedInstruction& instruction) const {
  return uses_[static_cast<std::size_t>(instruction.instruction - &image().instruction(0))];
}

std::uint64_t CountedScoreboard::when(std::size_t home, unsigned lane, const DecodedInstruction& next) const {
  std::uint64_t when = latest(home, lane, next);
  for (std::uint32_t left = use_of(next).waits_for; left != 0; left &= left - 1) {
    const auto counter = static_cast<std::size_t>(std::countr_zero(left));
    when = std::max(when, counters_[home * count_ + counter][lane].zero());
  }
  return when;
}

void CountedScoreboard::b_transport(ScoreboardRequest& request, sc_core::sc_time& /*delay*/) {
  if (request.issued != nullptr) {
    if (const auto counter = use_of(*request.issued).reports_to) {
      const std::uint64_t word = RegisterReady::word(request);
      for_each_lane(request.lanes, [&](unsigned lane) {
        const std::size_t home = home_of(request, lane);
        counters_[home * count_ + *counter][lane].note(word, request.written_back);
        if (request.from_memory) note_load(home, lane, request);
      });
    } else {
      write(request);
    }
  }
  if (request.next == nullptr) return;
  std::uint64_t all = latest(request);
  for (std::uint32_t left = use_of(*request.next).waits_for; left != 0; left &= left - 1) {
    const auto counter = static_cast<std::size_t>(std::countr_zero(left));
    for_each_lane(request.next_lanes, [&](unsigned lane) {
      all = std::max(all, counters_[home_of(request, lane) * count_ + counter][lane].zero());
    });
  }
  answer(request, all);
}

void CountedScoreboard::b_transport(ReadinessRequest& request, sc_core::sc_time& /*delay*/) {
  const DecodedInstruction& next = image().decoded(request.pc);
  request.from_memory = 0;
  for_each_lane(request.lanes, [&](unsigned lane) {
    const std::uint64_t word = when(request.slot, lane, next);
    request.ready[lane] = RegisterReady::cycle(word);
    if (RegisterReady::from_memory(word)) request.from_memory |= lane_bit(lane);
  });
}

}  // namespace reconverge
