// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Serves the clock domains of memory: processes their calendars in order of time. A wake-up of SystemC costs more than
/// the work of a slice or a bank in a cycle. The timeline therefore runs ahead of SystemC's time, up to the earliest
/// time at which a message that is sent now can arrive.
///
/// It has a process for this, unless the process of another module takes over (`serve_by`).

#include <limits>
#include <optional>
#include <systemc>
#include <vector>

namespace reconverge {

class Calendar;

class Timeline : public sc_core::sc_module {
 public:
  /// `ahead`: messages that are sent from now on reach the blocks of the calendars no earlier.
  explicit Timeline(sc_core::sc_module_name name, const sc_core::sc_time& ahead = sc_core::SC_ZERO_TIME);

  /// From now on another process serves the calendars (`run_before`) when `wake` wakes it.
  void serve_by(sc_core::sc_event& wake) { wake_ = &wake; }
  /// Whether it wakes no process, because the process that serves it will check `next`.
  void hold(bool held) { held_ = held; }
  /// Processes the alarms before `end`.
  void run_before(const sc_core::sc_time& end);
  /// The time of the next alarm, if there is one.
  std::optional<sc_core::sc_time> next() const {
    return next_ == nothing ? std::nullopt : std::optional(sc_core::sc_time::from_value(next_));
  }

  /// When the last alarm rang; that may be ahead of SystemC's time.
  sc_core::sc_time reached() const { return sc_core::sc_time::from_value(reached_); }

 private:
  friend Calendar;
  using Value = sc_core::sc_time::value_type;
  static constexpr Value nothing = std::numeric_limits<Value>::max();

  void work();
  void wake_by(Value time);

  Value ahead_;
  std::vector<Calendar*> calendars_;  // if several have work at the same time, in this order
  Value reached_ = 0;
  Value next_ = nothing;  // time for which the process is woken
  bool held_ = false;
  sc_core::sc_event own_wake_;
  sc_core::sc_event* wake_ = &own_wake_;
};

}  // namespace reconverge
