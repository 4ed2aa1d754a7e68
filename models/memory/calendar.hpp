#pragma once
/// What the blocks of a clock domain have to do in which cycle. One process for all of them wakes in the cycles in
/// which any of them has something to do: a wake-up of SystemC's costs more than what a slice or a bank does in it.

#include <functional>
#include <systemc>
#include <utility>
#include <vector>

#include "models/core/cycle.hpp"

namespace reconverge {

class Calendar : public sc_core::sc_module {
 public:
  Calendar(sc_core::sc_module_name name, Clock clock);

  const Clock& clock() const { return clock_; }

  /// Calls its action in the earliest cycle that was asked for. Those of one cycle ring in the order in which they were
  /// made, whoever set them first.
  class Alarm {
   public:
    Alarm(Calendar& calendar, std::function<void(Cycle)> action)
        : calendar_(calendar), action_(std::move(action)), number_(calendar.alarms_++) {}
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;

    /// `cycle` begins now or later. Before the action the alarm is off; it may set it again, for the same cycle, too.
    void ring_at(Cycle cycle) {
      if (cycle >= due_) return;
      due_ = cycle;
      calendar_.enter(cycle, *this);
    }

   private:
    friend Calendar;
    Calendar& calendar_;
    std::function<void(Cycle)> action_;
    std::uint32_t number_;
    Cycle due_ = never;
  };

 private:
  struct Entry {
    Cycle cycle;
    std::uint64_t order;  // of entry
    Alarm* alarm;
  };
  static constexpr Cycle span = 512;  // cycles from the base on that have a day of their own; a power of two

  void enter(Cycle cycle, Alarm& alarm);
  void work();
  void enter_day(Cycle cycle, Alarm& alarm);
  /// The first cycle from the base on for which an alarm is still set, or never.
  Cycle next_day();
  static bool is_later(const Entry& a, const Entry& b);

  Clock clock_;
  std::uint32_t alarms_ = 0;
  Cycle base_ = 0;  // the last cycle in which anything was done
  std::vector<std::vector<Alarm*>> days_;
  std::vector<std::uint64_t> taken_;  // bit: day has entries
  std::vector<Entry> later_;          // a heap of what lies beyond
  std::uint64_t entered_ = 0;
  Cycle next_ = never;  // for which the process is woken
  bool at_work_ = false;
  sc_core::sc_event wake_;
};

}  // namespace reconverge
