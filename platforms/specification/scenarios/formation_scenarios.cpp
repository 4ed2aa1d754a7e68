// SPDX-License-Identifier: Apache-2.0
#include "cosim/dynamic_microkernel_pins.hpp"
#include "models/core/elaborate.hpp"
#include "models/core/simulation_context.hpp"
#include "models/cosim/dynamic_microkernel/formation_pins.hpp"
#include "platforms/specification/scenarios/scenarios.hpp"

namespace reconverge::specification {

namespace {

using OfBlock = Scenario<FormationPorts>;

/// Warp formation with a spawn LUT of three lines and twelve parts of the formation area.
class SmallFormation : private SimulationContext {
 public:
  SmallFormation()
      : pins_("formation", 3, 2,
              [](std::uint32_t /*regions*/) { return std::make_unique<Lines>(FormationPorts::Shape{parts}); }),
        scheduler_("scheduler") {
    scheduler_.full_warps.bind(pins_.full_warps());
    scheduler_.partial_warps.bind(pins_.partial_warps());
    elaborate();
    pins_.begin(0, std::uint64_t{parts} * warp_size);
    step();
  }

  const Recording<FormationPorts>& recording() { return pins_.partner(); }

  void step() { pins_.step(); }
  /// A cycle with a spawn, which issues unless it stalls.
  void spawn(kernel::Pc pc, LaneMask lanes) {
    if (pins_.offer(pc, lanes).stall == Formation::Stall::none) pins_.create(pc, lanes);
    step();
  }
  /// A cycle in which a scheduler takes a full warp.
  void pop() {
    ask(scheduler_.full_warps, WarpPop{});
    step();
  }

 private:
  using Lines = Recording<FormationPorts>;
  static constexpr std::uint32_t parts = 12;

  struct Scheduler : sc_core::sc_module {
    ControlInitiatorSocket<Scheduler, WarpPop> full_warps;
    ControlInitiatorSocket<Scheduler, PartialWarp> partial_warps;

    explicit Scheduler(sc_core::sc_module_name name)
        : sc_module(name), full_warps("full_warps"), partial_warps("partial_warps") {}
  };

  FormationPins<Lines> pins_;
  Scheduler scheduler_;
};

OfBlock scenario(SmallFormation& formation, std::string name, std::string title, std::vector<PortView> views) {
  OfBlock made{std::move(name), std::move(title), formation.recording(), {}, 0};
  made.signals = signals_of<FormationPorts, FormationRtlPins>(made.recording.shape(), std::move(views));
  return made;
}

std::vector<PortView> with_spawn(std::vector<PortView> others) {
  std::vector<PortView> views{{"spawn_valid_i"},
                              {"spawn_commit_i"},
                              {"spawn_pc_i", "spawn_valid_i"},
                              {"spawn_lanes_i", "spawn_valid_i"},
                              {"spawn_stall_o", "spawn_valid_i", {"none", "area", "FIFO"}}};
  views.insert(views.end(), others.begin(), others.end());
  return views;
}

/// 20 threads, then 16 threads: twelve complete the warp, and four begin the next.
OfBlock fills_a_warp() {
  SmallFormation formation;
  formation.spawn(0x40, 0x000f'ffff);
  formation.spawn(0x40, 0xffff'0000);
  formation.step();
  formation.pop();
  formation.step();
  return scenario(formation, "spawn_fills_a_warp",
                  "A spawn of 16 threads completes a warp of 32, and four threads begin the next",
                  with_spawn({{"spawn_completes_o", "spawn_valid_i", {"no", "yes"}},
                              {"spawn_address_o", "spawn_valid_i", {}, 16},
                              {"spawn_address_o", "spawn_valid_i", {}, 31},
                              {"full_valid_o"},
                              {"full_pc_o", "full_valid_o"},
                              {"full_region_o", "full_valid_o"},
                              {"pop_i"},
                              {"partial_valid_o"},
                              {"partial_threads_o", "partial_valid_o"}}));
}

/// Four micro-kernels and three lines, which stay with their micro-kernels: the fourth gets none.
OfBlock lut_overflow() {
  SmallFormation formation;
  formation.spawn(0x40, 0xff);
  formation.spawn(0x80, 0xff);
  formation.spawn(0xc0, 0xff);
  formation.spawn(0x100, 0xff);
  formation.spawn(0x80, 0xff);
  formation.spawn(0x100, 0xff);
  formation.step();
  return scenario(formation, "lut_overflow",
                  "All lines of the spawn LUT are in use: a spawn at a fourth micro-kernel stalls, the others go on",
                  with_spawn({{"partial_valid_o"},
                              {"partial_pc_o", "partial_valid_o"},
                              {"partial_region_o", "partial_valid_o"},
                              {"partial_threads_o", "partial_valid_o"}}));
}

}  // namespace

std::vector<OfBlock> formation_scenarios() { return {fills_a_warp(), lut_overflow()}; }

}  // namespace reconverge::specification
