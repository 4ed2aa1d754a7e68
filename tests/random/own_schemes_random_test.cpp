// SPDX-License-Identifier: Apache-2.0
// Schemes that exist only in tests, on random programs.

#include <catch2/catch.hpp>

#include "testbenches/contract/agreement.hpp"
#include "tests/contract/own_kinds.hpp"
#include "tests/contract/remembering_scheme.hpp"
#include "tests/contract/switching_scheme.hpp"

namespace reconverge {
namespace {

void check_programs(const SchemeKind& own) {
  const std::vector<const SchemeKind*> kinds = contract::kinds_with(own);
  random_programs::Reached reached;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const auto failure = random_programs::check(random_programs::generate(seed), reached, {},
                                                {.names = std::span(&own.part.name, 1), .kinds = kinds});
    INFO("seed " << seed << (failure ? failure->machine + ": " + failure->text : ""));
    CHECK_FALSE(failure.has_value());
  }
}

}  // namespace

TEST_CASE("switching subwarps agree on random programs", "[random]") {
  check_programs(contract::switching_scheme(GENERATE(DependencyTracking::thread, DependencyTracking::counted)));
}

TEST_CASE("stacks in memory agree on random programs", "[random]") { check_programs(contract::remembering_scheme()); }

}  // namespace reconverge
