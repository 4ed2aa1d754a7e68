// SPDX-License-Identifier: Apache-2.0
// Random traffic of warps and rays, for both implementations.

#include "models/cosim/dynamic_ray_shuffling/traffic/traffic.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <random>
#include <type_traits>
#include <vector>

#include "models/schemes/dynamic_ray_shuffling/ideal_shuffler.hpp"
#include "tests/repetition.hpp"

using namespace reconverge;

namespace {

struct Shape {
  TrafficShape warps;
  std::uint64_t backup_rows, swap_buffers, ray_registers;
  TrafficChances chances;
};

DynamicRayShufflingParameters parameters_of(const Shape& shape) {
  DynamicRayShufflingParameters parameters;
  parameters.backup_rows = shape.backup_rows;
  parameters.swap_buffers = shape.swap_buffers;
  parameters.ray_registers = shape.ray_registers;
  return parameters;
}

template <typename Shuffler>
void run_to_the_end(Traffic<Shuffler>& traffic) {
  for (std::uint64_t cycle = 0; !traffic.done(); ++cycle) {
    if (cycle == 6'000'000) FAIL("the traffic does not end");
    traffic.cycle();
  }
  CHECK(traffic.sound);
  CHECK(traffic.mixed_runs == 0);
  for (std::size_t row = 0; row < traffic.shuffler.rows(); ++row) CHECK(traffic.shuffler.table().rays(row) == 0);
}

template <typename Shuffler>
void check_traffic(const Shape& shape) {
  for (std::uint32_t seed = 1; seed <= (tests::short_form() ? 1 : 3); ++seed) {
    const bool large = shape.warps.warps > 10;
    CAPTURE(shape.warps.warps, shape.warps.width, shape.ray_registers, seed);
    const unsigned rays = (large ? 30'000 : 3'000) / (tests::short_form() ? 5 : 1);
    Traffic<Shuffler> traffic(parameters_of(shape), shape.warps, rays, seed, shape.chances);
    run_to_the_end(traffic);
    CHECK(traffic.fetched == rays);
    const DynamicRayShufflingStatistics& counted = traffic.shuffler.statistics();
    CHECK(counted.kept_rows + counted.renamings == traffic.uniform_runs);
    CHECK(counted.exits == shape.warps.warps);
    CHECK(counted.control_reads == counted.kept_rows + counted.renamings + counted.stalls + counted.exits);
    CHECK(counted.swaps > 0);
    CHECK(counted.register_reads == counted.register_writes);
    CHECK(counted.register_reads % shape.ray_registers == 0);
    CHECK(counted.swap_cycles >= counted.register_reads);
    // Lanes become empty only while the last rays are traced.
    if (large) CHECK(traffic.incomplete_runs < traffic.uniform_runs / 4);
  }
}

/// Counts the choices in which a unit restarts in another row, because other rays could not leave its special row.
template <typename Shuffler>
class Restarts {
 public:
  void see(const Shuffler& shuffler) {
    const ShuffleControl& control = shuffler.shuffle_control();
    if (control.stage() != ShuffleControl::Stage::weigh || control.unit() == ShuffleUnit::eject_inner) return;
    const auto special = control.special_row(control.unit());
    // Only a restart takes rays out of the row in which the unit collects.
    if (special && control.choice().source == special) ++count;
  }
  unsigned count = 0;
};

/// The visible state of the block.
struct Seen {
  std::vector<RayStates> table;
  std::vector<std::optional<std::size_t>> rows;
  std::array<std::optional<std::size_t>, shuffle_units> special;
  bool takes_control, takes_report, has_answer, idle;
  std::optional<RayControl::Answer> answer;
  std::optional<RegisterAccess> read, write;
  DynamicRayShufflingStatistics statistics;

  bool operator==(const Seen&) const = default;
};

template <typename Shuffler>
Seen look(Shuffler& shuffler, std::size_t warps) {
  Seen seen{};
  for (std::size_t row = 0; row < shuffler.rows(); ++row) seen.table.push_back(shuffler.table()[row]);
  for (std::size_t warp = 0; warp < warps; ++warp) seen.rows.push_back(shuffler.renaming().row_of(warp));
  if constexpr (std::is_base_of_v<RayShuffler, Shuffler>) {
    for (std::size_t unit = 0; unit < shuffle_units; ++unit) {
      seen.special.at(unit) = shuffler.shuffle_control().special_row(static_cast<ShuffleUnit>(unit));
    }
  }
  seen.takes_control = shuffler.takes_control();
  seen.takes_report = shuffler.takes_report();
  seen.has_answer = shuffler.has_answer();
  seen.idle = shuffler.idle();
  if (shuffler.answer()) seen.answer = shuffler.answer()->answer;
  seen.read = shuffler.read();
  seen.write = shuffler.write();
  seen.statistics = shuffler.statistics();
  return seen;
}

/// Warps that report and ask at random, and a register file that grants at random.
class RandomWarps {
 public:
  RandomWarps(std::size_t warps, std::uint32_t seed) : warps_(warps), random_(seed) {}

