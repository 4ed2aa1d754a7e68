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

/// Warps 0 to live - 1 have two subwarps each: threads 0 to 15 are ACTIVE, the others READY.
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

TEST_CASE("The lowest-numbered stalled warp with a READY subwarp switches to it") {
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
  SchedulerAlone bench;
  const EntryMask a = 0x000000ff, b = 0x0000ff00, c = 0xffff0000;
  bench.set(0, ~EntryMask{0}, State::active);
  bench.set(0, ~EntryMask{0}, State::ready);
  // All subwarps yield. The pointer has to skip the threads of the subwarp that had its turn.
  for (const auto& [leader, peers] : {std::pair{0U, a}, {8U, b}, {16U, c}, {0U, a}, {8U, b}}) {
    REQUIRE(bench.unit.offer() == SubwarpChoice{0, leader});
    CHECK(bench.unit.offer() == SubwarpChoice{0, leader});
    bench.take(peers);
    CHECK(bench.unit.entries_in(0, State::active) == peers);
    bench.set(0, peers, State::ready);
  }
  // The pointer skips a subwarp that is not READY.
  bench.unit.take(c);
  bench.unit.step();
  bench.stall(0, c, 3, 1);
  bench.take(a);
  bench.set(0, a, State::ready);
  REQUIRE(bench.unit.offer() == SubwarpChoice{0, 8});
  bench.take(b);
  bench.set(0, b, State::ready);
  CHECK(bench.unit.offer() == SubwarpChoice{0, 0});
}

TEST_CASE("A READY subwarp is selected after at most as many selections of its warp as there are entries") {
  SchedulerAlone bench;
  bench.set(0, ~EntryMask{0}, State::active);
  bench.set(0, ~EntryMask{0}, State::ready);
  // Thread 17 waits for its turn. The other threads form two subwarps of alternating lanes, which is the worst case for
  // a pointer that moves in lane order.
  const EntryMask seventeen = 1U << 17;
  const std::vector<EntryMask> others{0x55555555 & ~seventeen, 0xaaaaaaaa & ~seventeen};
  unsigned selections = 0;
  for (;;) {
    const auto choice = bench.unit.offer();
    REQUIRE(choice);
    ++selections;
    if (choice->leader == 17) break;
    const EntryMask peers = others[choice->leader % 2];
    bench.take(peers);
    bench.set(0, peers, State::ready);
  }
  CHECK(selections <= 32);
}

TEST_CASE("The scheduler rejects a selection that it did not offer") {
  SchedulerAlone bench;
  CHECK_THROWS_AS(bench.unit.take(1), std::logic_error);
  bench.set(0, 0xff, State::active);
  bench.unit.set(0, 0xf0, State::ready);
  bench.unit.step();
  CHECK_THROWS_AS(bench.unit.take(0x10), std::logic_error);  // the warp has an ACTIVE subwarp
  bench.stall(0, 0x0f, 1, 1);
  REQUIRE(bench.unit.offer() == SubwarpChoice{0, 4});
  CHECK_THROWS_AS(bench.unit.take(0x20), std::logic_error);  // without the leader
  CHECK_THROWS_AS(bench.unit.take(0x11), std::logic_error);  // with a STALLED thread
  bench.unit.take(0x10);
  CHECK_THROWS_AS(bench.unit.take(0x10), std::logic_error);  // twice
  bench.unit.step();
  // A thread whose state was set in this cycle cannot be selected. A selected thread may be set to another state.
  bench.set(0, 0x10, State::ready);
  REQUIRE(bench.unit.offer() == SubwarpChoice{0, 5});
  bench.unit.set(0, 0x20, State::active);
  CHECK_THROWS_AS(bench.unit.take(0x30), std::logic_error);
  bench.unit.step();
  bench.set(0, 0x20, State::ready);
  bench.unit.take(0x30);
  bench.unit.stall(0, 0x20, 2, 1);
  bench.unit.step();
  CHECK(bench.unit.entries_in(0, State::active) == 0x10);
  CHECK(bench.unit.entries_in(0, State::stalled) == 0x2f);
}
