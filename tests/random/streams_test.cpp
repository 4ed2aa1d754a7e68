// SPDX-License-Identifier: Apache-2.0
// Random programs on stream processors: they leave the memory that the scalar interpreter leaves, and every cycle has a
// cause, with every combination of options for making a streaming graph. RECONVERGE_RANDOM_STREAMS is the number of
// programs (150); each takes a few of the combinations, so that all are used after some programs.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <optional>

#include "models/core/error.hpp"
#include "testbenches/contract/agreement.hpp"
#include "testbenches/contract/stream_ways.hpp"
#include "testbenches/random/alone.hpp"
#include "tests/repetition.hpp"

namespace reconverge {

TEST_CASE("random programs leave the same memory on a stream processor", "[random]") {
  const std::uint64_t count = tests::from_environment("RECONVERGE_RANDOM_STREAMS", 150);
  constexpr std::uint64_t ways_a_seed = 4;
  std::uint64_t run = 0;
  std::uint64_t refused = 0;
  std::uint64_t loops = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const auto alone = random_programs::without_company(random_programs::generate(seed));
    const bool atomics = seed % 2 != 0;
    const auto program = atomics ? alone : random_programs::without_atomics(alone);
    const contract::Case test_case = random_programs::case_of(program);
    std::optional<contract::Outcome> expected;
    for (std::uint64_t i = 0; i < ways_a_seed; ++i) {
      const std::uint64_t way = (seed * ways_a_seed + i) * 41 % contract::stream_ways;
      INFO(fmt::format("seed {}, way {}", seed, way));
      StreamProcessorParameters parameters = contract::stream_parameters(way, seed);
      parameters.atomics = atomics;
      std::optional<contract::TimedOutcome> outcome;
      try {
        outcome = contract::run_streams(test_case, parameters);
      } catch (const ParameterError&) {
        ++refused;  // records that are too large, or more outputs than registers
        continue;
      }
      if (!expected) expected = contract::run_scalar(test_case, 2'000'000);
      CHECK_THAT(contract::difference(expected->memory, outcome->memory), Catch::Equals(""));
      CHECK(outcome->thread_instructions == expected->thread_instructions);
      const auto& counts = outcome->totals.of<StreamProcessorStatistics>();
      CHECK(counts.threads == test_case.threads());
      loops += counts.records > 2 * counts.threads ? 1 : 0;
      ++run;
    }
  }
  CHECK(run > 3 * refused);
  CHECK(loops > run / 4);
}

}  // namespace reconverge
