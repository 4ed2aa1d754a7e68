#include "models/memory/calendar.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace reconverge {

Calendar::Calendar(Timeline& timeline, Clock clock) : timeline_(timeline), clock_(clock), taken_(span / bits) {
  timeline_.calendars_.push_back(this);
}

Calendar::Alarm::Alarm(Calendar& calendar, std::function<void(Cycle)> action)
    : calendar_(calendar), action_(std::move(action)), number_(calendar.add(*this)) {}

std::size_t Calendar::add(Alarm& alarm) {
  const std::size_t number = alarms_.size();
  alarms_.push_back(&alarm);
  if (number == words_ * bits) {
    // A bit more for each day, nearest to those that are there.
    std::vector<Word> days(span * (words_ + 1));
    for (std::size_t i = 0; i < days_.size(); ++i) days[i / words_ * (words_ + 1) + i % words_] = days_[i];
    days_ = std::move(days);
    ++words_;
  }
  return number;
}

void Calendar::enter_day(Cycle cycle, std::size_t alarm) {
  day_of(cycle)[alarm / bits] |= Word{1} << alarm % bits;
  taken_[cycle % span / bits] |= Word{1} << cycle % bits;
}

void Calendar::leave_day(Cycle cycle, std::size_t alarm) {
  day_of(cycle)[alarm / bits] &= ~(Word{1} << alarm % bits);
  note_empty(cycle);
}

void Calendar::note_empty(Cycle cycle) {
  const Word* day = day_of(cycle);
  if (std::any_of(day, day + words_, [](Word alarms) { return alarms != 0; })) return;
  taken_[cycle % span / bits] &= ~(Word{1} << cycle % bits);
}

void Calendar::enter(Cycle cycle, Alarm& alarm) {
  const std::size_t number = alarm.number_;
  if (alarm.due_ - base_ < span) leave_day(alarm.due_, number);
  alarm.due_ = cycle;
  if (cycle - base_ < span) {
    enter_day(cycle, number);
  } else {
    later_.push_back({cycle, number});
    std::push_heap(later_.begin(), later_.end(), std::greater<>());
  }
  if (at_work_ || cycle >= next_) return;
  plan(cycle);
  timeline_.wake_by(next_time_);
}

void Calendar::work() {
  at_work_ = true;
  base_ = next_;
  bring_near();
  Word* today = day_of(base_);
  for (bool rang = true; rang;) {  // an action may set an alarm for this very cycle
    rang = false;
    for (std::size_t word = 0; word < words_; ++word) {
      while (today[word] != 0) {
        Alarm& alarm = *alarms_[word * bits + static_cast<std::size_t>(std::countr_zero(today[word]))];
        today[word] &= today[word] - 1;
        alarm.due_ = never;
        alarm.action_(base_);
        rang = words_ > 1;
      }
    }
  }
  taken_[base_ % span / bits] &= ~(Word{1} << base_ % bits);
  at_work_ = false;
  find_next();
}

void Calendar::bring_near() {
  while (!later_.empty() && later_.front().cycle - base_ < span) {
    const Later entry = later_.front();
    std::pop_heap(later_.begin(), later_.end(), std::greater<>());
    later_.pop_back();
    // It may have been set for an earlier cycle since.
    if (alarms_[entry.alarm]->due_ == entry.cycle) enter_day(entry.cycle, entry.alarm);
  }
}

void Calendar::find_next() {
  const Cycle first = base_ % span;
  // The word of the base comes first for what is behind the base, and last for what is before it.
  Word left = taken_[first / bits] & ~Word{0} << first % bits;
  for (Cycle step = 0; step <= span / bits; ++step) {
    const Cycle word = (first / bits + step) % (span / bits);
    if (step != 0) left = taken_[word];
    if (left == 0) continue;
    const Cycle day = word * bits + static_cast<Cycle>(std::countr_zero(left));
    plan(base_ + (day - first) % span);
    return;
  }
  plan(later_.empty() ? never : later_.front().cycle);
}

void Calendar::plan(Cycle next) {
  next_ = next;
  next_time_ = next == never ? Timeline::nothing : clock_.value_of(next);
}

}  // namespace reconverge
