// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Bandwidth of memory levels that all SMs share, from the times of whole launches.

#include <string>
#include <vector>

#include "testbenches/device/job.hpp"

namespace reconverge::silicon {

/// Two launches that differ only in how much they move: start, end and cold caches cancel out.
struct Bandwidth {
  std::string name;
  device::Job less;
  device::Job more;
  double bytes = 0;  ///< that `more` moves in addition
};

std::vector<Bandwidth> bandwidths(unsigned multiprocessors);

}  // namespace reconverge::silicon
