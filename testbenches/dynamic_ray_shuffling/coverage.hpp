// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Coverage of traffic for dynamic ray shuffling: counts of the relevant cases, by name.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/schemes/dynamic_ray_shuffling/ray_shuffler.hpp"

namespace reconverge {

class RayCoverage {
 public:
  RayCoverage();

  /// Before the end of each cycle, with the actions of the warps and the register file in it, and after it.
  struct Control {
    std::size_t warp;
    RayControl control;
  };
  struct Report {
    std::size_t warp;
    LaneMask lanes;
    RayStates states;
  };
  void before(const RayShuffler& model, const std::optional<Control>& control, const std::optional<Report>& report,
              const RegisterGrants& grants);
  void after(const RayShuffler& model, std::size_t swaps_ended);
  /// Another block begins.
  void reset();
  /// Counts a case that only the caller knows.
  void hit(const std::string& bin);

  /// Every bin with its count, one a line.
  std::string text() const;
  std::vector<std::string> empty_bins() const;

 private:
  struct Bin {
    std::string name;
    std::uint64_t count = 0;
  };
  /// What a unit does, at the beginning of the cycle.
  struct Unit {
    bool busy = false;
    std::optional<std::size_t> special;
    unsigned read_denied = 0;  // consecutive cycles
    unsigned write_denied = 0;
    RowSet choices;  // rows that have rays of its state and that it may take them from
  };

  void hit(std::size_t bin) { ++bins_[bin].count; }
  void see_control(const RayShuffler& model, const Control& control, bool at_work);
  void see_report(const RayShuffler& model, const Report& report);
  void see_unit(const RayShuffler& model, std::size_t unit, const RegisterGrants& grants);
  void see_start(const RayShuffler& model, std::size_t unit);

  std::vector<Bin> bins_;
  std::array<Unit, shuffle_units> units_;
  RowSet loose_, uniform_, empty_, bound_, full_;  // at the beginning of the cycle
  bool rays_ended_ = false;                        // some lane has reported that there is nothing to fetch

  // The first bins of groups of bins.
  std::size_t answers_, reports_, together_, counts_;
  std::array<std::size_t, shuffle_units> of_unit_;
};

/// `Shuffler`: Pins, or another class with a `model()`.
template <typename Shuffler>
class Covered : public Shuffler {
 public:
  using Shuffler::Shuffler;

  RayCoverage* coverage = nullptr;

  RayControl control(std::size_t warp) {
    const RayControl control = Shuffler::control(warp);
    control_ = {warp, control};
    return control;
  }
  void report(std::size_t warp, LaneMask lanes, const RayStates& states) {
    report_ = {warp, lanes, states};
    Shuffler::report(warp, lanes, states);
  }
  std::span<const RaySwap> step(const RegisterGrants& grants) {
    coverage->before(this->model(), control_, report_, grants);
    const auto swaps = Shuffler::step(grants);
    coverage->after(this->model(), swaps.size());
    control_.reset();
    report_.reset();
    return swaps;
  }

 private:
  std::optional<RayCoverage::Control> control_;
  std::optional<RayCoverage::Report> report_;
};

}  // namespace reconverge
