// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The points of a sweep, each with the digest of everything that its result depends on.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "platforms/cli/run/experiment.hpp"
#include "platforms/cli/run/progress.hpp"
#include "platforms/cli/run/run_limits.hpp"
#include "platforms/cli/sweep/space_file.hpp"
#include "platforms/sweep/point_record.hpp"

namespace reconverge::cli {

/// How points run; the same for all points of a sweep.
struct PointOptions {
  Plugins plugins;
  RunLimits limits;
  bool keep_reports = false;
};

/// Makes digests of points. Reads each input file once.
class PointDigests {
 public:
  explicit PointDigests(const PointOptions& options);

  /// 64 hexadecimal digits. Depends on the program and its plugins, the limit on cycles, all parameters, the contents
  /// of all input files, and the launches. Host, folder and the order of settings do not change it. Throws InputError
  /// if a file cannot be read.
  std::string of(const Experiment& experiment);

  /// Of the program file and its plugins.
  const std::string& program() const { return program_; }

 private:
  const std::string& of_file(const std::string& file);

  std::string program_;
  std::map<std::string, std::string> files_;
};

/// Loads the configuration of every point. Points with the same digest count once. Throws InputError for the first
/// point that is refused, with its settings.
std::vector<sweep::Point> plan_sweep(const SpaceOptions& space, const PointOptions& options, const ProgressSink& sink);

/// A readable form of the swept settings.
std::string label_of(const sweep::Point& point);

}  // namespace reconverge::cli
