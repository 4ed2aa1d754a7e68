// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Confidence intervals of values that are computed from estimated counters.

#include <functional>
#include <span>
#include <vector>

#include "platforms/sampling/sample.hpp"

namespace reconverge::sampling {

/// Half-widths of the intervals around `values(counters)`, at the confidence level. `counters` are a sum in which the
/// estimates are terms. By the jackknife: each estimate is replaced by one without a batch, and the variances of the
/// values over these are added for all estimates. The variance is that of successive differences, since the batches are
/// a sample in the order of the work, which may change along it (Wolter, Introduction to Variance Estimation,
/// section 8.2). Quantiles come from Student's t, with the degrees of freedom of successive differences (von
/// Neumann, Annals of Mathematical Statistics 12, 1941), combined as by Satterthwaite (Biometrics Bulletin 2, 1946).
std::vector<double> half_widths(const Statistics& counters, std::span<const Estimate* const> estimates, double level,
                                const std::function<std::vector<double>(const Statistics&)>& values);

}  // namespace reconverge::sampling
