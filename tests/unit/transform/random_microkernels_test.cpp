// SPDX-License-Identifier: Apache-2.0
// Random programs and their micro-kernels leave the same memory. Environment variables: RECONVERGE_RANDOM_PROGRAMS is
// the number of programs (400, or 20 in the short form), and RECONVERGE_RANDOM_SEED the first seed (1). The pass
// rejects programs with barriers, votes and calls; enough others must remain.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <iostream>
#include <iterator>
#include <map>

#include "models/core/error.hpp"
#include "testbenches/random/alone.hpp"
#include "tests/repetition.hpp"
#include "tests/unit/transform/spawning.hpp"

namespace reconverge::kernel::tests {
namespace {

/// Each program is transformed with three of these sets of options, so that all sets are used.
constexpr MicrokernelOptions ways[] = {{SplitAt::loops, 0, LocalArrays::state, 1, GoesOn::nowhere},
                                       {SplitAt::loops, 1, LocalArrays::global, 1, GoesOn::nowhere},
                                       {SplitAt::branches, 0, LocalArrays::state, 1, GoesOn::nowhere},
                                       {SplitAt::loops, 0, LocalArrays::global, 1, GoesOn::anywhere},
                                       {SplitAt::loops, 0, LocalArrays::state, 1, GoesOn::rounds},
                                       {SplitAt::branches, 0, LocalArrays::state, 1, GoesOn::anywhere}};

}  // namespace

TEST_CASE("random programs leave the same memory as their micro-kernels", "[random]") {
  const std::uint64_t first = reconverge::tests::from_environment("RECONVERGE_RANDOM_SEED", 1);
  const std::uint64_t count =
      reconverge::tests::from_environment("RECONVERGE_RANDOM_PROGRAMS", reconverge::tests::short_form() ? 10 : 400);
  const bool independent = GENERATE(false, true);
  std::map<std::string, unsigned> refused;
  std::uint64_t run = 0;
  unsigned failures = 0;
  for (std::uint64_t seed = first; seed < first + count && failures < 3; ++seed) {
    random_programs::Program program = random_programs::generate(seed);
    if (independent) program = random_programs::without_company(std::move(program));
    const std::string text = random_programs::text_of(program);
    ThreeBuffers launch{fmt::format("seed {}", seed),
                        "kernel",
                        program.grid,
                        program.block,
                        program.threads() * random_programs::slice_words * 4,
                        program.dynamic_shared_bytes()};
    std::vector<std::byte> expected;
    bool ran = false;
    for (std::size_t i = seed % 2; i < std::size(ways); i += 2) {
      const MicrokernelOptions& way = ways[i];
      std::string made;
      try {
        const Microkernels result = make_microkernels(text, launch.name, "kernel", way);
        made = result.text;
        launch.array_bytes = result.report.array_bytes;
      } catch (const InputError& error) {
        const std::string what = error.what();
        const std::size_t from = what.find(": ") + 2;
        ++refused[what.substr(from, what.find(';') - from)];
        continue;
      }
      if (expected.empty()) expected = memory_after(launch, text);
      ran = true;
      std::string wrong;
      try {
        wrong = difference(expected, memory_after(launch, made));
      } catch (const std::exception& error) {
        wrong = error.what();
      }
      if (wrong.empty()) continue;
      ++failures;
      FAIL_CHECK(fmt::format("seed {}, way {}: {}", seed, i, wrong));
    }
    run += ran ? 1 : 0;
  }
  if (failures == 0 && count >= 100) CHECK(run > (independent ? count / 2 : count / 50));
  std::cout << fmt::format("{} of {} programs were made of micro-kernels\n", run, count);
  for (const auto& [why, times] : refused) std::cout << fmt::format("{:6} {}\n", times, why);
}

}  // namespace reconverge::kernel::tests
