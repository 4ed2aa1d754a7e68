#include "models/memory/calendar.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace reconverge {

Calendar::Calendar(Timeline& timeline, Clock clock)
    : timeline_(timeline), clock_(std::move(clock)), taken_(span / bits) {
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
  word_of(cycle, alarm) |= Word{1} << alarm % bits;
  taken_[cycle % span / bits] |= Word{1} << cycle % bits;
}

void Calendar::enter(Cycle cycle, Alarm& alarm) {
  const std::size_t number = alarm.number_;
  if (alarm.due_ - base_ < span) word_of(alarm.due_, number) &= ~(Word{1} << number % bits);
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
  for (bool rang = true; rang;) {  // an action may set an alarm for this very cycle
    rang = false;
    for (std::size_t word = 0; word < words_; ++word) {
      Word& today = days_[base_ % span * words_ + word];
      while (today != 0) {
        Alarm& alarm = *alarms_[word * bits + static_cast<std::size_t>(std::countr_zero(today))];
        today &= today - 1;
        alarm.due_ = never;
        alarm.action_(base_);
        rang = true;
      }
    }
  }
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
  for (Cycle step = 0; step <= span / bits; ++step) {
    const Cycle word = (first / bits + step) % (span / bits);
    Word left = taken_[word];
    // The word of the base comes first for what is behind the base, and last for what is before it.
    if (step == 0) left &= ~Word{0} << first % bits;
    if (step == span / bits) left &= ~(~Word{0} << first % bits);
    for (; left != 0; left &= left - 1) {
      const Cycle day = word * bits + static_cast<Cycle>(std::countr_zero(left));
      const auto begin = days_.begin() + static_cast<std::ptrdiff_t>(day * words_);
      if (std::any_of(begin, begin + static_cast<std::ptrdiff_t>(words_), [](Word alarms) { return alarms != 0; })) {
        plan(base_ + (day - first) % span);
        return;
      }
      taken_[word] &= ~(Word{1} << day % bits);
    }
  }
  plan(later_.empty() ? never : later_.front().cycle);
}

void Calendar::plan(Cycle next) {
  next_ = next;
  next_time_ = next == never ? Timeline::nothing : clock_.value_of(next);
}

}  // namespace reconverge
