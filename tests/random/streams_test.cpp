// Random programs on stream processors: the memory that the scalar interpreter leaves, and every cycle has a cause,
// with every combination of the ways to make a streaming graph. RECONVERGE_RANDOM_STREAMS says how many programs (150);
// each takes a few of the combinations, so that all have had their turn after some.

#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <optional>

#include "models/core/error.hpp"
#include "testbenches/contract/agreement.hpp"
#include "testbenches/random/alone.hpp"

namespace reconverge {

namespace {

constexpr std::uint64_t ways = 2 * 3 * 2 * 2 * 2 * 2;

/// One of the ways, on a machine that the seed picks.
StreamProcessorParameters parameters_of(std::uint64_t way, std::uint64_t seed) {
  StreamProcessorParameters parameters;
  StreamingGraphParameters& graph = parameters.graph;
  const auto take = [&](std::uint64_t choices) {
    const std::uint64_t choice = way % choices;
    way /= choices;
    return choice;
  };
  graph.fields = take(2) == 0 ? StreamingGraphFields::live : StreamingGraphFields::shared;
  const std::uint64_t merging = take(3);
  graph.merging = merging == 0   ? StreamingGraphMerging::traffic
                  : merging == 1 ? StreamingGraphMerging::chains
                                 : StreamingGraphMerging::none;
  graph.merge_nodes = take(2) != 0;
  graph.accumulation_nodes = take(2) != 0;
  graph.in_place = take(2) != 0;
  graph.constants = take(2) == 0;
  constexpr std::array<std::uint64_t, 5> lanes = {16, 2, 32, 8, 4};
  parameters.lanes = parameters.network.ports = lanes[seed % lanes.size()];
  parameters.network.register_every = seed % 3;
  constexpr std::array<std::uint64_t, 3> words = {8192, 65536, 0};
  parameters.registers.words = words[seed / 5 % words.size()];
  parameters.registers.count = seed / 15 % 2 == 0 ? 64 : 40;
  const bool greedy = parameters.registers.words != 0 || seed % 2 == 0;
  parameters.scheduler.policy = greedy ? StreamSchedulerPolicy::greedy : StreamSchedulerPolicy::deepest_first;
  return parameters;
}

}  // namespace

TEST_CASE("random programs leave the same memory on a stream processor", "[random]") {
  const char* const wanted = std::getenv("RECONVERGE_RANDOM_STREAMS");
  const std::uint64_t count = wanted == nullptr ? 150 : std::strtoull(wanted, nullptr, 10);
  constexpr std::uint64_t ways_a_seed = 4;
  std::uint64_t run = 0;
  std::uint64_t refused = 0;
  std::uint64_t loops = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const auto program =
        random_programs::without_atomics(random_programs::without_company(random_programs::generate(seed)));
    const contract::Case test_case = random_programs::case_of(program);
    std::optional<contract::Outcome> expected;
    for (std::uint64_t i = 0; i < ways_a_seed; ++i) {
      const std::uint64_t way = (seed * ways_a_seed + i) * 41 % ways;
      INFO(fmt::format("seed {}, way {}", seed, way));
      const StreamProcessorParameters parameters = parameters_of(way, seed);
      std::optional<contract::TimedOutcome> outcome;
      try {
        outcome = contract::run_streams(test_case, parameters);
      } catch (const ParameterError&) {
        ++refused;  // records that are too large, or more outputs than registers
        continue;
      }
      if (!expected) expected = contract::run_scalar(test_case, 2'000'000);
      CHECK(contract::difference(expected->memory, outcome->memory) == std::string());
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
