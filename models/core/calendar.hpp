// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The cycles in which the blocks of a clock domain have work to do.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/core/timeline.hpp"

namespace reconverge {

class Calendar {
 public:
  Calendar(Timeline& timeline, Clock clock);
  Calendar(const Calendar&) = delete;
  Calendar& operator=(const Calendar&) = delete;

  const Clock& clock() const { return clock_; }
  /// The cycle whose alarms are ringing, which may be ahead of SystemC's time; otherwise the cycle of the current time.
  Cycle now() const { return at_work_ ? now_ : clock_.now(); }
  /// Like the functions of the clock.
  Cycle cycle_from(const sc_core::sc_time& delay) const { return clock_.cycle_from(delay); }
  sc_core::sc_time time_until(Cycle cycle) const { return clock_.time_until(cycle); }

  /// Calls its action in the earliest requested cycle. Alarms of one cycle ring in the order of their construction,
  /// regardless of the order in which they were set.
  class Alarm {
   public:
    Alarm(Calendar& calendar, std::function<void(Cycle)> action);
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;

    /// `cycle` is not before the current one. The alarm is off before the action runs; the action may set it again,
    /// also for the same cycle.
    void ring_at(Cycle cycle) {
      const Entry entry = entry_of(cycle, number_);
      if (entry < calendar_.groups_[number_ / together][number_ % together]) calendar_.enter(entry, number_);
    }

   private:
    Calendar& calendar_;
    std::size_t number_;
  };

 private:
  friend Timeline;

  /// A cycle and, in the low bits, the alarm that rings in it: the smallest entry is next. Signed, because vector units
  /// compare signed numbers.
  using Entry = std::int64_t;
  static constexpr unsigned number_bits = 10;
  static constexpr Entry off = std::numeric_limits<Entry>::max();
  /// Entries are compared in groups of this size.
  static constexpr std::size_t together = 8;
  using Group = std::array<Entry, together>;

  static Entry entry_of(Cycle cycle, std::size_t alarm) { return static_cast<Entry>(cycle << number_bits | alarm); }
  static Cycle cycle_of(Entry entry) { return static_cast<Cycle>(entry) >> number_bits; }

  std::size_t add(std::function<void(Cycle)> action);
  void enter(Entry entry, std::size_t alarm) {
    groups_[alarm / together][alarm % together] = entry;
    least_[alarm / together] = std::min(least_[alarm / together], entry);
    if (at_work_ || entry >= next_) return;
    plan(entry);
    timeline_.wake_by(next_time_);
  }
  /// Rings the alarms of the next cycle.
  void work();
  /// The smallest entry.
  Entry first() const;
  static Entry least_of(const Group& group);
  void plan(Entry next);

  Timeline& timeline_;
  Clock clock_;
  // Entries by alarm. There are only a few dozen alarms, so comparing the least ones of all groups is faster than
  // keeping entries sorted.
  std::vector<Group> groups_;
  std::vector<Entry> least_;  // of each group
  std::vector<std::function<void(Cycle)>> actions_;
  Entry next_ = off;
  Timeline::Value next_time_ = Timeline::nothing;
  Cycle now_ = 0;  // cycle whose alarms are ringing
  bool at_work_ = false;
};

}  // namespace reconverge
