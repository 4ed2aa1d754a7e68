// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Constrained random traffic for dynamic ray shuffling: for the model, and for its RTL in lock step.

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "models/cosim/dynamic_ray_shuffling/traffic/alone.hpp"

namespace reconverge {

/// The register file grants all requests.
inline constexpr RegisterGrants everything{{true, true, true}, {true, true, true}};

/// The grants in `allowed` that the units request.
template <typename Shuffler>
RegisterGrants grants_for(const Shuffler& shuffler, const RegisterGrants& allowed = everything) {
  RegisterGrants grants;
  for (std::size_t unit = 0; unit < shuffle_units; ++unit) {
    grants.read[unit] = allowed.read[unit] && shuffler.read(unit);
    grants.write[unit] = allowed.write[unit] && shuffler.write(unit);
  }
  return grants;
}

/// The warps that share the rays, and the lanes of each.
struct TrafficShape {
  std::size_t warps = 0;
  unsigned width = 0;
};

/// How often something happens, each in [0, 1].
struct TrafficChances {
  double granted = 1;  ///< an access is granted
  double alike = 0;    ///< in a report, nearly all rays of one state take the same step
  double wild = 0;     ///< a step leads to an arbitrary state or ends the ray, as no tree traversal would
};

/// Warps and their rays take random walks through the states while the register file grants at random.
template <typename Shuffler>
class Traffic {
 public:
  Traffic(const DynamicRayShufflingParameters& parameters, const TrafficShape& shape, unsigned rays, std::uint32_t seed,
          const TrafficChances& chances)
      : shuffler(parameters, shape.warps, shape.width),
        width_(shape.width),
        lanes_(shuffler.table().rays(0)),
        left_(rays),
        chances_(chances),
        random_(seed),
        busy_until_(shape.warps),
        ended_(shape.warps) {
    for (std::size_t row = 0; row < shuffler.rows(); ++row) {
      for (unsigned lane = 0; lane < width_; ++lane)
        places_.push_back({places_.size(), shuffler.table()[row].at(lane)});
    }
  }

  bool done() const {
    return std::all_of(ended_.begin(), ended_.end(), [](bool ended) { return ended; });
  }

  void cycle() {
    let_one_warp_ask();
    let_one_warp_report();
    RegisterGrants allowed;
    for (auto* side : {&allowed.read, &allowed.write}) {
      for (bool& one : *side) one = chance(chances_.granted);
    }
    for (const RaySwap& swap : shuffler.step(grants_for(shuffler, allowed))) apply(swap);
    ++now_;
    if (now_ % 1024 == 0) compare();
  }

  Alone<Shuffler> shuffler;
  std::uint64_t uniform_runs = 0;
  std::uint64_t mixed_runs = 0;
  std::uint64_t incomplete_runs = 0;
  unsigned fetched = 0;
  bool sound = true;  ///< each ray is where the table has its state, and exists once

 private:
  /// The contents of a lane's registers, and the state that its ray reported last.
  struct Place {
    std::size_t contents;
    RayState state;
  };

  bool chance(double probability) { return static_cast<double>(random_()) < probability * 4294967296.0; }
  Place& place(std::size_t row, unsigned lane) { return places_[row * width_ + lane]; }

  void compare() {
    std::vector<bool> seen(places_.size());
    for (std::size_t row = 0; row < shuffler.rows(); ++row) {
      for (unsigned lane = 0; lane < width_; ++lane) {
        const Place& one = place(row, lane);
        sound = sound && one.state == shuffler.table()[row].at(lane) && !seen[one.contents];
        seen[one.contents] = true;
      }
    }
  }

  void let_one_warp_ask() {
    const std::size_t warps = ended_.size();
    for (std::size_t i = 0; i < warps; ++i) {
      const std::size_t warp = (now_ + i) % warps;
      if (ended_[warp] || busy_until_[warp] != 0) continue;
      const RayControl control = shuffler.control(warp);
      if (control.answer == RayControl::Answer::exit) ended_[warp] = true;
      if (control.answer == RayControl::Answer::row) {
        const auto holds = [&](RayState state) { return (control.states.lanes(state) & lanes_) != 0; };
        const int states = int{holds(RayState::fetch)} + int{holds(RayState::inner)} + int{holds(RayState::leaf)};
        mixed_runs += states == 1 ? 0 : 1;
        incomplete_runs += holds(RayState::none) ? 1 : 0;
        ++uniform_runs;
        busy_until_[warp] = now_ + 1 + random_() % 60;
      }
      return;
    }
  }

  void let_one_warp_report() {
    for (std::size_t warp = 0; warp < ended_.size(); ++warp) {
      if (busy_until_[warp] == 0 || busy_until_[warp] > now_) continue;
      busy_until_[warp] = 0;
      const std::size_t row = *shuffler.renaming().row_of(warp);
      RayStates next = shuffler.table()[row];
      const LaneMask lanes = shuffler.table().rays(row);
      const bool alike = chances_.alike > 0 && chance(chances_.alike);
      std::array<RayState, 4> others{};  // by state: the next state of the last ray; none: no ray yet
      for_each_lane(lanes, [&](unsigned lane) {
        RayState& other = others.at(static_cast<std::size_t>(next.at(lane)));
        const bool follows = alike && next.at(lane) != RayState::fetch && other != RayState::none && !chance(0.03);
        other = follows ? other : step(next.at(lane));
        place(row, lane).state = other;
        next.replace(lane_bit(lane), uniform_row(place(row, lane).state));
      });
      shuffler.report(warp, lanes, next);
      return;
    }
  }

  RayState step(RayState state) {
    if (chances_.wild > 0 && chance(chances_.wild))
      return chance(0.02) ? RayState::none : static_cast<RayState>(1 + random_() % 3);
    if (state == RayState::inner) return chance(0.75) ? RayState::inner : RayState::leaf;
    if (state == RayState::leaf) return chance(0.5) ? RayState::inner : chance(0.6) ? RayState::leaf : RayState::fetch;
    if (left_ > 0) {
      --left_;
      ++fetched;
      return RayState::inner;
    }
    return RayState::none;
  }

  void apply(const RaySwap& swap) {
    const unsigned count = count_lanes(swap.source_lanes);
    // A buffer holds one lane less than a row.
    sound = sound && swap.source != swap.destination && count == count_lanes(swap.destination_lanes) && count > 0 &&
            count < width_ && !shuffler.renaming().bound().holds(swap.source) &&
            !shuffler.renaming().bound().holds(swap.destination);
    for (LaneMask from = swap.source_lanes, to = swap.destination_lanes; from != 0; from &= from - 1, to &= to - 1) {
      std::swap(place(swap.source, first_lane(from)), place(swap.destination, first_lane(to)));
    }
  }

  unsigned width_;
  LaneMask lanes_;
  unsigned left_;
  TrafficChances chances_;
  std::mt19937 random_;
  std::uint64_t now_ = 1;
  std::vector<std::uint64_t> busy_until_;
  std::vector<bool> ended_;
  std::vector<Place> places_;
};

}  // namespace reconverge
