// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/launch_sequence.hpp"

namespace reconverge::launch {

LaunchSequence::LaunchSequence(Session& session, const RunControl& control) : session_(session), control_(control) {
  if (control.prepare) control.prepare(session.device());
}

std::optional<LaunchResult> LaunchSequence::run(const Launch& launch, const Progress& progress, Cycle stop_after) {
  if (control_.run_launch) return run_by(launch, progress, stop_after, control_.run_launch);
  return run_by(launch, progress, stop_after, [](Session& session, const Launch& what, const KeepGoing& keep_going) {
    return session.run(what, keep_going);
  });
}

std::optional<LaunchResult> LaunchSequence::run_part(const Launch& launch, const Progress& progress,
                                                     const sampling::Work& work) {
  return run_by(launch, progress, 0, [&work](Session& session, const Launch& what, const KeepGoing& keep_going) {
    return session.run_part(what, keep_going, work);
  });
}

std::optional<LaunchResult> LaunchSequence::run_by(const Launch& launch, const Progress& progress, Cycle stop_after,
                                                   const RunLaunch& run_launch) {
  const auto goes_on = [&](const LaunchProgress& so_far) {
    RunProgress of_run = progress(so_far);
    of_run.cycles = cycles_ + so_far.cycles;
    stopped_ = stopped_ || !control_.goes_on(of_run);
    return !stopped_;
  };
  if (!goes_on({0, 0, launch.grid.count()})) return std::nullopt;
  const Cycle most = control_.most_cycles;
  if (most != 0 && cycles_ >= most) return std::nullopt;
  const Cycle left = most == 0 ? 0 : most - cycles_;
  const bool cuts = stop_after != 0 && (left == 0 || stop_after <= left);
  session_.stop_after(cuts ? stop_after : left);
  LaunchResult result = run_launch(session_, launch, goes_on);
  cycles_ += result.simulated_cycles();
  cut_ = cuts && !result.completed && !stopped_;
  return result;
}

}  // namespace reconverge::launch
