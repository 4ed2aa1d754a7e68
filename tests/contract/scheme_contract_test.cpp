// What every divergence scheme owes: no lane lost, none run twice, memory as the scalar interpreter leaves it, every
// issue slot accounted for, and two runs alike.

#include <catch2/catch.hpp>

#include "tests/contract/books.hpp"
#include "tests/contract/kernels.hpp"

namespace reconverge::contract {
namespace {

void check_case(const Case& test_case, const Outcome& expected, std::string_view scheme) {
  for (const Shape& shape : shapes()) {
    INFO(scheme << ", " << shape.name << ": " << test_case.name);
    const GpuParameters parameters = parameters_of(shape, scheme, test_case);
    const TimedOutcome run = run_timed(test_case, parameters);
    CHECK_THAT(difference(expected.memory, run.memory), Catch::Equals(""));
    check_books(run, expected, test_case, parameters);
    CHECK(counters(run_timed(test_case, parameters).totals) == counters(run.totals));
  }
}

}  // namespace

TEST_CASE("every scheme leaves what threads alone leave", "[scheme]") {
  const std::string_view scheme = GENERATE(from_range(std::begin(schemes), std::end(schemes)));
  for (const Case& test_case : cases()) check_case(test_case, run_scalar(test_case), scheme);
}

TEST_CASE("the untimed machine leaves what threads alone leave", "[functional]") {
  for (const Case& test_case : cases()) {
    INFO(test_case.name);
    const Outcome expected = run_scalar(test_case);
    const Outcome found = run_functional(test_case);
    CHECK_THAT(difference(expected.memory, found.memory), Catch::Equals(""));
    CHECK(found.thread_instructions == expected.thread_instructions);
  }
}

}  // namespace reconverge::contract
