// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The caller's control of a run, in addition to the experiment itself.

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "models/core/cycle.hpp"
#include "platforms/machine.hpp"
#include "platforms/machines/machines.hpp"

namespace reconverge {

/// How far a run is, for progress display.
struct RunProgress {
  enum class Unit : std::uint8_t { rays, blocks };

  std::string_view part;   ///< stage or launch in progress
  std::uint64_t done = 0;  ///< of the whole run: rays in finished blocks or taken by persistent threads, or blocks
  std::uint64_t all = 0;   ///< likewise; repetitions of launches count
  Cycle cycles = 0;        ///< simulated so far
  Unit unit = Unit::rays;
  /// Share of the run's time that has passed, if more is known than the shares of rays or blocks.
  std::optional<double> share{};
};

/// Polled during the run; false stops it.
using KeepRunning = std::function<bool(const RunProgress&)>;

/// Receives what a kernel prints, piece by piece, with the stage or launch that it belongs to.
using PrintPart = std::function<void(std::string_view part, std::string_view text)>;

namespace launch {
class Session;
struct LaunchResult;
}  // namespace launch

/// Runs a launch, or restores it from an earlier run.
using RunLaunch = std::function<launch::LaunchResult(launch::Session&, const Launch&, const KeepGoing&)>;

struct RunControl {
  Kinds kinds = {};  ///< what the experiment may name
  KeepRunning keep_running = {};
  Cycle most_cycles = 0;        ///< of all launches together, after which the run is stopped; 0: no limit
  PrepareMachine prepare = {};  ///< called before the first launch

  RunLaunch run_launch = {};  ///< instead of Session::run; nothing: Session::run

  PrintPart print = {};  ///< nothing: output of kernels is dropped

  bool goes_on(const RunProgress& progress) const { return !keep_running || keep_running(progress); }
  /// Prints for one stage or launch.
  std::function<void(std::string_view text)> print_of(std::string_view part) const {
    return [this, part](std::string_view text) {
      if (print) print(part, text);
    };
  }
};

}  // namespace reconverge
