// SPDX-License-Identifier: Apache-2.0
// The kernels of the contract suite, each on two or more SMs, on several host threads.

#include <catch2/catch.hpp>

#include "testbenches/contract/kernels.hpp"

namespace reconverge::contract {

TEST_CASE("kernels of the contract give the same results on any number of threads") {
  const std::string_view scheme = GENERATE(from_range(std::begin(schemes), std::end(schemes)));
  CAPTURE(scheme);
  std::size_t turn = 0;
  unsigned compared = 0;
  for (const Case& test_case : cases()) {
    const Shape& shape = shapes()[turn++ % shapes().size()];
    CAPTURE(test_case.name, shape.name);
    GpuParameters parameters = parameters_of(shape, scheme, test_case);
    parameters.sms = std::max<std::uint64_t>(parameters.sms, 2);
    const TimedOutcome run = run_timed(test_case, parameters);
    const TimedOutcome again = run_timed(test_case, parameters, built_in_schemes(), 2 + turn % 3);
    CHECK(again.memory == run.memory);
    CHECK(counters(again.totals) == counters(run.totals));
    ++compared;
  }
  CHECK(compared > 50);
}

}  // namespace reconverge::contract
