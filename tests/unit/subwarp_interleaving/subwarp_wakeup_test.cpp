// SPDX-License-Identifier: Apache-2.0
// Subwarp stall and wakeup (Damani et al., HPCA 2022, section III-C.2, Fig. 8b), including cases that the paper does
// not define.

#include <catch2/catch.hpp>
#include <stdexcept>

#include "tests/unit/subwarp_interleaving/scheduler_alone.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

using State = ThreadState;

/// All threads of warp 2 are ACTIVE.
struct Running : SchedulerAlone {
  Running() { set(2, ~EntryMask{0}, State::active); }
  unsigned count(unsigned entry) const { return unit.table().entry(2, entry).count; }
};

}  // namespace

TEST_CASE("Each result of an entry's scoreboard decrements its count, and the entry is READY at zero") {
  Running running;
  running.stall(2, 0xf, 6, 3);
  running.write_back({2, 6, 0xf});
  running.write_back({2, 6, 0xf});
  CHECK(running.unit.entries_in(2, State::stalled) == 0xf);
  CHECK(running.count(0) == 1);
  running.write_back({2, 6, 0xf});
  CHECK(running.unit.entries_in(2, State::ready) == 0xf);
  CHECK(running.count(0) == 0);
}

TEST_CASE("A result counts for the threads, the scoreboard and the warp that it is for") {
  Running running;
  running.set(1, 0xf, State::active);
  running.unit.stall(2, 0x3, 6, 1);
  running.unit.stall(2, 0xc, 6, 2);  // threads of one subwarp may wait for different numbers of results
  running.unit.step();
  running.stall(1, 0xf, 6, 1);
  running.write_back({2, 5, 0xf});  // another scoreboard
  CHECK(running.unit.entries_in(2, State::stalled) == 0xf);
  running.write_back({2, 6, 0xa});  // threads 1 and 3
  CHECK(running.unit.entries_in(2, State::ready) == 0x2);
  CHECK(running.count(2) == 2);
  CHECK(running.count(3) == 1);
  CHECK(running.unit.entries_in(1, State::stalled) == 0xf);  // another warp
  // A result has no effect on threads that are not STALLED.
  running.write_back({2, 6, 0xfff2});
  CHECK(running.unit.entries_in(2, State::ready) == 0x2);
  CHECK(running.count(1) == 0);
}

TEST_CASE("Two results in one cycle take two off the count") {
  Running running;
  running.stall(2, 0x1, 6, 3);
  running.unit.write_back(0, {2, 6, 0x1});
  running.unit.write_back(1, {2, 6, 0x1});
  running.unit.step();
  CHECK(running.count(0) == 1);
  running.stall(2, 0x6, 0, 2);
  running.unit.write_back(0, {2, 0, 0x2});
  running.unit.write_back(1, {2, 0, 0x6});
  running.unit.step();
  CHECK(running.unit.entries_in(2, State::ready) == 0x2);
  CHECK(running.unit.entries_in(2, State::stalled) == 0x5);
  CHECK(running.count(2) == 1);
}

TEST_CASE("A result that is written in the cycle of the stall is not lost") {
  Running running;
  running.unit.write_back(1, {2, 6, 0x3});
  running.unit.stall(2, 0x1, 6, 1);
  running.unit.stall(2, 0x2, 6, 2);
  running.unit.stall(2, 0x4, 6, 0);  // a thread that waits for no result; others of its subwarp do
  running.unit.step();
  CHECK(running.unit.entries_in(2, State::ready) == 0x5);
  CHECK(running.unit.entries_in(2, State::stalled) == 0x2);
  CHECK(running.count(1) == 1);
}

TEST_CASE("An entry that gets a state in the cycle of its last result has that state") {
  Running running;
  running.stall(2, 0x3, 6, 1);
  running.unit.write_back(0, {2, 6, 0x3});
  running.unit.set(2, 0x1, State::active);
  running.unit.step();
  CHECK(running.state(2, 0) == State::active);
  CHECK(running.state(2, 1) == State::ready);
}

TEST_CASE("What an entry cannot hold, or hardware has no port for, is an error") {
  Running running;
  running.set(3, 0x1, State::active);
  CHECK_THROWS_AS(running.unit.stall(2, 0x1, 8, 1), std::logic_error);
  CHECK_THROWS_AS(running.unit.stall(2, 0x1, 0, 64), std::logic_error);
  CHECK(running.unit.can_stall(3));
  running.unit.stall(2, 0x1, 7, 63);
  CHECK(running.unit.can_stall(2));
  CHECK_FALSE(running.unit.can_stall(3));
  CHECK_THROWS_AS(running.unit.stall(3, 0x1, 7, 1), std::logic_error);
  CHECK_THROWS_AS(running.unit.stall(2, 0x2, 6, 1), std::logic_error);
  running.unit.write_back(0, {2, 0, 0x1});
  CHECK_THROWS_AS(running.unit.write_back(0, {2, 0, 0x2}), std::logic_error);
  running.unit.step();
  CHECK(running.unit.can_stall(3));
  running.stall(2, 0x4, 6, 1);
  running.unit.write_back(0, {2, 6, 0x4});
  running.unit.write_back(1, {2, 6, 0x4});
  CHECK_THROWS_AS(running.unit.step(), std::logic_error);  // more results than the thread waits for
}
