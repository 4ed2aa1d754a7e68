// SPDX-License-Identifier: Apache-2.0
#include "models/core/timeline.hpp"

#include "models/core/calendar.hpp"

namespace reconverge {

Timeline::Timeline(sc_core::sc_module_name name, const sc_core::sc_time& ahead)
    : sc_module(name), ahead_(ahead.value()) {
  SC_HAS_PROCESS(Timeline);
  SC_METHOD(work);
  sensitive << own_wake_;
  dont_initialize();
}

void Timeline::work() {
  const Value now = sc_core::sc_time_stamp().value();
  held_ = true;
  run_before(sc_core::sc_time::from_value(now + (ahead_ != 0 ? ahead_ : 1)));
  held_ = false;
  if (next_ != nothing) wake_->notify(sc_core::sc_time::from_value(next_ - now));
}

void Timeline::run_before(const sc_core::sc_time& end) {
  for (;;) {
    Calendar* first = nullptr;
    next_ = nothing;
    for (Calendar* calendar : calendars_) {
      if (calendar->next_time_ >= next_) continue;
      next_ = calendar->next_time_;
      first = calendar;
    }
    if (first == nullptr || next_ >= end.value()) break;
    reached_ = next_;
    first->work();
  }
}

void Timeline::wake_by(Value time) {
  if (time >= next_) return;
  next_ = time;
  if (held_) return;
  wake_->notify(sc_core::sc_time::from_value(time - sc_core::sc_time_stamp().value()));  // replaces a later one
}

}  // namespace reconverge
