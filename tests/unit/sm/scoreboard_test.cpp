// SPDX-License-Identifier: Apache-2.0
// Both kinds of scoreboards through their sockets, for warps whose lanes run together and whose threads do not move.

#include "tests/unit/sm/scoreboard_bench.hpp"

namespace reconverge {
namespace {

using Bench = tests::ScoreboardBench;

DependencyTracking of_either_kind() { return GENERATE(DependencyTracking::warp, DependencyTracking::thread); }

}  // namespace

TEST_CASE("scoreboard: only readers and writers of a register wait for its result") {
  Bench bench(of_either_kind());
  const Bench::Issue add{bench.writes(1), 20};
  REQUIRE(bench.after(add, bench.reads(1)).ready == 20);
  REQUIRE_FALSE(bench.ask(bench.reads(1)).waits_for_memory);
  REQUIRE(bench.ask(bench.writes(1)).ready == 20);
  REQUIRE(bench.ask(bench.reads(2)).ready == 0);
  REQUIRE(bench.ask(bench.instruction({}, {})).ready == 0);
  // The last of several results counts. The scoreboard also checks a fifth register.
  bench.after({bench.writes(3), 30}, bench.reads(2));
  REQUIRE(bench.ask(bench.instruction({2}, {0, 1, 3})).ready == 30);
  REQUIRE(bench.ask(bench.instruction({0}, {2, 2, 2, 3})).ready == 30);
  REQUIRE(bench.ask(bench.instruction({0, 1}, {2})).ready == 20);
}

TEST_CASE("scoreboard: no instruction waits for a read") {
  Bench bench(of_either_kind());
  REQUIRE(bench.after({bench.instruction({1}, {2}), 20}, bench.reads(2)).ready == 0);
}

TEST_CASE("scoreboard: each warp slot has separate registers, which are ready for a new warp") {
  Bench bench(of_either_kind());
  bench.after({bench.writes(1), 20}, bench.reads(0), {0});
  bench.after({bench.writes(1), 25}, bench.reads(0), {1});
  REQUIRE(bench.ask(bench.reads(1), {0}).ready == 20);
  REQUIRE(bench.ask(bench.reads(1), {1}).ready == 25);
  bench.scoreboard->clear(0, all_lanes);
  REQUIRE(bench.ask(bench.reads(1), {0}).ready == 0);
  REQUIRE(bench.ask(bench.reads(1), {1}).ready == 25);
  bench.scoreboard->begin(bench.image);
  REQUIRE(bench.ask(bench.reads(1), {1}).ready == 0);
}

TEST_CASE("scoreboard: the time of a result from memory may be unknown") {
  Bench bench(of_either_kind());
  const auto load = bench.writes(1);
  REQUIRE(bench.after({load, never, true}, bench.reads(2)).ready == 0);
  const auto waiting = bench.ask(bench.reads(1));
  REQUIRE(waiting.ready == never);
  REQUIRE(waiting.waits_for_memory);
  const auto known = bench.after({load, 60, true, true}, bench.reads(1));
  REQUIRE(known.ready == 60);
  REQUIRE(known.waits_for_memory);
  // The later result determines the stall cause.
  bench.after({bench.writes(2), 61}, bench.reads(0));
  REQUIRE_FALSE(bench.ask(bench.instruction({}, {1, 2})).waits_for_memory);
  bench.after({bench.writes(2), 59}, bench.reads(0));
  REQUIRE(bench.ask(bench.instruction({}, {1, 2})).waits_for_memory);
}

TEST_CASE("scoreboard: with one instruction of a warp at a time, each waits for all earlier instructions") {
  ScoreboardParameters parameters;
  parameters.waits_for = ScoreboardWaitsFor::instructions;
  Bench bench(SchemeTraits{.tracking = DependencyTracking::warp}, "add.u64 %rd1, %rd2, %rd3;", parameters);
  REQUIRE(bench.after({bench.writes(1), 20}, bench.reads(2)).ready == 20);
  REQUIRE(bench.ask(bench.reads(2), {1}).ready == 0);  // another warp
  const Bench::Issue load{bench.writes(3), never, true};
  const auto waiting = bench.after(load, bench.reads(2));
  REQUIRE(waiting.ready == never);
  REQUIRE(waiting.waits_for_memory);
  REQUIRE(bench.after({load.decoded, 60, true, true}, bench.reads(2)).ready == 60);
  bench.after({bench.writes(1), 80}, bench.reads(2));
  bench.scoreboard->clear(0, all_lanes);
  REQUIRE(bench.ask(bench.reads(2)).ready == 60);
}

TEST_CASE("scoreboard: waits for whole instructions require lanes that receive results together") {
  ScoreboardParameters parameters;
  parameters.waits_for = ScoreboardWaitsFor::instructions;
  const SchemeTraits traits{.tracking = DependencyTracking::thread};
  REQUIRE_THROWS_WITH(make_scoreboard("scoreboard", parameters, traits, 3),
                      Catch::Contains("returns results by thread"));
}

TEST_CASE("scoreboard: a warp ends when all its loads have arrived") {
  Bench bench(of_either_kind());
  const auto exit = bench.exit();
  SECTION("at known times") {
    bench.after({bench.writes(1), 70, true}, exit);
    bench.after({bench.writes(2), 60, true}, exit);
    bench.after({bench.writes(3), 80}, exit);  // not a load
    const auto end = bench.ask(exit);
    REQUIRE(end.ready == 70);
    REQUIRE(end.waits_for_memory);
  }
  SECTION("at unknown times") {
    const Bench::Issue first{bench.writes(1), never, true};
    const Bench::Issue second{bench.writes(2), never, true};
    bench.after(first, exit);
    REQUIRE(bench.after(second, exit).ready == never);
    REQUIRE(bench.after({first.decoded, 50, true, true}, exit).ready == never);
    REQUIRE(bench.after({second.decoded, 40, true, true}, exit).ready == 50);
  }
  SECTION("stores are not waited for") { REQUIRE(bench.after({bench.reads(1), never, true}, exit).ready == 0); }
}

TEST_CASE("scoreboard: lookups are counted, except lookups when a late result is written back") {
  Bench bench(of_either_kind());
  bench.after({bench.writes(1), 20}, bench.reads(2));
  REQUIRE(bench.statistics().checks == 1);
  REQUIRE(bench.statistics().waits == 0);
  bench.after({bench.writes(2), 12}, bench.reads(1));  // register 1 is ready in 20
  REQUIRE(bench.statistics().checks == 2);
  REQUIRE(bench.statistics().waits == 1);
  bench.after({bench.writes(1), 60, true, true}, bench.reads(1));
  REQUIRE(bench.statistics().checks == 2);
}

}  // namespace reconverge
