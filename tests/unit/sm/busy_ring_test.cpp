// SPDX-License-Identifier: Apache-2.0
#include "models/sm/busy_ring.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>

namespace reconverge::tests {
namespace {

/// Reference: the number of units in use in each cycle, without a horizon.
struct Reference {
  unsigned units = 1;
  std::map<Cycle, unsigned> busy;

  Cycle reserve(Cycle from) {
    while (busy[from] == units) ++from;
    ++busy[from];
    return from;
  }
};

}  // namespace

TEST_CASE("busy units: each request gets the first cycle in which a unit is free") {
  BusyUnits units(2);
  units.begin();
  CHECK(units.reserve(0, 5) == 5);
  CHECK(units.reserve(0, 5) == 5);
  CHECK(units.reserve(0, 5) == 6);
  CHECK(units.reserve(0, 4) == 4);
  CHECK(units.reserve(0, 6) == 6);
  CHECK(units.reserve(0, 5) == 7);
  units.begin();
  CHECK(units.reserve(0, 5) == 5);
}

TEST_CASE("busy units and a busy ring match a plain count over long times") {
  const unsigned count = GENERATE(1U, 2U, 7U);
  BusyUnits units(count);
  BusyRing ring;
  units.begin();
  ring.begin();
  Reference any{count, {}};
  Reference single{1, {}};
  std::mt19937 random(count);
  Cycle now = 0;
  bool equal = true;
  for (int step = 0; step < 20000; ++step) {
    now += random() % 3;
    const Cycle from = now + random() % 90;
    equal = equal && units.reserve(now, from) == any.reserve(from);
    if (step % 4 == 0) equal = equal && ring.reserve(now, from) == single.reserve(from);
  }
  CHECK(equal);
}

TEST_CASE("busy units: a request beyond the horizon finds its cycle free and is not recorded") {
  BusyUnits units(1);
  units.begin();
  CHECK(units.reserve(0, BusyRing::horizon) == BusyRing::horizon);
  CHECK(units.reserve(0, BusyRing::horizon) == BusyRing::horizon);
  CHECK(units.reserve(1, BusyRing::horizon) == BusyRing::horizon);
  CHECK(units.reserve(1, BusyRing::horizon) == BusyRing::horizon + 1);
}

TEST_CASE("a busy ring takes a cycle that is free") {
  BusyRing ring;
  ring.begin();
  CHECK(ring.reserve(0, 10) == 10);
  CHECK(ring.reserve(0, 10) == 11);
  CHECK_FALSE(ring.take(10));
  CHECK(ring.take(12));
  CHECK(ring.reserve(0, 10) == 13);
}

}  // namespace reconverge::tests
