// SPDX-License-Identifier: Apache-2.0
#include "models/core/calendar.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace reconverge {

Calendar::Calendar(Timeline& timeline, Clock clock) : timeline_(timeline), clock_(std::move(clock)) {
  timeline_.calendars_.push_back(this);
}

Calendar::Alarm::Alarm(Calendar& calendar, std::function<void(Cycle)> action)
    : calendar_(calendar), number_(calendar.add(std::move(action))) {}

std::size_t Calendar::add(std::function<void(Cycle)> action) {
  const std::size_t alarm = actions_.size();
  if (alarm >> number_bits != 0) throw std::length_error("more alarms in a clock domain of memory than their numbers");
  actions_.push_back(std::move(action));
  if (alarm / together == groups_.size()) groups_.emplace_back().fill(off);
  if (groups_.size() > least_.size()) least_.resize(least_.size() + together, off);
  return alarm;
}

void Calendar::work() {
  at_work_ = true;
  now_ = cycle_of(next_);
  Entry next = next_;
  while (cycle_of(next) == now_) {
    const auto alarm = static_cast<std::size_t>(next) % (std::size_t{1} << number_bits);
    Group& group = groups_[alarm / together];
    group[alarm % together] = off;
    least_[alarm / together] = least_of(group);
    actions_[alarm](now_);  // may set an alarm for the same cycle
    next = first();
  }
  at_work_ = false;
  plan(next);
}

Calendar::Entry Calendar::first() const {
  Entry least = off;
  // Tells the compiler that the entries are a multiple of `together`.
  const std::size_t count = least_.size() / together * together;
  for (std::size_t i = 0; i < count; ++i) least = std::min(least, least_[i]);
  return least;
}

Calendar::Entry Calendar::least_of(const Group& group) {
  Entry least = off;
  for (const Entry entry : group) least = std::min(least, entry);
  return least;
}

void Calendar::plan(Entry next) {
  next_ = next;
  next_time_ = next == off ? Timeline::nothing : clock_.value_of(cycle_of(next));
}

}  // namespace reconverge
