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
  void push(const T& item) {
    if (items_.full()) items_.set_capacity(std::max<std::size_t>(16, 2 * items_.capacity()));
    items_.push_back(item);
  }
  T pop() {
    const T item = items_.front();
    items_.pop_front();
    return item;
  }

 private:
  boost::circular_buffer<T> items_;
};

}  // namespace reconverge
