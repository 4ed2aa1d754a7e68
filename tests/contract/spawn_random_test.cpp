// SPDX-License-Identifier: Apache-2.0
// Random kernels that the pass splits into micro-kernels, on every shape of a machine that creates threads.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <optional>

#include "testbenches/contract/agreement.hpp"
#include "testbenches/contract/spawning_programs.hpp"
#include "testbenches/random/alone.hpp"
#include "tests/repetition.hpp"

namespace reconverge::contract {

TEST_CASE("spawn: random programs lose no thread and match the scalar interpreter on every shape", "[spawn]") {
  // Seeds other than those of tests/random. They cycle through the pass's modes.
  constexpr std::uint64_t first = 1001;
  constexpr std::uint64_t count = 24;
  const auto ways = random_programs::spawning_ways();
  std::uint64_t run = 0;
  std::uint64_t threads = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const auto program = random_programs::without_company(random_programs::generate(seed));
    const Case original = random_programs::case_of(program);
    const auto made = random_programs::spawning_case(program, original, ways[seed % ways.size()]);
    if (!made) continue;
    const Outcome expected = run_scalar(original, 2'000'000);
    // In the short form each program runs in one shape, a different one for each program.
    const auto all = shapes();
    for (const Shape& shape : tests::short_form() ? all.subspan(seed % all.size(), 1) : all) {
      INFO(fmt::format("seed {}, {}", seed, shape.name));
      const GpuParameters parameters = random_programs::parameters_of(*made, shape);
      CHECK(random_programs::breaches_of_spawning(*made, expected, parameters, threads) == std::vector<std::string>());
    }
    ++run;
  }
  CHECK(run >= count / 2);
  CHECK(threads > (tests::short_form() ? 80 : 1000) * run);
}

}  // namespace reconverge::contract
