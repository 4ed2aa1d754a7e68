// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Constrained random traffic for dynamic ray shuffling: for the model, and for its RTL in lock step.

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "models/cosim/dynamic_ray_shuffling/traffic/alone.hpp"

namespace reconverge {

/// The register file grants all requests.
inline constexpr RegisterGrants everything{true, true};

/// The grants in `allowed` that the block requests.
template <typename Shuffler>
RegisterGrants grants_for(const Shuffler& shuffler, const RegisterGrants& allowed = everything) {
  return {allowed.read && shuffler.read(), allowed.write && shuffler.write()};
}

/// The warps that share the rays, and the lanes of each.
struct TrafficShape {
  std::size_t warps = 0;
  unsigned width = 0;
};

/// How often something happens, each in [0, 1].
struct TrafficChances {
  double granted = 1;    ///< an access is granted
  double alike = 0;      ///< in a report, nearly all rays of one state take the same step
  double wild = 0;       ///< a step leads to an arbitrary state or ends the ray, as no tree traversal would
  double impatient = 0;  ///< in a cycle, warps that stalled ask although the block expects another stall
  double split = 0;      ///< a warp reports its rays in parts, as a diverged warp does
};

/// Warps and their rays take random walks through the states while the register file grants at random.
template <typename Shuffler>
class Traffic {
 public:
  Traffic(const DynamicRayShufflingParameters& parameters, const TrafficShape& shape, unsigned rays, std::uint32_t seed,
          const TrafficChances& chances)
      : shuffler(parameters, shape.warps, shape.width),
        width_(shape.width),
        left_(rays),
        chances_(chances),
        random_(seed),
        warps_(shape.warps) {
    for (std::size_t row = 0; row < shuffler.rows(); ++row) {
      for (unsigned lane = 0; lane < width_; ++lane)
        places_.push_back({places_.size(), shuffler.table()[row].at(lane)});
    }
  }

  bool done() const {
    return std::all_of(warps_.begin(), warps_.end(), [](const Warp& warp) { return warp.ended; });
  }

  void cycle() {
    let_one_warp_ask();
    if (const std::optional<RayControl> answer = shuffler.answer()) take(*answer);
    let_one_warp_report();
    const RegisterGrants allowed{chance(chances_.granted), chance(chances_.granted)};
    const auto swaps = shuffler.step(grants_for(shuffler, allowed));
    for (const RaySwap& swap : swaps) apply(swap);
    for (const RaySwap& swap : swaps) sound = sound && table_agrees(swap.source) && table_agrees(swap.destination);
    ++now_;
    if (now_ % 256 == 0 || done()) compare();
  }

  Alone<Shuffler> shuffler;
  std::uint64_t uniform_runs = 0;
  std::uint64_t mixed_runs = 0;
  std::uint64_t incomplete_runs = 0;
  unsigned fetched = 0;
  bool sound = true;  ///< each ray exists once, where the table and the answers show its state

 private:
  /// The contents of a lane's registers, and the state that its ray reported last.
  struct Place {
    std::size_t contents;
    RayState state;
  };
  struct Warp {
    bool ended = false;
    bool asks = false;             // its rdctrl is in progress
    bool stalled = false;          // its last answer was a stall
    std::uint64_t busy_until = 0;  // 0: it executes rdctrl next
    LaneMask unreported = 0;       // rays that it has to report
  };

  bool chance(double probability) { return static_cast<double>(random_()) < probability * 4294967296.0; }
  Place& place(std::size_t row, unsigned lane) { return places_[row * width_ + lane]; }

  RayStates states_of(std::size_t row) {
    RayStates states;
    for (unsigned lane = 0; lane < width_; ++lane) {
      states.replace(lane_bit(lane), uniform_row(place(row, lane).state));
    }
    return states;
  }
  bool table_agrees(std::size_t row) { return shuffler.table()[row] == states_of(row); }

