#pragma once
/// The one process behind the clock domains of memory: works off their calendars in order of time. A wake-up of
/// SystemC's costs more than what a slice or a bank does in it, so the process runs ahead: to where somebody who sends
/// now can first be heard.

#include <limits>
#include <systemc>
#include <vector>

namespace reconverge {

class Calendar;

class Timeline : public sc_core::sc_module {
 public:
  /// `ahead`: nothing that is sent from now on reaches the blocks behind the calendars sooner.
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
  std::vector<Calendar*> calendars_;  // of those with something to do at one time, the first goes first
  Value reached_ = 0;
  Value next_ = nothing;  // for which the process is woken
  bool at_work_ = false;
  sc_core::sc_event wake_;
};

}  // namespace reconverge
