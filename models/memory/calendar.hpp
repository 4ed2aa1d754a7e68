#pragma once
/// What the blocks of a clock domain have to do in which cycle.

#include <functional>
#include <utility>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/memory/timeline.hpp"

namespace reconverge {

class Calendar {
 public:
  Calendar(Timeline& timeline, Clock clock);
  Calendar(const Calendar&) = delete;
  Calendar& operator=(const Calendar&) = delete;

  const Clock& clock() const { return clock_; }
  /// The cycle whose alarms ring, which may be ahead of SystemC's time; otherwise the cycle that this time is in.
  Cycle now() const { return at_work_ ? base_ : clock_.now(); }
  /// As those of the clock.
  Cycle cycle_from(const sc_core::sc_time& delay) const { return clock_.cycle_from(delay); }
  sc_core::sc_time time_until(Cycle cycle) const { return clock_.time_until(cycle); }

  /// Calls its action in the earliest cycle that was asked for. Those of one cycle ring in the order in which they were
  /// made, whoever set them first.
  class Alarm {
   public:
    Alarm(Calendar& calendar, std::function<void(Cycle)> action);
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;

    /// `cycle` begins now or later. Before the action the alarm is off; it may set it again, for the same cycle, too.
    void ring_at(Cycle cycle) {
      if (cycle < due_) calendar_.enter(cycle, *this);
    }

   private:
    friend Calendar;
    Calendar& calendar_;
    std::function<void(Cycle)> action_;
    std::size_t number_;
    Cycle due_ = never;
  };

 private:
  friend Timeline;
  using Word = std::uint64_t;
  static constexpr Cycle span = 512;  // cycles from the base on that have a day of their own; a power of two
  static constexpr std::size_t bits = 64;

  struct Later {
    Cycle cycle;
    std::size_t alarm;
    bool operator>(const Later& other) const {
      return cycle != other.cycle ? cycle > other.cycle : alarm > other.alarm;
    }
  };

  std::size_t add(Alarm& alarm);
  void enter(Cycle cycle, Alarm& alarm);
  /// Rings those of the next cycle.
  void work();
  /// The words of the day of a cycle.
  Word* day_of(Cycle cycle) { return days_.data() + cycle % span * words_; }
  void enter_day(Cycle cycle, std::size_t alarm);
  void leave_day(Cycle cycle, std::size_t alarm);
  void note_empty(Cycle cycle);
  void bring_near();
  void find_next();
  void plan(Cycle next);

  Timeline& timeline_;
  Clock clock_;
  std::vector<Alarm*> alarms_;
  std::size_t words_ = 0;     // of a day: a bit for each alarm
  Cycle base_ = 0;            // the last cycle in which anything was done
  std::vector<Word> days_;    // who rings in [base_, base_ + span), by cycle
  std::vector<Word> taken_;   // bit: somebody rings on that day
  std::vector<Later> later_;  // a heap of what lies beyond
  Cycle next_ = never;        // the first cycle in which somebody rings
  Timeline::Value next_time_ = Timeline::nothing;
  bool at_work_ = false;
};

}  // namespace reconverge
