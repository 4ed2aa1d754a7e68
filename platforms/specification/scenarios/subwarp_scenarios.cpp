// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cosim/subwarp_interleaving_pins.hpp"
#include "models/core/elaborate.hpp"
#include "models/core/simulation_context.hpp"
#include "models/cosim/subwarp_interleaving/subwarp_pins.hpp"
#include "platforms/specification/scenarios/scenarios.hpp"

namespace reconverge::specification {

namespace {

using OfBlock = Scenario<SubwarpPorts>;

/// Eight warps of 32 threads, and the trigger `any`.
class Scheduler : private SimulationContext {
 public:
  Scheduler()
      : pins_("scheduler", 8, 32, SelectTrigger::any, [] {
          return std::make_unique<Lines>(SubwarpPorts::Shape{8, 32});
        }) {
    elaborate();
  }

  const Recording<SubwarpPorts>& recording() { return pins_.partner(); }
  SubwarpUnit& unit() { return pins_; }
  void step() { pins_.step(); }
  void set(EntryMask entries, ThreadState state) {
    pins_.set(0, entries, state);
    step();
  }
  void stall(EntryMask entries, std::uint8_t scoreboard, std::uint8_t count) {
    pins_.stall(0, entries, scoreboard, count);
    step();
  }
  void write_back(EntryMask entries, std::uint8_t scoreboard) {
    pins_.write_back(0, {0, scoreboard, entries});
    step();
  }

 private:
  using Lines = Recording<SubwarpPorts>;
  SubwarpPins<Lines> pins_;
};

/// The entries of warp 0 that are in a state.
ShownSignal<SubwarpPorts> entries_in(ThreadState state, std::string_view name) {
  return {fmt::format("{} of warp 0", name), false,
          [state](const SubwarpInputs& /*inputs*/, const SubwarpOutputs& outputs) -> std::optional<std::string> {
            EntryMask entries = all_entries(32);
            for (std::size_t bit = 0; bit < 3; ++bit) entries &= ~(outputs.states[0][bit] ^ plane_of(state, bit));
            return fmt::format("{:x}", entries);
          }};
}

OfBlock scenario(Scheduler& scheduler, std::string name, std::string title, std::vector<PortView> views) {
  OfBlock made{std::move(name), std::move(title), scheduler.recording(), {}, 0};
  made.signals = signals_of<SubwarpPorts, SubwarpRtlPins>(made.recording.shape(), std::move(views));
  made.signals.push_back(entries_in(ThreadState::active, "ACTIVE"));
  made.signals.push_back(entries_in(ThreadState::ready, "READY"));
  made.signals.push_back(entries_in(ThreadState::stalled, "STALLED"));
  return made;
}

/// Threads 0 to 15 wait for two results of scoreboard 5.
OfBlock wakeup() {
  Scheduler scheduler;
  scheduler.set(0xffff, ThreadState::active);
  scheduler.stall(0xffff, 5, 2);
  scheduler.step();
  scheduler.write_back(0xffff, 5);
  scheduler.write_back(0xff, 5);
  scheduler.write_back(0xff00, 5);
  scheduler.step();
  return scenario(scheduler, "wakeup",
                  "16 threads stall for two results each of scoreboard 5, and wake up when their counts reach zero",
                  {{"stall_i"}, {"stall_scoreboard_i"}, {"stall_counts_i"}, {"result_i"}, {"result_scoreboard_i"}});
}

/// The ACTIVE subwarp stalls, so the warp switches to the READY one.
OfBlock selection() {
  Scheduler scheduler;
  scheduler.set(0xffff'ffff, ThreadState::active);
  scheduler.set(0xffff'0000, ThreadState::ready);
  scheduler.unit().waits(0, true);
  scheduler.stall(0xffff, 5, 1);
  while (!scheduler.unit().offer()) scheduler.step();
  scheduler.unit().take(0xffff'0000);
  scheduler.unit().waits(0, false);
  scheduler.step();
  scheduler.step();
  return scenario(scheduler, "selection",
                  "The ACTIVE subwarp of warp 0 stalls, and the warp switches to its READY subwarp",
                  {{"stall_i"},
                   {"waits_i"},
                   {"offer_valid_o"},
                   {"offer_warp_o", "offer_valid_o"},
                   {"offer_leader_o", "offer_valid_o"},
                   {"take_i"},
                   {"take_peers_i", "take_i"}});
}

}  // namespace

std::vector<OfBlock> subwarp_scenarios() { return {wakeup(), selection()}; }

}  // namespace reconverge::specification
