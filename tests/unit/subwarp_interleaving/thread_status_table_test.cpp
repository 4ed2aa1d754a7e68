// SPDX-License-Identifier: Apache-2.0
// The thread status table (Damani et al., HPCA 2022, section III, Figs. 7, 8a and 10).

#include <catch2/catch.hpp>
#include <set>
#include <stdexcept>

#include "tests/unit/subwarp_interleaving/scheduler_alone.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

using State = ThreadState;

/// A scheduler with one thread in a given state; the warp's other 31 threads are INACTIVE.
struct OneThread : SchedulerAlone {
  explicit OneThread(State state) {
    if (state == State::inactive) return;
    set(0, 1, State::active);
    if (state == State::stalled) {
      stall(0, 1, 5, 2);
    } else if (state != State::active) {
      set(0, 1, state);
    }
  }
};

}  // namespace

TEST_CASE("Figure 7: a thread has the transitions of the figure, and no others") {
  const std::set<std::pair<State, State>> by_divergence{
      {State::inactive, State::active},  // program entry
      {State::active, State::inactive},  // exit
      {State::active, State::ready},     // divergent branch, yield
      {State::ready, State::active},     // select
      {State::active, State::blocked},   // BSYNC missed
      {State::blocked, State::active},   // BSYNC hit, by the last of the participating threads
      {State::blocked, State::ready},   {State::stalled, State::active},  // no other subwarp is READY
      {State::stalled, State::ready},
  };
  for (const State from : {State::inactive, State::active, State::ready, State::blocked, State::stalled}) {
    for (const State to : {State::inactive, State::active, State::ready, State::blocked}) {
      INFO(static_cast<int>(from) << " to " << static_cast<int>(to));
      OneThread one(from);
      REQUIRE(one.state(0, 0) == from);
      if (from == to || by_divergence.contains({from, to})) {
        one.set(0, 1, to);
        CHECK(one.state(0, 0) == to);
      } else {
        CHECK_THROWS_AS(one.unit.set(0, 1, to), std::logic_error);
      }
    }
    // A thread stalls only if it is ACTIVE, and only for a scoreboard.
    OneThread one(from);
    CHECK_THROWS_AS(one.unit.set(0, 1, State::stalled), std::logic_error);
    if (from == State::active) {
      one.stall(0, 1, 5, 1);
      CHECK(one.state(0, 0) == State::stalled);
      one.write_back({0, 5, 1});
      CHECK(one.state(0, 0) == State::ready);  // wakeup
    } else {
      CHECK_THROWS_AS(one.unit.stall(0, 1, 5, 1), std::logic_error);
    }
  }
}

TEST_CASE("The last write to a thread status table in a cycle is visible from the next cycle") {
  SchedulerAlone bench;
  bench.unit.set(3, 0xff, State::active);
  CHECK(bench.unit.entries_in(3, State::active) == 0);
  bench.unit.step();
  CHECK(bench.unit.entries_in(3, State::active) == 0xff);
  CHECK(bench.unit.entries_in(3, State::inactive) == ~EntryMask{0xff});
  CHECK(bench.unit.entries_in(2, State::active) == 0);
  // Warp 3 diverges at a branch and one of its paths stalls in the same cycle, in which warp 4 is set, too.
  bench.unit.set(3, 0x0f, State::ready);
  bench.unit.stall(3, 0xf0, 1, 4);
  bench.unit.set(4, 0x3, State::active);
  CHECK(bench.unit.entries_in(3, State::active) == 0xff);
  bench.unit.step();
  CHECK(bench.unit.entries_in(3, State::ready) == 0x0f);
  CHECK(bench.unit.entries_in(3, State::stalled) == 0xf0);
  CHECK(bench.unit.table().entry(3, 4) == StatusEntry{State::stalled, 1, 4});
  CHECK(bench.unit.entries_in(4, State::active) == 0x3);
  // Of two writes to one entry, the last takes effect.
  bench.unit.set(4, 0x3, State::ready);
  bench.unit.set(4, 0x1, State::active);
  bench.unit.step();
  CHECK(bench.unit.entries_in(4, State::active) == 0x1);
  CHECK(bench.unit.entries_in(4, State::ready) == 0x2);
  bench.unit.begin();
  for (std::uint32_t warp = 0; warp < 8; ++warp) {
    CHECK(bench.unit.entries_in(warp, State::inactive) == ~EntryMask{0});
  }
}

