// SPDX-License-Identifier: Apache-2.0
// Counted scoreboards through their sockets: which loads a consumer waits for; subwarps do not wait for each other.

#include "tests/unit/sm/scoreboard_bench.hpp"

namespace reconverge {
namespace {

constexpr LaneMask low = 0x0000ffff;
constexpr LaneMask high = ~low;

/// Two loads, and instructions that use the first, the second, both, and neither.
constexpr std::string_view two_loads =
    "ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd2]; mov.u32 %r5, 7; add.u32 %r3, %r1, 1; add.u32 %r4, %r2, 1;";
enum : kernel::Pc { first_load, second_load, move, uses_first, uses_second, end };

struct Bench : tests::ScoreboardBench {
  explicit Bench(std::uint8_t scoreboards, std::string_view body = two_loads)
      : ScoreboardBench({.tracking = DependencyTracking::counted, .scoreboards = scoreboards}, body) {}

  /// The instruction at `pc` issues in these lanes.
  void issue(kernel::Pc pc, Cycle result, LaneMask lanes = all_lanes, bool written_back = false) {
    after({image.decoded(pc), result, image.decoded(pc).memory, written_back}, nullptr, {0, lanes});
  }
  ScoreboardRequest ask_for(kernel::Pc pc, LaneMask lanes = all_lanes) { return ask(image.decoded(pc), {0, lanes}); }
};

}  // namespace

TEST_CASE("counted scoreboards: with enough scoreboards a consumer waits only for its load") {
  Bench bench(2);
  bench.issue(first_load, 40);
  bench.issue(second_load, never);
  CHECK(bench.ask_for(uses_first).ready == 40);
  CHECK(bench.ask_for(uses_first).waits_for_memory);
  CHECK(bench.ask_for(uses_second).ready == never);
  CHECK(bench.ask_for(move).ready == 0);
  bench.issue(second_load, 60, all_lanes, true);
  CHECK(bench.ask_for(uses_second).ready == 60);
}

TEST_CASE("counted scoreboards: a consumer waits for all loads that share its scoreboard") {
  Bench bench(1);
  bench.issue(first_load, never);
  bench.issue(second_load, 80);
  // A scoreboard by register would report 80.
  CHECK(bench.ask_for(uses_second).ready == never);
  bench.issue(first_load, 50, all_lanes, true);
  // A scoreboard by register would report 50.
  CHECK(bench.ask_for(uses_first).ready == 80);
  CHECK(bench.ask_for(uses_second).ready == 80);
}

TEST_CASE("counted scoreboards: a reused scoreboard counts pending loads") {
  Bench bench(1);
  bench.issue(first_load, never);
  bench.issue(first_load, never);
  bench.issue(first_load, 30, all_lanes, true);
  CHECK(bench.ask_for(uses_first).ready == never);
  bench.issue(first_load, 20, all_lanes, true);
  CHECK(bench.ask_for(uses_first).ready == 30);
}

TEST_CASE("counted scoreboards: subwarps have separate counters and wait for both at reconvergence") {
  Bench bench(1);
  bench.issue(first_load, never, low);
  bench.issue(second_load, 70, high);
  CHECK(bench.ask_for(uses_second, high).ready == 70);
  CHECK(bench.ask_for(uses_second, low).ready == never);
  CHECK(bench.ask_for(uses_second).ready == never);
  ReadinessRequest lanes;
  lanes.slot = 0;
  lanes.pc = uses_first;
  lanes.lanes = all_lanes;
  const auto answered = bench.scheme.send(lanes);
  CHECK(answered.ready[0] == never);
  CHECK(answered.ready[31] == 70);
  CHECK(answered.from_memory == all_lanes);
  bench.scoreboard->clear(0, low);
  CHECK(bench.ask_for(uses_first).ready == 70);
}

TEST_CASE("counted scoreboards: results of fixed latency need no scoreboard") {
  Bench bench(1);
  bench.issue(move, 12);
  bench.issue(uses_first, 15);
  const auto known = bench.ask_for(move);
  CHECK(known.ready == 12);
  CHECK_FALSE(known.waits_for_memory);
}

TEST_CASE("counted scoreboards: a thread ends when its loads have arrived") {
  Bench bench(2);
  bench.issue(first_load, never, low);
  bench.issue(second_load, 90, high);
  CHECK(bench.ask_for(end, low).ready == never);
  CHECK(bench.ask_for(end, high).ready == 90);
}

TEST_CASE("counted scoreboards: a scoreboard shared by a load and a unit reports a wait for the unit") {
  Bench bench(1);
  DecodedInstruction trace = bench.image.decoded(first_load);
  trace.asynchronous = true;
  const auto report = [&](Cycle result, bool written_back) {
    bench.after({trace, result, true, written_back}, nullptr, {0, all_lanes});
  };
  report(never, false);
  CHECK(bench.ask_for(uses_first).waits_for_unit);
  CHECK(bench.ask_for(uses_first).waits_for_memory);
  bench.issue(second_load, never);
  CHECK(bench.ask_for(uses_first).waits_for_unit);
  report(50, true);
  CHECK(bench.ask_for(uses_first).ready == never);
  CHECK(bench.ask_for(uses_first).waits_for_memory);
  CHECK_FALSE(bench.ask_for(uses_first).waits_for_unit);
  CHECK_FALSE(bench.ask_for(move).waits_for_unit);
}

}  // namespace reconverge
