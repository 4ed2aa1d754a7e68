// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Records the counts of a launch on a GPU over time, in bounded memory: when there are more than `most_intervals`,
/// pairs of intervals are merged, and intervals are twice as long from then on.

#include <vector>

#include "models/core/cycle.hpp"
#include "models/protocols/memory_observer.hpp"
#include "models/protocols/observer.hpp"
#include "models/protocols/run_history.hpp"

namespace reconverge {

class HistoryRecorder final : public SmObserver, public MemoryObserver {
 public:
  static constexpr std::size_t most_intervals = std::size_t{1} << 18U;

  /// A launch begins in cycle `start` of the SMs' clock; intervals have `interval` cycles, at least one.
  void begin(const Clock& clock, Cycle start, Cycle interval);
  /// It ended after `cycles`. Later events, such as stores, count for the last interval.
  void finish(Cycle cycles) { history_.cycles = cycles; }

  void line_taken(const LineNote& note) override;
  void l2_read(std::uint64_t time, bool hit) override;
  void memory_bytes(std::uint64_t time, std::uint64_t bytes) override;
  /// Slots of interval number `number`, with the requested interval length.
  void add_slots(std::size_t number, const SlotCounts& slots) { interval(number).slots += slots; }

  /// The history of the last launch that ended. Its interval may be longer than the requested one.
  RunHistory history() const;

 private:
  /// The interval that contains the requested interval of that number.
  IntervalCounts& interval(std::size_t number);
  void join_pairs();
  /// Clocks of the memory may be in a cycle that began before the launch.
  IntervalCounts& at_time(std::uint64_t time) {
    return interval(time < start_time_ ? 0 : (time - start_time_) / interval_time_);
  }

  Cycle start_ = 0;
  std::uint64_t start_time_ = 0;  // in SystemC's units, like the length
  std::uint64_t interval_time_ = 1;
  Cycle asked_ = 1;       // requested cycles of an interval
  unsigned doubled_ = 0;  // number of times that intervals were doubled
  RunHistory history_;
};

}  // namespace reconverge