  template <typename Shuffler>
  void cycle(Shuffler& shuffler) {
    if (shuffler.answer()) asked_.reset();
    if (shuffler.takes_report() && random_() % 4 == 0) {
      const std::size_t warp = random_() % warps_;
      const auto state = static_cast<RayState>(random_() % 16 == 0 ? 0 : 1 + random_() % 3);
      const auto lanes = static_cast<LaneMask>(random_());
      if (warp != asked_ && shuffler.row_of(warp)) shuffler.report(warp, lanes, uniform_row(state));
    }
    if (shuffler.takes_control() && random_() % 4 == 0) shuffler.control(*(asked_ = random_() % warps_));
    const RegisterGrants allowed{random_() % 4 != 0, random_() % 4 != 0};
    shuffler.step(grants_for(shuffler, allowed));
  }

 private:
  std::size_t warps_;
  std::mt19937 random_;
  std::optional<std::size_t> asked_;
};

/// The visible state in the first cycles of a launch. Statistics count over launches; only the launch's swap cycles are
/// included.
template <typename Shuffler>
std::vector<Seen> first_cycles(Shuffler& shuffler, std::size_t warps) {
  std::vector<Seen> cycles;
  RandomWarps random(warps, 1);
  const std::uint64_t swapped = shuffler.statistics().swap_cycles;
  while (cycles.size() < 600) {
    cycles.push_back(look(shuffler, warps));
    cycles.back().statistics = {};
    cycles.back().statistics.swap_cycles = shuffler.statistics().swap_cycles - swapped;
    random.cycle(shuffler);
  }
  return cycles;
}

template <typename Shuffler>
void interrupt_launches() {
  constexpr std::size_t warps = 3;
  Alone<Shuffler> shuffler({}, warps, 8);
  const std::vector<Seen> first = first_cycles<Shuffler>(shuffler, warps);
  REQUIRE(first.back().table != first.front().table);
  for (unsigned interrupted = 0; interrupted < 500; ++interrupted) {
    CAPTURE(interrupted);
    RandomWarps random(warps, 2 + interrupted);
    for (unsigned cycle = 0; cycle < interrupted; ++cycle) random.cycle<Shuffler>(shuffler);
    shuffler.begin(warps, 8);
    REQUIRE((first_cycles<Shuffler>(shuffler, warps) == first));
    shuffler.begin(warps, 8);
  }
}

}  // namespace

TEST_CASE("Under random traffic no warp runs a mixed row, no ray is lost or copied, and all ends") {
  const std::vector<Shape> shapes{
      {{58, 32}, 1, 6, 17, {.granted = 0.7}},
      {{60, 32}, 8, 18, 17, {.granted = 0.9, .impatient = 0.1, .split = 0.2}},
      {{1, 32}, 1, 6, 17, {.granted = 1}},
      {{2, 8}, 1, 6, 17, {.granted = 0.5, .impatient = 0.5}},
      {{3, 2}, 2, 9, 17, {.granted = 0.3, .split = 0.5}},
      // A swap of one register ends before the table shows it.
      {{8, 8}, 1, 6, 1, {.granted = 1, .impatient = 0.5, .split = 0.5}},
  };
  for (const Shape& shape : shapes) check_traffic<RayShuffler>(shape);
}

TEST_CASE("Ideal shuffling is sound under random traffic, and all warps end") {
  check_traffic<IdealShuffler>({{58, 32}, 1, 6, 17, {}});
  check_traffic<IdealShuffler>({{60, 32}, 8, 6, 17, {.impatient = 0.1, .split = 0.2}});
  check_traffic<IdealShuffler>({{1, 32}, 1, 6, 17, {}});
  check_traffic<IdealShuffler>({{2, 8}, 1, 6, 17, {.split = 0.5}});
  check_traffic<IdealShuffler>({{3, 2}, 2, 6, 17, {.impatient = 0.5}});
}

TEST_CASE("Few rays end too without further rays in the same state") {
  // In some of these runs no warp has a row, and a special row is the only row with rays of its state, but also has
  // other rays.
  unsigned restarted = 0;
  for (std::uint32_t seed = 1; restarted < 3; ++seed) {
    REQUIRE(seed < 10'000);
    CAPTURE(seed);
    Traffic<RayShuffler> traffic({}, {1 + seed % 2, 32}, 60 + seed % 140, seed, {.granted = 0.9});
    Restarts<RayShuffler> restarts;
    for (unsigned cycle = 0; cycle < 400'000 && !traffic.done(); ++cycle) {
      traffic.cycle();
      restarts.see(traffic.shuffler);
    }
    CHECK(traffic.done());
    CHECK(traffic.sound);
    CHECK(traffic.mixed_runs == 0);
    restarted += restarts.count;
  }
}

TEST_CASE("The block's state does not change while the block is idle") {
  unsigned idle = 0;
  for (const std::size_t warps : {1U, 2U, 4U}) {
    Traffic<RayShuffler> traffic({}, {warps, 8}, 500, 1, {.granted = 0.8, .wild = 0.2, .split = 0.3});
    while (!traffic.done()) {
      traffic.cycle();
      if (!traffic.shuffler.idle()) continue;
      ++idle;
      const Seen seen = look(traffic.shuffler, warps);
      for (int cycle = 0; cycle < 100; ++cycle) traffic.shuffler.step({});
      REQUIRE(look(traffic.shuffler, warps) == seen);
    }
    CHECK(traffic.sound);
  }
  CHECK(idle > 1000);
}

TEST_CASE("A launch begins like the first, at whatever cycle it interrupts another") {
  SECTION("pipelined") { interrupt_launches<RayShuffler>(); }
  SECTION("ideal") { interrupt_launches<IdealShuffler>(); }
}
