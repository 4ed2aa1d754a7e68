// SPDX-License-Identifier: Apache-2.0
/// The RTL of dynamic ray shuffling in lock step with its model: every output of every cycle, under random traffic that
/// reaches every case that matters. RECONVERGE_SEED=N runs the seeds from N on instead.

#include <VDrsSmall.h>
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "models/cosim/dynamic_ray_shuffling/bench/coverage.hpp"
#include "platforms/specification/scenarios/scenarios.hpp"
#include "tests/cosim/lock_step_runs.hpp"
#include "tests/cosim/replayed_scenarios.hpp"
#include "tests/cosim/seeds.hpp"

using namespace reconverge;
using namespace reconverge::tests;

TEST_CASE("RTL and model of dynamic ray shuffling agree in every cycle and every covered case") {
  constexpr std::uint32_t seeds = 8;
  constexpr std::array<std::uint64_t, lock_step_configurations.size()> cycles{600'000, 600'000, 50'000, 20'000};
  RayCoverage coverage;
  for (std::size_t i = 0; i < lock_step_configurations.size(); ++i) {
    std::uint64_t compared = 0;
    INFO(lock_step_configurations.at(i).name);
    const std::string ran = run_seeds(seeds, fmt::format("difference_{}", i), [&](std::uint32_t seed) {
      compared += run_lock_step(i, seed, cycles.at(i), coverage);
    });
    fmt::print("{}: {} cycles, {}\n", lock_step_configurations.at(i).name, compared, ran);
  }
  fmt::print("{}", coverage.text());
  // Some cases are rare, and other seeds may miss one.
  if (std::getenv("RECONVERGE_SEED") == nullptr) CHECK(coverage.empty_bins() == std::vector<std::string>{});
}

TEST_CASE("the RTL of dynamic ray shuffling agrees with the timing diagrams of its page") {
  tests::replay<RayPorts, VDrsSmall>(specification::ray_scenarios());
}