TEST_CASE("A table with two entries a warp assigns them to subwarps and rejects other entries") {
  SchedulerAlone bench(2, 2);
  bench.set(1, 0x1, State::active);
  bench.unit.set(1, 0x2, State::ready);  // a branch: the other path gets the second entry
  bench.unit.step();
  CHECK(bench.unit.entries_in(1, State::inactive) == 0);
  bench.set(1, 0x2, State::inactive);  // the paths have reconverged
  CHECK(bench.unit.entries_in(1, State::inactive) == 0x2);
  CHECK_THROWS_AS(bench.unit.set(1, 0x4, State::active), std::logic_error);
}

TEST_CASE("Figure 10a: two subwarps of one thread, without yield, state by state") {
  // t0 takes the branch of Fig. 9 (PC 2), t1 falls through. Scoreboard 5 counts the load of t1, scoreboard 2 the load
  // of t0.
  constexpr EntryMask t0 = 0x1, t1 = 0x2;
  SchedulerAlone bench;
  const auto states = [&] { return std::pair{bench.state(0, 0), bench.state(0, 1)}; };
  bench.set(0, t0 | t1, State::active);
  bench.set(0, t0, State::ready);  // step 1: the branch
  CHECK(states() == std::pair{State::ready, State::active});
  CHECK_FALSE(bench.unit.offer());  // steps 2 and 3: t1 loads and multiplies
  bench.stall(0, t1, 5, 1);         // step 4: t1 waits for its load
  CHECK(states() == std::pair{State::ready, State::stalled});
  REQUIRE(bench.unit.offer() == SubwarpChoice{0, 0});
  bench.take(t0);  // step 5
  CHECK(states() == std::pair{State::active, State::stalled});
  bench.unit.stall(0, t0, 2, 1);  // step 7, after the load of t0 in step 6; t1's result arrives, too
  bench.unit.write_back(1, {0, 5, t1});
  bench.unit.step();
  CHECK(states() == std::pair{State::stalled, State::ready});
  REQUIRE(bench.unit.offer() == SubwarpChoice{0, 1});
  bench.take(t1);  // step 8
  CHECK(states() == std::pair{State::stalled, State::active});
  bench.set(0, t1, State::blocked);  // steps 9 and 10: t1 waits for t0 at BSYNC
  CHECK(states() == std::pair{State::stalled, State::blocked});
  CHECK_FALSE(bench.unit.offer());
  bench.write_back({0, 2, t0});
  REQUIRE(bench.unit.offer() == SubwarpChoice{0, 0});
  bench.take(t0);
  bench.set(0, t1, State::active);  // t0 reaches BSYNC
  CHECK(states() == std::pair{State::active, State::active});
}

TEST_CASE("Figure 10b: with yield, both loads issue before the first stall") {
  constexpr EntryMask t0 = 0x1, t1 = 0x2;
  SchedulerAlone bench;
  const auto states = [&] { return std::pair{bench.state(0, 0), bench.state(0, 1)}; };
  bench.set(0, t0 | t1, State::active);
  bench.set(0, t0, State::ready);  // step 1
  bench.set(0, t1, State::ready);  // step 2: t1 has issued its load and yields
  CHECK(states() == std::pair{State::ready, State::ready});
  REQUIRE(bench.unit.offer() == SubwarpChoice{0, 0});
  bench.take(t0);  // step 3
  CHECK(states() == std::pair{State::active, State::ready});
  bench.set(0, t0, State::ready);  // step 4: t0 has issued its load and yields
  REQUIRE(bench.unit.offer() == SubwarpChoice{0, 1});
  bench.take(t1);
  CHECK(states() == std::pair{State::ready, State::active});
}

TEST_CASE("Thread status tables take 1536 bytes of an SM with 32 entries a warp, and 96 with two") {
  // 32 warps in four sub-cores.
  const auto bytes = [](unsigned entries) { return 4 * SchedulerAlone(8, entries).unit.table().storage_bits() / 8; };
  CHECK(bytes(32) == 1536);
  CHECK(bytes(2) == 96);
}