  /// Rows whose states the table may show before or after their change: a swap from its choice to its end, and a report
  /// in progress.
  RowSet changing() const {
    const RowSet bound = shuffler.renaming().bound();
    if constexpr (requires { shuffler.shuffle_control(); }) {
      return bound | shuffler.shuffle_control().swapping();
    } else {
      return bound;
    }
  }

  void compare() {
    const RowSet skipped = changing();
    std::vector<bool> seen(places_.size());
    for (std::size_t row = 0; row < shuffler.rows(); ++row) {
      sound = sound && (skipped.holds(row) || table_agrees(row));
      for (unsigned lane = 0; lane < width_; ++lane) {
        const std::size_t contents = place(row, lane).contents;
        sound = sound && !seen[contents];
        seen[contents] = true;
      }
    }
  }

  void let_one_warp_ask() {
    if (!shuffler.takes_control()) return;
    const bool all_ask = shuffler.has_answer() || (chances_.impatient > 0 && chance(chances_.impatient));
    for (std::size_t i = 0; i < warps_.size(); ++i) {
      const std::size_t number = (next_to_ask_ + i) % warps_.size();
      Warp& warp = warps_[number];
      if (warp.ended || warp.busy_until != 0 || (warp.stalled && !all_ask)) continue;
      warp.asks = true;
      next_to_ask_ = number + 1;
      return shuffler.control(number);
    }
  }

  void take(const RayControl& control) {
    const auto asking = std::find_if(warps_.begin(), warps_.end(), [](const Warp& warp) { return warp.asks; });
    asking->asks = false;
    asking->stalled = control.answer == RayControl::Answer::stall;
    asking->ended = control.answer == RayControl::Answer::exit;
    if (control.answer != RayControl::Answer::row) return;
    sound = sound && control.states == states_of(control.row);
    asking->unreported = control.states.high | control.states.low;
    asking->busy_until = now_ + 1 + random_() % 60;
    const LaneMask all = width_ == warp_size ? all_lanes : lane_bit(width_) - 1;
    const auto holds = [&](RayState state) { return (control.states.lanes(state) & all) != 0; };
    const int kinds = int{holds(RayState::fetch)} + int{holds(RayState::inner)} + int{holds(RayState::leaf)};
    mixed_runs += kinds == 1 ? 0 : 1;
    incomplete_runs += holds(RayState::none) ? 1 : 0;
    ++uniform_runs;
  }

  void let_one_warp_report() {
    if (!shuffler.takes_report()) return;
    for (std::size_t number = 0; number < warps_.size(); ++number) {
      Warp& warp = warps_[number];
      if (warp.busy_until == 0 || warp.busy_until > now_) continue;
      const bool splits = chances_.split > 0 && chance(chances_.split);
      const LaneMask part = splits ? warp.unreported & static_cast<LaneMask>(random_()) : 0;
      report(number, part != 0 ? part : warp.unreported);
      warp.unreported &= part != 0 ? ~part : 0;
      warp.busy_until = warp.unreported == 0 ? 0 : now_ + 1 + random_() % 6;
      return;
    }
  }

  void report(std::size_t warp, LaneMask lanes) {
    const std::size_t row = *shuffler.renaming().row_of(warp);
    const bool alike = chances_.alike > 0 && chance(chances_.alike);
    std::array<RayState, 4> others{};  // by state: the next state of the last ray; none: no ray yet
    for_each_lane(lanes, [&](unsigned lane) {
      RayState& state = place(row, lane).state;
      RayState& other = others.at(static_cast<std::size_t>(state));
      const bool follows = alike && state != RayState::fetch && other != RayState::none && !chance(0.03);
      other = follows ? other : step(state);
      state = other;
    });
    shuffler.report(warp, lanes, states_of(row));
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
  unsigned left_;
  TrafficChances chances_;
  std::mt19937 random_;
  std::uint64_t now_ = 1;
  std::size_t next_to_ask_ = 0;  // in turn, or some warps would never ask
  std::vector<Warp> warps_;
  std::vector<Place> places_;
};

}  // namespace reconverge
