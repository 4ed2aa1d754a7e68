#pragma once
/// What traffic for dynamic ray shuffling has reached: counts of the cases that matter, by name.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/dynamic_ray_shuffling/ray_shuffler.hpp"

namespace reconverge {

class RayCoverage {
 public:
  RayCoverage();

  /// Before the end of each cycle, with what the warps and the register file did in it, and after.
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
  /// Of a case that only the caller knows.
  void hit(const std::string& bin);

  /// Every bin with its count, a line each.
  std::string text() const;
  std::vector<std::string> empty_bins() const;

 private:
  struct Bin {
    std::string name;
    std::uint64_t count = 0;
  };
  /// What a unit does, as the cycle began.
  struct Unit {
    bool busy = false;
    std::optional<std::size_t> special;
    unsigned read_denied = 0;  // cycles in a row
    unsigned write_denied = 0;
    RowSet choices;  // rows that have rays of its state and that it might take them from
  };

  void hit(std::size_t bin) { ++bins_[bin].count; }
  void see_control(const RayShuffler& model, const Control& control, bool at_work);
  void see_report(const RayShuffler& model, const Report& report);
  void see_unit(const RayShuffler& model, std::size_t unit, const RegisterGrants& grants);
  void see_start(const RayShuffler& model, std::size_t unit);

  std::vector<Bin> bins_;
  std::array<Unit, shuffle_units> units_;
  RowSet loose_, uniform_, empty_, bound_, full_;  // as the cycle began
  bool rays_ended_ = false;                        // some lane has reported that there is nothing to fetch

  // Bins that belong together, from the first on.
  std::size_t answers_, reports_, together_, counts_;
  std::array<std::size_t, shuffle_units> of_unit_;
};

/// `Shuffler`: Pins, or what has a `model()` as they have.
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
