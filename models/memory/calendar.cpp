#include "models/memory/calendar.hpp"

#include <algorithm>
#include <bit>

#include "models/memory/clock_domain.hpp"

namespace reconverge {

Calendar::Calendar(sc_core::sc_module_name name, Clock clock)
    : sc_module(name), clock_(std::move(clock)), days_(span), taken_(span / 64) {
  SC_HAS_PROCESS(Calendar);
  SC_METHOD(work);
  sensitive << wake_;
  dont_initialize();
}

bool Calendar::is_later(const Entry& a, const Entry& b) {
  return a.cycle != b.cycle ? a.cycle > b.cycle : a.order > b.order;
}

void Calendar::enter_day(Cycle cycle, Alarm& alarm) {
  const Cycle day = cycle % span;
  days_[day].push_back(&alarm);
  taken_[day / 64] |= std::uint64_t{1} << day % 64;
}

void Calendar::enter(Cycle cycle, Alarm& alarm) {
  if (cycle - base_ < span) {
    enter_day(cycle, alarm);
  } else {
    later_.push_back({cycle, entered_++, &alarm});
    std::push_heap(later_.begin(), later_.end(), is_later);
  }
  if (at_work_ || cycle >= next_) return;
  next_ = cycle;
  wake_.notify(time_until(clock_, cycle));  // takes the place of a later one
}

void Calendar::work() {
  at_work_ = true;
  base_ = next_;
  while (!later_.empty() && later_.front().cycle - base_ < span) {
    std::pop_heap(later_.begin(), later_.end(), is_later);
    enter_day(later_.back().cycle, *later_.back().alarm);
    later_.pop_back();
  }
  std::vector<Alarm*>& today = days_[base_ % span];
  std::sort(today.begin(), today.end(), [](const Alarm* a, const Alarm* b) { return a->number_ < b->number_; });
  for (std::size_t i = 0; i < today.size(); ++i) {  // the day may grow meanwhile
    Alarm& alarm = *today[i];
    if (alarm.due_ != base_) continue;  // was set for an earlier cycle, too
    alarm.due_ = never;
    alarm.action_(base_);
  }
  today.clear();
  at_work_ = false;
  next_ = next_day();
  if (!later_.empty()) next_ = std::min(next_, later_.front().cycle);
  if (next_ != never) wake_.notify(time_until(clock_, next_));
}

Cycle Calendar::next_day() {
  const Cycle first = base_ % span;
  for (Cycle step = 0; step <= span / 64; ++step) {
    const Cycle word = (first / 64 + step) % (span / 64);
    std::uint64_t left = taken_[word];
    // The word of the base comes first for what is behind the base, and last for what is before it.
    if (step == 0) left &= ~std::uint64_t{0} << first % 64;
    if (step == span / 64) left &= ~(~std::uint64_t{0} << first % 64);
    for (; left != 0; left &= left - 1) {
      const Cycle day = word * 64 + static_cast<Cycle>(std::countr_zero(left));
      const Cycle cycle = base_ + (day - first) % span;
      auto& alarms = days_[day];
      if (std::any_of(alarms.begin(), alarms.end(), [&](const Alarm* alarm) { return alarm->due_ == cycle; })) {
        return cycle;
      }
      alarms.clear();
      taken_[word] &= ~(std::uint64_t{1} << day % 64);
    }
  }
  return never;
}

}  // namespace reconverge
