// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The dynamic ray shuffling scheme, connected to stand-ins, with a kernel that reports and executes rdctrl.

#include <array>
#include <map>
#include <tuple>
#include <type_traits>

#include "models/schemes/dynamic_ray_shuffling/dynamic_ray_shuffling.hpp"
#include "tests/unit/sm/scheme_bench.hpp"

namespace reconverge::tests {

inline constexpr kernel::Pc rdctrl = 0;
inline constexpr kernel::Pc set_state = 1;
inline constexpr auto state_row = static_cast<std::uint16_t>(kernel::SpecialRow::extension_1);
inline constexpr Cycle control_latency = RayShuffler::least_control_latency;
inline constexpr Cycle report_latency = RayShuffler::least_report_latency;
inline constexpr LaneMask three = 0b00101010;

inline DynamicRayShufflingParameters shuffling_parameters(
    bool ideal = false, DynamicRayShufflingStacks stacks = DynamicRayShufflingStacks::home) {
  DynamicRayShufflingParameters result;
  result.stacks = stacks;
  result.ray_registers = 2;
  result.ideal = ideal;
  return result;
}

/// A block that has started, with two warps; rays have two registers.
template <typename Shuffler>
struct ShufflingBench : SchemeBench<DynamicRayShufflingBy<Shuffler>> {
  using Base = SchemeBench<DynamicRayShufflingBy<Shuffler>>;
  using Base::at, Base::live, Base::paths, Base::scheme, Base::tell;
  using Words = std::array<std::uint32_t, warp_size>;

  explicit ShufflingBench(DynamicRayShufflingStacks stacks = DynamicRayShufflingStacks::home)
      : Base("rdctrl.b32 %r1, {%r2, %r3};\nmov.u32 %ray_state, %r1;\nadd.u32 %r2, %r2, %r3;",
             shuffling_parameters(std::is_same_v<Shuffler, IdealShuffler>, stacks), std::size_t{2}) {
    for (const std::uint32_t slot : {0U, 1U}) paths[slot] = {0, live[slot] = all_lanes, kernel::no_pc};
    this->rows.serve = [this](RowRequest& request) {
      Words& words = registers[{request.slot, request.bank, request.row}];
      if (request.write == 0) request.words = words;
      for_each_lane(request.write, [&](unsigned lane) { words[lane] = request.words[lane]; });
    };
    this->bank.serve = [](BankRequest& request) { request.granted = true; };
    run_until_idle();
  }

  SchemeRequest ask(std::uint32_t slot, kernel::Pc pc = rdctrl) {
    at(slot, pc);
    return tell(SchemeEvent::ask, slot, all_lanes, now);
  }
  /// The warp asks at rdctrl, again when it is due, and issues rdctrl when allowed. Ends the cycle. Returns `wait` if
  /// the warp gets no row.
  SchemeAnswer control(std::uint32_t slot) {
    for (unsigned asked = 0; asked < 100; ++asked) {
      const SchemeRequest answered = ask(slot);
      if (answered.answer == SchemeAnswer::keep) tell(SchemeEvent::issued, slot, all_lanes, now);
      end_cycle();
      if (answered.answer == SchemeAnswer::keep || answered.until == never) return answered.answer;
      end_until(answered.until);
    }
    FAIL("the warp gets no answer");
    return SchemeAnswer::wait;
  }
  /// Lanes of the warp report that their rays are in this state.
  void report(std::uint32_t slot, LaneMask lanes, RayState state) {
    for (unsigned cycle = 0; ask(slot, set_state).answer != SchemeAnswer::keep; ++cycle) {
      REQUIRE(cycle < 100);
      end_cycle();
    }
    registers[{slot, kernel::Bank::special, state_row}].fill(static_cast<std::uint32_t>(state));
    tell(SchemeEvent::issued, slot, lanes, now);
    end_cycle();
  }
  void end_cycle() { scheme.tick(now++); }
  void end_until(Cycle cycle) {
    while (now < cycle) end_cycle();
  }
  void run_until_idle() {
    for (unsigned cycle = 0; cycle < 1000 && scheme.next_event() < never; ++cycle) end_cycle();
    REQUIRE(scheme.next_event() == never);
  }
  /// The words of a ray register of a warp slot.
  Words& ray_register(std::uint32_t slot, std::size_t number) {
    return registers[{slot, kernel::Bank::reg, this->program.extension_registers[number]}];
  }
  /// Both warps trace their rays to inner nodes; then three rays of the second warp reach leaves.
  void part_the_second() {
    for (const std::uint32_t slot : {0U, 1U}) {
      REQUIRE(control(slot) == SchemeAnswer::keep);
      report(slot, all_lanes, RayState::inner);
    }
    report(1, three, RayState::leaf);
  }

  /// Makes the rows of both warps mixed. The second warp's row and a row without a warp have 31 inner, 23 leaf and 10
  /// fetch rays together, so no state fills a row. The first warp has five leaf and 27 inner rays.
  void mix_all_rows() {
    part_the_second();
    REQUIRE(control(1) == SchemeAnswer::keep);
    report(1, 0b11, RayState::inner);
    report(1, (LaneMask{1} << 22U) - 4, RayState::leaf);
    report(0, 0b11111, RayState::leaf);
    run_until_idle();
  }
  DynamicRayShufflingStatistics statistics() const { return scheme.statistics(); }

  std::map<std::tuple<std::uint32_t, kernel::Bank, std::uint16_t>, Words> registers;
  Cycle now = 0;
};

}  // namespace reconverge::tests
