// SPDX-License-Identifier: Apache-2.0
// What every divergence scheme must do: lose no lane, run none twice, leave memory as the scalar interpreter does,
// account for every issue slot, and behave the same in two runs.

#include <catch2/catch.hpp>

#include "testbenches/contract/kernels.hpp"
#include "testbenches/contract/suite.hpp"
#include "tests/repetition.hpp"

namespace reconverge::contract {

TEST_CASE("every scheme leaves the same memory as the scalar interpreter", "[scheme]") {
  const std::size_t number = GENERATE(range(std::size_t{0}, std::size(schemes)));
  const std::string_view scheme = schemes[number];
  const auto all = shapes();
  std::size_t turn = number;
  std::size_t kernel = number;
  // A kernel runs in these many shapes, and the next kernel and the next scheme in others.
  const std::size_t count = tests::short_form() ? 1 : tests::from_environment("RECONVERGE_CONTRACT_SHAPES", 4);
  for (const Case& test_case : cases()) {
    // In the short form each scheme runs every third kernel, and the next scheme runs others.
    if (tests::short_form() && kernel++ % 3 != 0) continue;
    const Outcome expected = run_scalar(test_case);
    for (std::size_t i = 0; i < count; ++i) {
      const Shape& shape = all[(turn + i * all.size() / count) % all.size()];
      INFO(scheme << ", " << shape.name << ": " << test_case.name);
      CHECK(breaches(test_case, expected, shape, scheme) == std::vector<std::string>());
    }
    ++turn;
  }
}

TEST_CASE("the functional machine leaves the same memory as the scalar interpreter", "[functional]") {
  for (const Case& test_case : cases()) {
    INFO(test_case.name);
    const Outcome expected = run_scalar(test_case);
    const Outcome found = run_functional(test_case);
    CHECK_THAT(difference(expected.memory, found.memory), Catch::Equals(""));
    CHECK(found.thread_instructions == expected.thread_instructions);
  }
}

}  // namespace reconverge::contract
