// SPDX-License-Identifier: Apache-2.0
/// The RTL of subwarp schedulers in lock step with their model: every output of every cycle, under random warps that
/// reach every case that matters. RECONVERGE_SEED=N runs the seeds from N on instead; RECONVERGE_CYCLES=N runs N cycles
/// of each configuration and seed.

#include <VSubwarps.h>
#include <VSubwarpsSmall.h>
#include <VSubwarpsTwo.h>
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "models/cosim/subwarp_interleaving/bench/lock_step.hpp"
#include "platforms/specification/scenarios/scenarios.hpp"
#include "tests/cosim/replayed_scenarios.hpp"
#include "tests/cosim/seeds.hpp"

using namespace reconverge;

namespace {

constexpr const char* cycles_variable = "RECONVERGE_CYCLES";

template <typename Class>
void run(const SubwarpTrafficShape& shape, std::uint32_t seed, std::uint64_t cycles, SubwarpCoverage& coverage) {
  using Seen = SeenSubwarps<Class>;
  SubwarpTraffic<Seen> traffic(shape, seed, [&] {
    return std::make_unique<Seen>(SubwarpPorts::Shape{shape.warps, shape.entries});
  });
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    traffic.cycle();
    const Seen& seen = traffic.pins().partner();
    coverage.cycle(traffic.pins().model(), seen.seen_inputs, seen.seen_outputs);
  }
}

template <typename Class>
void check(SubwarpTrafficShape shape, std::uint64_t cycles, SubwarpCoverage& coverage) {
  constexpr std::uint32_t seeds = 6;  // two for each trigger
  cycles = tests::from_environment(cycles_variable, cycles);
  const std::string name = fmt::format("subwarps_{}_{}", shape.warps, shape.entries);
  const std::string ran = tests::run_seeds(seeds, name, [&](std::uint32_t seed) {
    shape.trigger = static_cast<SelectTrigger>(seed % 3);
    run<Class>(shape, seed, cycles, coverage);
  });
  fmt::print("subwarp scheduler, {} warps of {} entries: {} cycles compared, {}\n", shape.warps, shape.entries,
             seeds * cycles, ran);
}

}  // namespace

TEST_CASE("RTL and model of subwarp schedulers agree in every cycle and every covered case") {
  SubwarpCoverage coverage;
  check<VSubwarps>({}, 50'000, coverage);
  check<VSubwarpsSmall>({.warps = 3, .entries = 6}, 60'000, coverage);
  check<VSubwarpsTwo>({.entries = 2}, 60'000, coverage);
  fmt::print("{}", coverage.text());
  CHECK(coverage.empty_bins() == std::vector<std::string>{});
}

TEST_CASE("the RTL of subwarp schedulers agrees with the timing diagrams of its page") {
  tests::replay<SubwarpPorts, VSubwarps>(specification::subwarp_scenarios());
}
