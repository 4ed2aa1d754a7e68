// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The estimates for a whole launch from the simulated part.

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/statistics_tree.hpp"

namespace reconverge::sampling {

/// The counters of one launch, estimated from batches of its work, and the same estimates without one batch each (the
/// jackknife).
struct Estimate {
  Statistics counters;
  std::vector<Statistics> without;  ///< two or more, in the order of the batches
};

/// Of one launch, or of several launches of a kernel.
struct Sample {
  std::string unit;                 ///< `blocks` or `rays`
  std::uint64_t whole = 0;          ///< units of the launch
  std::uint64_t simulated = 0;      ///< of these, with timing
  std::uint64_t batches = 0;        ///< that the simulated work is divided into
  Statistics counted;               ///< by the part with timing, not estimated
  std::vector<Estimate> estimates;  ///< one for each launch

  Sample& operator+=(const Sample& other) {
    whole += other.whole;
    simulated += other.simulated;
    batches += other.batches;
    counted += other.counted;
    estimates.insert(estimates.end(), other.estimates.begin(), other.estimates.end());
    return *this;
  }
};

}  // namespace reconverge::sampling
