// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Random warps for a stand-alone dynamic warp formation. They begin, spawn and end in any order that the contract of
/// the ports allows.

#include <random>
#include <utility>
#include <vector>

#include "models/core/elaborate.hpp"
#include "models/core/simulation_context.hpp"
#include "models/cosim/dynamic_microkernel/formation_pins.hpp"

namespace reconverge {

struct FormationTrafficShape {
  std::size_t lut_lines = 64;
  std::size_t fifo = 64;
  std::uint32_t regions = 54;  ///< regions of the formation area
  unsigned warps = 25;         ///< most warps that run at a time
  unsigned micro_kernels = 3;
  unsigned pc_bits = 16;  ///< width of their addresses
};

/// `Partner`: as for FormationPins.
template <typename Partner>
class FormationTraffic : private SimulationContext {
 public:
  using Pins = FormationPins<Partner>;

  FormationTraffic(const FormationTrafficShape& shape, std::uint32_t seed, typename Pins::MakePartner make)
      : shape_(shape),
        random_(seed),
        pins_("formation", shape.lut_lines, shape.fifo, std::move(make)),
        scheduler_("scheduler") {
    scheduler_.full_warps.bind(pins_.full_warps());
    scheduler_.partial_warps.bind(pins_.partial_warps());
    elaborate();
    pins_.begin(0, std::uint64_t{shape.regions} * warp_size);
    while (places_.size() < shape.micro_kernels) {
      const kernel::Pc place = random_() & ((1U << shape.pc_bits) - 1);
      if (std::ranges::find(places_, place) == places_.end()) places_.push_back(place);
    }
  }

  Pins& pins() { return pins_; }

  void cycle() {
    // In some phases no warp begins and complete warps have to wait; in others hardly any warp spawns.
    if (cycle_++ % 256 == 0) {
      begins_ = chance(3, 4);
      spawns_ = chance(7, 8);
    }
    const std::size_t ran = running_.size();
    const bool forced = begins_ && begin_warp();
    if (!forced && (spawns_ || chance(1, 32))) spawn();
    end_warps(ran);
    pins_.step();
  }

 private:
  /// Takes warps from the formation.
  struct Scheduler : sc_core::sc_module {
    ControlInitiatorSocket<Scheduler, WarpPop> full_warps;
    ControlInitiatorSocket<Scheduler, PartialWarp> partial_warps;

    explicit Scheduler(sc_core::sc_module_name name)
        : sc_module(name), full_warps("full_warps"), partial_warps("partial_warps") {}
  };
  /// `warp`: none for one of the launch. `left`: threads that have not spawned.
  struct Running {
    std::optional<NewWarp> warp;
    LaneMask left = all_lanes;
  };

  bool chance(unsigned of, unsigned all) { return random_() % all < of; }

  /// Returns whether a partial warp began; no spawn may follow it in this cycle.
  bool begin_warp() {
    if (running_.size() >= shape_.warps || chance(1, 2)) return false;
    if (const auto warp = ask(scheduler_.full_warps, WarpPop{}).warp) {
      running_.push_back({warp, all_lanes});
    } else if (chance(1, 8)) {
      const auto partial = ask(scheduler_.partial_warps, PartialWarp{}).warp;
      if (!partial) return false;
      running_.push_back({partial, all_lanes >> (warp_size - partial->threads)});
      return true;
    } else if (chance(1, 4)) {
      running_.push_back({});
    }
    return false;
  }

  /// A running warp asks to spawn. Occasionally another unit refuses the instruction, and another warp may ask instead.
  void spawn() {
    for (unsigned asked = 0; asked < 2; ++asked) {
      if (running_.empty() || chance(1, 4)) return;
      Running& one = running_[random_() % running_.size()];
      const LaneMask lanes = one.left & some_lanes();
      if (lanes == 0) return;
      const kernel::Pc place = places_[random_() % places_.size()];
      const Formation::Offer offer = pins_.offer(place, lanes);
      if (offer.stall == Formation::Stall::none && !chance(1, 8)) {
        pins_.create(place, lanes);
        one.left &= ~lanes;
        return;
      }
      if (chance(1, 2)) one.left &= ~lanes;  // these lanes end instead
      if (!chance(1, 4)) return;
    }
  }

  LaneMask some_lanes() {
    const auto lanes = static_cast<LaneMask>(random_());
    switch (random_() % 4) {
      case 0:
        return lanes;
      case 1:
        return lanes & static_cast<LaneMask>(random_());
      case 2:
        return lanes | static_cast<LaneMask>(random_());
      default:
        return all_lanes >> (random_() % 4 == 0 ? random_() % warp_size : 0);
    }
  }

  /// Ends some of the warps that ran before this cycle.
  void end_warps(std::size_t ran) {
    for (std::size_t i = ran; i-- > 0;) {
      if (!(running_[i].left == 0 ? chance(3, 4) : chance(1, 64))) continue;
      if (running_[i].warp) pins_.release(*running_[i].warp);
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  FormationTrafficShape shape_;
  std::mt19937 random_;
  Pins pins_;
  Scheduler scheduler_;
  std::vector<kernel::Pc> places_;  // pcs of the micro-kernels
  std::vector<Running> running_;
  std::uint64_t cycle_ = 0;
  bool begins_ = true;
  bool spawns_ = true;
};

}  // namespace reconverge
