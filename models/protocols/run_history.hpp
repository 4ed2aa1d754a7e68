// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The counts of a launch over time, by interval. No SystemC.

#include <array>
#include <cstdint>
#include <vector>

#include "blocks/warp_scheduler.hpp"
#include "models/core/lane_mask.hpp"
#include "models/protocols/first_level.hpp"

namespace reconverge {

/// Issue slots of some schedulers over some cycles.
struct SlotCounts {
  std::array<std::uint64_t, warp_size + 1> issued{};    ///< warp instructions by the lanes that executed
  decltype(WarpSchedulerStatistics::slots) outcomes{};  ///< all slots, including the issued ones

  SlotCounts& operator+=(const SlotCounts& other) {
    add_counters(issued, other.issued);
    add_counters(outcomes, other.outcomes);
    return *this;
  }
  SlotCounts since(const SlotCounts& earlier) const {
    SlotCounts difference = *this;
    subtract_counters(difference.issued, earlier.issued);
    subtract_counters(difference.outcomes, earlier.outcomes);
    return difference;
  }
  std::uint64_t all() const { return sum(outcomes.values); }
  /// Lost because no warp was resident.
  std::uint64_t empty() const { return outcomes[WarpSchedulerSlots::empty]; }
  /// Lost while warps were resident.
  std::uint64_t waiting() const { return all() - empty() - outcomes[WarpSchedulerSlots::issued]; }
};

/// Reads of a cache, and the reads that found everything that they requested.
struct AccessCounts {
  std::uint64_t accesses = 0;
  std::uint64_t hits = 0;

  void count(bool hit) {
    ++accesses;
    hits += hit ? 1 : 0;
  }
  AccessCounts& operator+=(const AccessCounts& other) {
    accesses += other.accesses;
    hits += other.hits;
    return *this;
  }
};

/// The counts of one interval.
struct IntervalCounts {
  std::uint64_t begin = 0;  ///< its first cycle, from the begin of the first launch on
  SlotCounts slots;
  std::array<AccessCounts, first_levels> first_level{};  ///< in the order of FirstLevel
  AccessCounts l2;
  std::uint64_t memory_bytes = 0;  ///< from and to memory

  IntervalCounts& operator+=(const IntervalCounts& other) {
    slots += other.slots;
    for (std::size_t i = 0; i < first_levels; ++i) first_level[i] += other.first_level[i];
    l2 += other.l2;
    memory_bytes += other.memory_bytes;
    return *this;
  }
};

/// One launch, or several in sequence. The last interval of each may be shorter than the others.
struct RunHistory {
  std::uint64_t interval = 0;  ///< cycles; 0: no intervals were recorded
  std::uint64_t cycles = 0;
  std::vector<IntervalCounts> samples;

  /// Appends a later launch.
  RunHistory& append(const RunHistory& later) {
    interval = later.interval;
    for (IntervalCounts sample : later.samples) {
      sample.begin += cycles;
      samples.push_back(sample);
    }
    cycles += later.cycles;
    return *this;
  }
};

}  // namespace reconverge
