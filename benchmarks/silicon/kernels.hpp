// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The tree's divergent kernels at several sizes.

#include <functional>
#include <string>
#include <vector>

#include "testbenches/device/job.hpp"

namespace reconverge::silicon {

struct TimedJob {
  std::string name;
  std::function<device::Job()> job;
};

/// Persistent kernels start eight blocks on each multiprocessor. Sizes are divided by `scale`, a power of two.
std::vector<TimedJob> timed_kernels(unsigned multiprocessors, unsigned scale);

}  // namespace reconverge::silicon
