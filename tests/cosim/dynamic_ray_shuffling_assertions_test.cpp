// SPDX-License-Identifier: Apache-2.0
/// The assertions of dynamic ray shuffling's RTL, tested: each finds a fault of its own in a block of four warps.

#include <catch2/catch.hpp>
#include <string>

#include "Vas_many_lanes.h"
#include "Vbound_rows_stay.h"
#include "Vends_after_grants.h"
#include "Vone_answer.h"
#include "Vrow_of_one_state.h"
#include "Vwants_until_it_is_done.h"
#include "Vwords_stay.h"
#include "Vwrite_follows_read.h"
#include "models/cosim/dynamic_ray_shuffling/bench/lock_step.hpp"
#include "models/cosim/dynamic_ray_shuffling/traffic/traffic.hpp"
#include "tests/cosim/failing_assertion.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

/// The name of the assertion that fails.
template <typename Rtl>
std::string failing() {
  return failing_assertion([] {
    Traffic<PinsWithRays<RayPartner<twin::Driven<RayPorts, Rtl>>>> traffic({}, {4, 8}, 2000, 1, {.granted = 0.7});
    while (!traffic.done()) traffic.cycle();
  });
}

}  // namespace

TEST_CASE("each assertion of dynamic ray shuffling's RTL finds a fault") {
  CHECK(failing<Vbound_rows_stay>() == "bound_rows_stay");
  CHECK(failing<Vrow_of_one_state>() == "row_of_one_state");
  CHECK(failing<Vone_answer>() == "one_answer");
  CHECK(failing<Vwrite_follows_read>() == "write_follows_read");
  CHECK(failing<Vas_many_lanes>() == "as_many_lanes");
  CHECK(failing<Vwords_stay>() == "words_stay");
  CHECK(failing<Vwants_until_it_is_done>() == "wants_until_it_is_done");
  CHECK(failing<Vends_after_grants>() == "ends_after_grants");
}

TEST_CASE("an assertion ends a lock step as a difference does") {
  // A swap that ends at the wrong time shows at the pins a cycle later.
  Traffic<LockStep<Vends_after_grants>> traffic({}, {4, 8}, 2000, 1, {.granted = 0.7});
  try {
    while (!traffic.done()) traffic.cycle();
    FAIL("the fault was not found");
  } catch (const LockStepDifference& difference) {
    CHECK_THAT(difference.what(), Catch::Contains("cycle ") && Catch::Contains("assertion of the RTL failed") &&
                                      Catch::Contains("rdctrl of warp"));
    CHECK_THAT(difference.waveform(), Catch::Contains("$enddefinitions"));
  }
}
