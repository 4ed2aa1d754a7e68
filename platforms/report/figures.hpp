// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Computes the figures of reports from raw counters: pure functions, all of them 0 if nothing was counted.

#include <vector>

#include "models/core/figure.hpp"
#include "platforms/figures/measurement.hpp"

namespace reconverge::report {

/// Every figure, in report order. The names depend on the machine, and on whether rays were traced.
std::vector<Figure> figures(const Measurement& measurement);

}  // namespace reconverge::report
