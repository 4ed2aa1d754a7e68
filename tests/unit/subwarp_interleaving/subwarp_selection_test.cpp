// SPDX-License-Identifier: Apache-2.0
// Subwarp selection (Damani et al., HPCA 2022, section III-C.3).

#include <catch2/catch.hpp>
#include <stdexcept>
#include <vector>

#include "tests/unit/subwarp_interleaving/scheduler_alone.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

using State = ThreadState;

/// Warps from 0 on with two subwarps each: threads 0 to 15 ACTIVE, the others READY.
struct Parted : SchedulerAlone {
  Parted(SelectTrigger trigger, std::uint32_t live) : SchedulerAlone(8, 32, trigger) {
    for (std::uint32_t warp = 0; warp < live; ++warp) {
      unit.set(warp, ~EntryMask{0}, State::active);
      unit.set(warp, 0xffff0000, State::ready);
    }
    unit.step();
  }
  void stall_first(std::uint32_t warp) { stall(warp, 0xffff, 1, 1); }
  void waits(std::uint32_t warp, bool waits) {
    unit.waits(warp, waits);
    unit.step();
  }
  std::optional<std::uint32_t> offered() {
    const auto choice = unit.offer();
    return choice ? std::optional(choice->warp) : std::nullopt;
  }
};

}  // namespace

TEST_CASE("The lowest-numbered stalled warp with a READY subwarp changes to it") {
  Parted parted(SelectTrigger::any, 4);
  CHECK_FALSE(parted.offered());
  parted.stall_first(3);
  CHECK(parted.unit.offer() == SubwarpChoice{3, 16});
  parted.stall_first(1);
  CHECK(parted.unit.offer() == SubwarpChoice{1, 16});
  parted.take(0xffff0000);
  CHECK(parted.unit.entries_in(1, State::active) == 0xffff0000);
  CHECK(parted.offered() == 3);
  // A stalled warp without a READY subwarp is not a candidate.
  parted.unit.set(0, ~EntryMask{0}, State::active);
  parted.unit.step();
  parted.stall(0, ~EntryMask{0}, 1, 1);
  CHECK(parted.offered() == 3);
}

TEST_CASE("The trigger compares stalled warps with live warps") {
  for (const std::uint32_t live : {1U, 2U, 3U, 4U, 5U, 8U}) {
    for (const SelectTrigger trigger : {SelectTrigger::any, SelectTrigger::half, SelectTrigger::all}) {
      Parted parted(trigger, live);
      for (std::uint32_t stalled = 1; stalled <= live; ++stalled) {
        INFO(live << " live, " << stalled << " stalled, trigger " << static_cast<int>(trigger));
        parted.stall_first(live - stalled);
        const bool holds =
            trigger == SelectTrigger::any || (trigger == SelectTrigger::half && 2 * stalled >= live) || stalled == live;
        CHECK(parted.offered() == (holds ? std::optional(live - stalled) : std::nullopt));
      }
    }
  }
}

TEST_CASE("A warp whose ACTIVE subwarp cannot issue counts as stalled, and changes nothing") {
  Parted parted(SelectTrigger::all, 2);
  parted.stall_first(1);
  CHECK_FALSE(parted.offered());
  parted.waits(0, true);
  CHECK(parted.offered() == 1);
  parted.waits(0, false);
  CHECK_FALSE(parted.offered());
  // A warp that has ended does not count.
  parted.waits(7, true);
  CHECK_FALSE(parted.offered());
  parted.unit.set(0, 0xffff0000, State::active);
  parted.unit.step();
  parted.set(0, ~EntryMask{0}, State::inactive);
  CHECK(parted.offered() == 1);
}

TEST_CASE("READY subwarps of a warp take turns") {
  SchedulerAlone alone;
  const EntryMask a = 0x000000ff, b = 0x0000ff00, c = 0xffff0000;
  alone.set(0, ~EntryMask{0}, State::active);
  alone.set(0, ~EntryMask{0}, State::ready);
  // All of them yield: the pointer has to pass threads of the subwarp that had its turn.
  for (const auto& [leader, peers] : {std::pair{0U, a}, {8U, b}, {16U, c}, {0U, a}, {8U, b}}) {
    REQUIRE(alone.unit.offer() == SubwarpChoice{0, leader});
    CHECK(alone.unit.offer() == SubwarpChoice{0, leader});
    alone.take(peers);
    CHECK(alone.unit.entries_in(0, State::active) == peers);
    alone.set(0, peers, State::ready);
  }
  // A subwarp that is not READY is passed over.
  alone.unit.take(c);
  alone.unit.step();
  alone.stall(0, c, 3, 1);
  alone.take(a);
  alone.set(0, a, State::ready);
  REQUIRE(alone.unit.offer() == SubwarpChoice{0, 8});
  alone.take(b);
  alone.set(0, b, State::ready);
  CHECK(alone.unit.offer() == SubwarpChoice{0, 0});
}

TEST_CASE("No READY subwarp waits while its warp is selected as often as there are entries") {
  SchedulerAlone alone;
  alone.set(0, ~EntryMask{0}, State::active);
  alone.set(0, ~EntryMask{0}, State::ready);
  // Only thread 17; the others are subwarps of alternating lanes, the worst case for a pointer in lane order.
  const EntryMask seventeen = 1U << 17;
  const std::vector<EntryMask> others{0x55555555 & ~seventeen, 0xaaaaaaaa & ~seventeen};
  unsigned selections = 0;
  for (;;) {
    const auto choice = alone.unit.offer();
    REQUIRE(choice);
    ++selections;
    if (choice->leader == 17) break;
    const EntryMask peers = others[choice->leader % 2];
    alone.take(peers);
    alone.set(0, peers, State::ready);
  }
  CHECK(selections <= 32);
}

TEST_CASE("What is not offered is not taken") {
  SchedulerAlone alone;
  CHECK_THROWS_AS(alone.unit.take(1), std::logic_error);
  alone.set(0, 0xff, State::active);
  alone.unit.set(0, 0xf0, State::ready);
  alone.unit.step();
  CHECK_THROWS_AS(alone.unit.take(0x10), std::logic_error);  // the warp has an ACTIVE subwarp
  alone.stall(0, 0x0f, 1, 1);
  REQUIRE(alone.unit.offer() == SubwarpChoice{0, 4});
  CHECK_THROWS_AS(alone.unit.take(0x20), std::logic_error);  // without the leader
  CHECK_THROWS_AS(alone.unit.take(0x11), std::logic_error);  // with one that is STALLED
  alone.unit.take(0x10);
  CHECK_THROWS_AS(alone.unit.take(0x10), std::logic_error);  // twice
  alone.unit.step();
  // One that was set to another state in the cycle is not selected; one that is selected may be set to another state.
  alone.set(0, 0x10, State::ready);
  REQUIRE(alone.unit.offer() == SubwarpChoice{0, 5});
  alone.unit.set(0, 0x20, State::active);
  CHECK_THROWS_AS(alone.unit.take(0x30), std::logic_error);
  alone.unit.step();
  alone.set(0, 0x20, State::ready);
  alone.unit.take(0x30);
  alone.unit.stall(0, 0x20, 2, 1);
  alone.unit.step();
  CHECK(alone.unit.entries_in(0, State::active) == 0x10);
  CHECK(alone.unit.entries_in(0, State::stalled) == 0x2f);
}
