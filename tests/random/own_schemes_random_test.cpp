// Schemes that only tests have, on random programs.

#include <catch2/catch.hpp>

#include "tests/contract/own_kinds.hpp"
#include "tests/contract/remembering_scheme.hpp"
#include "tests/contract/switching_scheme.hpp"
#include "tests/random/agreement.hpp"

namespace reconverge {
namespace {

void check_programs(const SchemeKind& own) {
  const auto shapes = contract::shapes();
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const contract::Case test_case = random_programs::case_of(random_programs::generate(seed));
    const contract::Shape& shape = shapes[seed % shapes.size()];
    INFO(own.part.name << ", seed " << seed << ", " << shape.name);
    const contract::Outcome expected = contract::run_scalar(test_case);
    const contract::Outcome found =
        contract::run_own(test_case, contract::parameters_of(shape, own.part.name, test_case), own);
    CHECK_THAT(contract::difference(expected.memory, found.memory), Catch::Equals(""));
    CHECK(found.thread_instructions == expected.thread_instructions);
  }
}

}  // namespace

TEST_CASE("switching subwarps agree on random programs", "[random]") {
  check_programs(contract::switching_scheme(GENERATE(DependencyTracking::thread, DependencyTracking::counted)));
}

TEST_CASE("stacks in memory agree on random programs", "[random]") { check_programs(contract::remembering_scheme()); }

}  // namespace reconverge
