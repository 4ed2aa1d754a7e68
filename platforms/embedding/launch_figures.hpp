// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The figures of one launch, as a report would have them.

#include <string>
#include <vector>

#include "models/core/figure.hpp"
#include "platforms/embedding/device.hpp"
#include "platforms/launch/session.hpp"

namespace reconverge::embedding {

/// The figures of reports on machines with timing; `warp_instructions`, `thread_instructions` and `simd_efficiency` on
/// the others. `device` ran the launch.
std::vector<Figure> figures_of(const launch::LaunchResult& result, const Device& device);

/// All counters of the launch as a JSON object, by the path of their block; `{}` on machines without timing.
std::string counters_json(const launch::LaunchResult& result);

}  // namespace reconverge::embedding
