// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The figures of one launch, as a report would have them.

#include <string>
#include <vector>

#include "blocks/experiment.hpp"
#include "models/core/figure.hpp"
#include "platforms/launch/session.hpp"

namespace reconverge::embedding {

/// The figures of reports on machines with timing; `warp_instructions`, `thread_instructions` and `simd_efficiency` on
/// the others. `parameters` are those of the machine that ran the launch.
std::vector<Figure> figures_of(const launch::LaunchResult& result, const ExperimentParameters& parameters);

/// All counters of the launch as a JSON object, by the path of their block; `{}` on machines without timing.
std::string counters_json(const launch::LaunchResult& result);

}  // namespace reconverge::embedding
