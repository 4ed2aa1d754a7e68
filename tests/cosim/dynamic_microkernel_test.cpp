// SPDX-License-Identifier: Apache-2.0
/// The RTL of dynamic warp formation in lock step with its model: every output of every cycle, under random spawns that
/// reach every case that matters. RECONVERGE_SEED=N runs the seeds from N on instead.

#include <VFormation.h>
#include <VFormationSmall.h>
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "models/cosim/dynamic_microkernel/bench/lock_step.hpp"
#include "platforms/specification/scenarios/scenarios.hpp"
#include "tests/cosim/replayed_scenarios.hpp"
#include "tests/cosim/seeds.hpp"

using namespace reconverge;

namespace {

/// `regions`: the least number of regions of the RTL.
template <typename Class>
void run(const FormationTrafficShape& shape, std::uint32_t regions, std::uint32_t seed, std::uint64_t cycles,
         FormationCoverage& coverage) {
  using Covered = CoveredFormation<Class>;
  FormationTraffic<Covered> traffic(shape, seed, [&](std::uint32_t /*parts*/) {
    return std::make_unique<Covered>(FormationPorts::Shape{regions}, coverage);
  });
  coverage.look(traffic.pins().model());
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    traffic.cycle();
    coverage.look(traffic.pins().model());
  }
}

template <typename Class>
void check(FormationTrafficShape shape, std::uint64_t cycles, FormationCoverage& coverage) {
  constexpr std::uint32_t seeds = 8;
  const std::uint32_t regions = shape.regions;
  const std::string name = fmt::format("formation_{}", regions);
  const std::string ran = tests::run_seeds(seeds, name, [&](std::uint32_t seed) {
    // Areas of the RTL's size, and smaller ones.
    shape.regions = regions - seed % 4 * regions / 4;
    run<Class>(shape, regions, seed, cycles, coverage);
  });
  fmt::print("dynamic warp formation, {} lines, a FIFO of {}, {} parts: {} cycles compared, {}\n", shape.lut_lines,
             shape.fifo, regions, seeds * cycles, ran);
}

}  // namespace

TEST_CASE("RTL and model of dynamic warp formation agree in every cycle and every covered case") {
  FormationCoverage coverage;
  check<VFormation>({}, 50'000, coverage);
  check<VFormation>({.warps = 40, .micro_kernels = 40}, 10'000, coverage);
  check<VFormationSmall>({.lut_lines = 3, .fifo = 2, .regions = 12, .warps = 8, .micro_kernels = 3}, 50'000, coverage);
  check<VFormationSmall>({.lut_lines = 3, .fifo = 2, .regions = 12, .warps = 8, .micro_kernels = 4}, 50'000, coverage);
  fmt::print("{}", coverage.text());
  CHECK(coverage.empty_bins() == std::vector<std::string>{});
}

TEST_CASE("the RTL of dynamic warp formation agrees with the timing diagrams of its page") {
  tests::replay<FormationPorts, VFormationSmall>(specification::formation_scenarios());
}
