// SPDX-License-Identifier: Apache-2.0
// Alarms ring once, in the earliest cycle requested, near or far.

#include "models/core/calendar.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <random>

#include "models/core/simulation_context.hpp"

namespace reconverge {
namespace {

/// Sets its alarm to random cycles, several at a time, and checks when it rings.
struct Sleeper {
  Sleeper(Calendar& calendar, unsigned seed) : random(seed), alarm(calendar, [this](Cycle now) { rang(now); }) {
    set(0);
  }
  void set(Cycle now) {
    for (unsigned i = 0; i < 3; ++i) {
      // Now, soon, or beyond the calendar's days.
      const Cycle cycle = now + random() % (random() % 4 == 0 ? 3000 : 20);
      due = std::min(due, cycle);
      alarm.ring_at(cycle);
    }
  }
  void rang(Cycle now) {
    REQUIRE(now == due);
    due = never;
    ++rings;
    // The same cycle again is possible, but not forever.
    set(now + (rings % 3 == 0 ? 0 : 1));
  }

  std::mt19937 random;
  Cycle due = never;
  std::uint64_t rings = 0;
  Calendar::Alarm alarm;
};

}  // namespace

TEST_CASE("alarms ring in the earliest requested cycle") {
  const SimulationContext context;
  Timeline timeline("timeline");
  Calendar calendar(timeline, Clock(980'000'000));
  std::vector<std::unique_ptr<Sleeper>> sleepers;
  for (unsigned i = 0; i < 20; ++i) sleepers.push_back(std::make_unique<Sleeper>(calendar, i));
  sc_core::sc_start(calendar.clock().time(20'000));
  for (const auto& sleeper : sleepers) {
    REQUIRE(sleeper->rings > 500);
    REQUIRE(sleeper->due >= 20'000);
  }
}

TEST_CASE("time does not advance in a calendar without alarms") {
  const SimulationContext context;
  Timeline timeline("timeline");
  Calendar calendar(timeline, Clock(1'000'000'000));
  Cycle rang = 0;
  Calendar::Alarm alarm(calendar, [&](Cycle now) { rang = now; });
  alarm.ring_at(5000);
  alarm.ring_at(700);
  alarm.ring_at(6000);
  sc_core::sc_start();
  REQUIRE(rang == 700);
  // Entries for later are passed without a ring.
  REQUIRE(calendar.clock().now() <= 5000);
  REQUIRE_FALSE(sc_core::sc_pending_activity());
}

}  // namespace reconverge
