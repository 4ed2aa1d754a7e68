// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The single process that serves the clock domains of memory: it processes their calendars in order of time. A wake-up
/// of SystemC costs more than the work of a slice or a bank in a cycle, so the process runs ahead, up to the earliest
/// time at which a message that is sent now can arrive.

#include <limits>
#include <systemc>
#include <vector>

namespace reconverge {

class Calendar;

class Timeline : public sc_core::sc_module {
 public:
  /// `ahead`: nothing that is sent from now on reaches the blocks of the calendars sooner.
  explicit Timeline(sc_core::sc_module_name name, const sc_core::sc_time& ahead = sc_core::SC_ZERO_TIME);

  /// When the last alarm rang; that may be ahead of SystemC's time.
  sc_core::sc_time reached() const { return sc_core::sc_time::from_value(reached_); }

 private:
  friend Calendar;
  using Value = sc_core::sc_time::value_type;
  static constexpr Value nothing = std::numeric_limits<Value>::max();

  void work();
  void wake_by(Value time);

  Value ahead_;
  std::vector<Calendar*> calendars_;  // if several have work at the same time, the first goes first
  Value reached_ = 0;
  Value next_ = nothing;  // time for which the process is woken
  bool at_work_ = false;
  sc_core::sc_event wake_;
};

}  // namespace reconverge
