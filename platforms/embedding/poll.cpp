// SPDX-License-Identifier: Apache-2.0
#include "platforms/embedding/poll.hpp"

namespace reconverge::embedding {

namespace {

constexpr std::chrono::milliseconds interval{100};

}  // namespace

bool Poll::operator()(const RunProgress& progress) {
  if (stopped_ || !keep_running_) return !stopped_;
  const HostClock::time_point now = HostClock::now();
  if (last_ && now - *last_ < interval) return true;
  stopped_ = !keep_running_(progress);
  last_ = HostClock::now();
  return !stopped_;
}

}  // namespace reconverge::embedding
