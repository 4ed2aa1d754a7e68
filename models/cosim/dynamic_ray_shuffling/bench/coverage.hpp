// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Coverage of traffic for dynamic ray shuffling: counts of the relevant cases, by name.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/cosim/dynamic_ray_shuffling/bench/swap_coverage.hpp"
#include "models/cosim/dynamic_ray_shuffling/bench/warp_coverage.hpp"

namespace reconverge {

class RayCoverage {
 public:
  RayCoverage() : warps_(bins_), swaps_(bins_) {}
  RayCoverage(const RayCoverage&) = delete;
  RayCoverage& operator=(const RayCoverage&) = delete;

  /// Before the end of each cycle, with the actions of the warps and the register file in it, and after it.
  void before(const RayShuffler& model, std::optional<std::size_t> control,
              const std::optional<WarpCoverage::Report>& report, const RegisterGrants& grants) {
    warps_.before(model, control, report);
    swaps_.before(model, grants);
  }
  void after(const RayShuffler& model, bool swap_ended) { swaps_.after(model, swap_ended); }
  /// Another block begins.
  void reset() {
    warps_.reset();
    swaps_.reset();
  }

  /// Every bin with its count, one a line.
  std::string text() const { return bins_.text(); }
  std::vector<std::string> empty_bins() const { return bins_.empty(); }

 private:
  CoverageBins bins_;
  WarpCoverage warps_;
  SwapCoverage swaps_;
};

/// `Shuffler`: Pins, or another class with a `model()`.
template <typename Shuffler>
class Covered : public Shuffler {
 public:
  using Shuffler::Shuffler;

  RayCoverage* coverage = nullptr;

  void control(std::size_t warp) {
    control_ = warp;
    Shuffler::control(warp);
  }
  void report(std::size_t warp, LaneMask lanes, const RayStates& states) {
    report_ = {warp, lanes, states};
    Shuffler::report(warp, lanes, states);
  }
  std::span<const RaySwap> step(const RegisterGrants& grants) {
    coverage->before(this->model(), control_, report_, grants);
    const auto swaps = Shuffler::step(grants);
    coverage->after(this->model(), !swaps.empty());
    control_.reset();
    report_.reset();
    return swaps;
  }

 private:
  std::optional<std::size_t> control_;
  std::optional<WarpCoverage::Report> report_;
};

}  // namespace reconverge
