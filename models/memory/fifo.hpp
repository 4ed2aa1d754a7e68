// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A queue that grows when it must and otherwise allocates nothing.

#include <algorithm>
#include <boost/circular_buffer.hpp>
#include <cstddef>

namespace reconverge {

template <typename T>
class Fifo {
 public:
  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  T& front() { return items_.front(); }
  const T& front() const { return items_.front(); }
  /// The element `number` positions after the front.
  T& operator[](std::size_t number) { return items_[number]; }
  void push(const T& item) {
    make_room();
    items_.push_back(item);
  }
  /// Inserts into an ordered queue, after all elements that are not later. The position is searched for from the end.
  template <typename Later>
  void insert(const T& item, Later&& is_later) {
    make_room();
    auto place = items_.end();
    while (place != items_.begin() && is_later(*(place - 1), item)) --place;
    if (place == items_.end()) {
      items_.push_back(item);
    } else {
      items_.insert(place, item);
    }
  }
  T pop() {
    const T item = items_.front();
    items_.pop_front();
    return item;
  }

 private:
  void make_room() {
    if (items_.full()) items_.set_capacity(std::max<std::size_t>(16, 2 * items_.capacity()));
  }

  boost::circular_buffer<T> items_;
};

}  // namespace reconverge
