// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Coverage of warps' requests to dynamic ray shuffling: rdctrl and reports, and where they wait.

#include <optional>

#include "models/cosim/dynamic_ray_shuffling/bench/coverage_bins.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_shuffler.hpp"

namespace reconverge {

class WarpCoverage {
 public:
  struct Report {
    std::size_t warp;
    LaneMask lanes;
    RayStates states;
  };

  explicit WarpCoverage(CoverageBins& bins);

  /// Another block begins.
  void reset();
  /// Before the end of each cycle. `control`: the warp whose rdctrl the block takes in it.
  void before(const RayShuffler& model, std::optional<std::size_t> control, const std::optional<Report>& report);

 private:
  void see_request(const RayShuffler& model, std::size_t warp, bool with_report);
  void see_stage(const RayShuffler& model);
  void see_decision(const RayShuffler& model);
  void see_answer(const RayShuffler& model, const RayControl& control);
  void see_row(const RayShuffler& model, std::size_t row);
  void see_report(const RayShuffler& model, const Report& report);
  void see_states(const RayShuffler& model, const Report& report);

  CoverageBins& bins_;
  // The first bins of groups of bins.
  std::size_t answers_, controls_, reports_, stages_;

  std::optional<std::size_t> had_;       // row of the warp of the last rdctrl when it asked
  bool expected_ = false;                // it had none, and the block expected an answer other than a stall
  std::optional<std::size_t> reported_;  // row of the last report, while nothing has happened since
  bool rays_ended_ = false;              // some lane has reported that there is nothing to fetch
  bool took_control_ = false;            // the block took an rdctrl or a report in the last cycle, or was ready to
  bool took_report_ = false;
};

}  // namespace reconverge
