// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A design space: a list of experiments (experiment_list.hpp) whose `sweep` has an axis for each parameter, and
///
///     variants:                       # settings that change together; an axis with these names
///       stack: {gpu.sm.scheme: reconvergence_stack}
///       dmk: {gpu.sm.scheme: dynamic_microkernel, 'launches[0].program': microkernels.ptx}
///     where:                          # conditions that every point meets
///       - gpu.sms * gpu.sm.warp_slots <= 512
///     sample: {method: latin_hypercube, points: 200, seed: 1}    # instead of all combinations; or `random`
///
/// docs/sweeps.md describes the keys.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "platforms/cli/run/experiment_list.hpp"
#include "platforms/cli/run/sweep.hpp"
#include "platforms/sweep/condition.hpp"

namespace reconverge::cli {

/// An axis with listed values, or a continuous range.
struct SpaceAxis {
  SweepAxis axis;
  std::optional<ContinuousRange> range;
};

/// Named settings that change together.
struct Variant {
  std::string name;
  std::vector<std::string> overrides;  ///< `path=value`
};

struct SampleRequest {
  bool latin = false;  ///< Latin hypercube; otherwise independent points
  std::size_t points = 0;
  std::uint64_t seed = 0;
  SourceLocation location;
};

struct SpaceFile {
  std::vector<std::string> experiments;
  std::vector<SpaceAxis> axes;
  std::vector<Variant> variants;  ///< empty: no such axis
  std::vector<sweep::Condition> conditions;
  std::optional<SampleRequest> sample;
};

/// What the command line adds to the files.
struct SpaceOptions {
  std::vector<std::string> files;
  std::vector<std::string> sweeps;     ///< --sweep
  std::vector<std::string> overrides;  ///< --set
};

/// Reads and checks all values. Throws InputError.
SpaceFile read_space(const SpaceOptions& options, Kinds kinds);

/// A point before its configuration is loaded.
struct SpacePoint {
  std::string file;
  std::optional<std::size_t> variant;
  std::vector<std::string> values;  ///< canonical, one for each axis
};

/// All points of the space or of its sample that meet the conditions on axes and variants; other conditions need the
/// configuration. Throws InputError if a sample cannot be drawn, and for too many points.
std::vector<SpacePoint> points_of(const SpaceFile& space);

/// Settings of a point by path, for conditions.
sweep::Parameters parameters_of(const SpaceFile& space, const SpacePoint& point);

}  // namespace reconverge::cli
