// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The launches of one run, in sequence, within its caller's limits.

#include <functional>
#include <optional>

#include "platforms/launch/session.hpp"
#include "platforms/run_control.hpp"

namespace reconverge::launch {

/// Every experiment runs its launches through this class. Refers to its arguments, which must outlive it.
class LaunchSequence {
 public:
  /// The run's progress, without cycles, from that of a launch.
  using Progress = std::function<RunProgress(const LaunchProgress&)>;

  /// Calls `control.prepare`, so the buffers that all launches share should exist.
  LaunchSequence(Session& session, const RunControl& control);

  /// Runs the launch, for at most `stop_after` cycles unless that is 0. Returns nothing if it does not begin: the
  /// caller stops the run, or no cycles are left.
  std::optional<LaunchResult> run(const Launch& launch, const Progress& progress, Cycle stop_after = 0);
  /// The same for a launch that is a part of some work.
  std::optional<LaunchResult> run_part(const Launch& launch, const Progress& progress, const sampling::Work& work);

  /// Of all launches so far.
  Cycle cycles() const { return cycles_; }
  /// The caller has stopped the run, perhaps in the last cycle of a launch that is complete.
  bool stopped() const { return stopped_; }
  /// The last launch ended after its `stop_after` cycles.
  bool cut() const { return cut_; }

 private:
  std::optional<LaunchResult> run_by(const Launch& launch, const Progress& progress, Cycle stop_after,
                                     const RunLaunch& run_launch);

  Session& session_;
  const RunControl& control_;
  Cycle cycles_ = 0;
  bool stopped_ = false;
  bool cut_ = false;
};

}  // namespace reconverge::launch
