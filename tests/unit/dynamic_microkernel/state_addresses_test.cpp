// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_microkernel/state_addresses.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/dynamic_ray_shuffling/asker.hpp"

using namespace reconverge;
using namespace reconverge::tests;

TEST_CASE("state addresses: first threads get the state of their slot, later ones freed states") {
  const SimulationContext context;
  StateAddresses states("states");
  Asker<StateClaim> claim("claim", states.claims);
  Asker<StateRelease> release("release", states.releases);
  elaborate();
  states.begin(4);
  CHECK(states.free() == 4);
  CHECK(claim({0}).state == 0);
  CHECK(claim({2}).state == 2);
  CHECK(claim({1}).state == 1);
  release({2});
  release({0});
  CHECK(states.free() == 3);
  CHECK(claim({1}).state == 2);
  CHECK(claim({3}).state == 3);  // the first thread of slot 3
  CHECK(claim({3}).state == 0);
  CHECK(states.free() == 0);
  // If no state has been freed, a thread gets a state that was never used.
  states.begin(3);
  CHECK(claim({0}).state == 0);
  CHECK(claim({0}).state == 1);
  CHECK(claim({1}).state == 2);
  CHECK(states.free() == 0);
}
