// SPDX-License-Identifier: Apache-2.0
/// The RTL of subwarp schedulers in lock step with their model: every output of every cycle, under random warps that
/// reach every case that matters. RECONVERGE_SEED=N runs the seeds from N on instead; RECONVERGE_CYCLES=N runs N cycles
/// of each configuration and seed.

#include <VSubwarps.h>
#include <VSubwarpsSmall.h>
#include <VSubwarpsTwo.h>
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "testbenches/subwarp_interleaving/lock_step.hpp"
#include "tests/repetition.hpp"

using namespace reconverge;

namespace {

constexpr const char* seed_variable = "RECONVERGE_SEED";
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
  const auto first = static_cast<std::uint32_t>(tests::from_environment(seed_variable, 1));
  for (std::uint32_t seed = first; seed < first + seeds; ++seed) {
    INFO(seed_variable << "=" << seed);
    shape.trigger = static_cast<SelectTrigger>(seed % 3);
    try {
      run<Class>(shape, seed, cycles, coverage);
    } catch (const LockStepDifference& difference) {
      const std::string file = fmt::format("subwarps_{}_{}_{}.vcd", shape.warps, shape.entries, seed);
      std::ofstream(file) << difference.waveform();
      FAIL(difference.what() << "; waveform in " << file);
    }
  }
  fmt::print("subwarp scheduler, {} warps of {} entries: {} cycles compared, seeds {} to {}\n", shape.warps,
             shape.entries, seeds * cycles, first, first + seeds - 1);
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
