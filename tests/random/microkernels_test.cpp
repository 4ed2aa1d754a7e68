// SPDX-License-Identifier: Apache-2.0
// Micro-kernels made from random programs, on the timed GPU that supports them: they leave the program's memory, no
// thread is lost or run twice, and, if threads do not look at each other, they execute as many thread instructions as
// the scalar interpreter. RECONVERGE_RANDOM_MICROKERNELS is the number of programs (120), which cycle through shapes of
// the GPU and, two at a time, through the modes of the pass.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <optional>

#include "testbenches/contract/agreement.hpp"
#include "testbenches/contract/spawning_programs.hpp"
#include "testbenches/random/alone.hpp"
#include "tests/repetition.hpp"

namespace reconverge {

TEST_CASE("random programs leave the same memory as their micro-kernels on the timed GPU", "[random]") {
  const std::uint64_t count = tests::from_environment("RECONVERGE_RANDOM_MICROKERNELS", 120);
  const auto shapes = contract::shapes();
  const auto ways = random_programs::spawning_ways();
  std::uint64_t run = 0;
  std::uint64_t threads = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const auto program = random_programs::without_company(random_programs::generate(seed));
    const contract::Case original = random_programs::case_of(program);
    std::optional<contract::Outcome> expected;
    for (std::size_t way = seed % 3; way < ways.size(); way += 3) {
      const auto made = random_programs::spawning_case(program, original, ways[way]);
      if (!made) continue;
      if (!expected) expected = contract::run_scalar(original, 2'000'000);
      INFO(fmt::format("seed {}, way {}", seed, way));
      const GpuParameters parameters = random_programs::parameters_of(*made, shapes[seed % shapes.size()]);
      CHECK(random_programs::breaches_of_spawning(*made, *expected, parameters, threads) == std::vector<std::string>());
      ++run;
    }
  }
  CHECK(run > count / 2);
  CHECK(threads > 100 * run);
}

}  // namespace reconverge
