// SPDX-License-Identifier: Apache-2.0
// Random programs on machines with only guards: they leave the memory that the scalar interpreter leaves, no thread
// uses a stale program counter, and every cycle has a cause, with every combination of options for cutting a kernel
// into passes. RECONVERGE_RANDOM_PASSES is the number of programs (100); each takes a few of the combinations, so that
// all are used after some programs.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <optional>

#include "testbenches/contract/agreement.hpp"
#include "testbenches/contract/pass_ways.hpp"
#include "testbenches/random/alone.hpp"
#include "tests/repetition.hpp"

namespace reconverge {

TEST_CASE("random programs leave the same memory on a machine with only guards", "[random]") {
  const std::uint64_t count = tests::from_environment("RECONVERGE_RANDOM_PASSES", 100);
  constexpr std::uint64_t ways_a_seed = 3;
  std::uint64_t run = 0;
  std::uint64_t loops = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const auto alone = random_programs::without_company(random_programs::generate(seed));
    const bool atomics = seed % 2 != 0;
    const auto program = atomics ? alone : random_programs::without_atomics(alone);
    const contract::Case test_case = random_programs::case_of(program);
    const contract::Outcome expected = contract::run_scalar(test_case, 2'000'000);
    for (std::uint64_t i = 0; i < ways_a_seed; ++i) {
      const std::uint64_t way = (seed * ways_a_seed + i) * 29 % contract::pass_ways;
      INFO(fmt::format("seed {}, way {}", seed, way));
      MultiPassParameters parameters = contract::pass_parameters(way, seed);
      parameters.atomics = atomics;
      const contract::TimedOutcome outcome = contract::run_passes(test_case, parameters);
      CHECK_THAT(contract::difference(expected.memory, outcome.memory), Catch::Equals(""));
      const auto& counts = outcome.totals.of<MultiPassStatistics>();
      CHECK(counts.threads == test_case.threads());
      CHECK(counts.stale == 0);
      // Kernels in several passes repeat operations.
      if (parameters.partition.outputs == 64) CHECK(outcome.thread_instructions == expected.thread_instructions);
      loops += counts.completed > 8 * counts.threads ? 1 : 0;
      ++run;
    }
  }
  CHECK(loops > run / 4);
}

}  // namespace reconverge
