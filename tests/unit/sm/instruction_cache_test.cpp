// SPDX-License-Identifier: Apache-2.0
// The instruction cache through its sockets, between stand-ins for a scheduler's fetch and the next level.

#include "models/sm/instruction_cache.hpp"

#include "tests/unit/memory/stand_in.hpp"
#include "tests/unit/sm/control_bench.hpp"

namespace reconverge {
namespace {

using Answer = tests::MemoryStandIn::Answer;

constexpr std::uint32_t sm = 3;
constexpr Cycle next_level_latency = 100;

struct Bench {
  /// The cache has one set of two lines of 128 bytes.
  Bench() : cache("cache", two_lines(), 128, sm, Clock(1'000'000'000)), source("source"), fills("fills"), next("next") {
    next.latency = next_level_latency;
    source.socket.bind(cache.requests);
    cache.fills.bind(fills.socket);
    cache.next_level.bind(next.requests);
    tests::elaborate();
  }
  static InstructionCacheParameters two_lines() {
    InstructionCacheParameters parameters;
    parameters.capacity = 256;
    parameters.ways = 2;
    return parameters;
  }
  static DeviceAddress line(std::uint64_t number) { return code_address + number * 128; }
  /// The cycle in which a line arrives that is requested in `now`, and needed in `cycle` at the earliest.
  Cycle filled(std::uint64_t number, Cycle now, Cycle cycle) { return source.send({line(number), now, cycle}).filled; }
  Cycle filled(std::uint64_t number, Cycle now) { return filled(number, now, now); }
  const InstructionCacheStatistics& statistics() const { return cache.statistics(); }

  const SimulationContext context;
  InstructionCache cache;
  tests::ControlSource<LineFetch> source;
  tests::ControlStandIn<LineFill> fills;
  tests::MemoryStandIn next;
};

}  // namespace

TEST_CASE("instruction cache: a miss takes the next level's latency, and a hit takes no time") {
  Bench bench;
  REQUIRE(bench.filled(1, 2, 5) == 5 + next_level_latency);
  const auto& fetch = bench.next.only();
  REQUIRE(fetch.arrival == 5);
  REQUIRE(fetch.address == Bench::line(1));
  REQUIRE(fetch.bytes == 128);
  REQUIRE(fetch.sectors == 0xf);
  REQUIRE_FALSE(fetch.write);
  REQUIRE(fetch.sm == sm);
  REQUIRE(bench.cache.outstanding() == 0);
  REQUIRE(bench.filled(1, 105) == 105);
  REQUIRE(bench.filled(1, 105, 108) == 108);
  REQUIRE(bench.statistics().misses == 1);
  REQUIRE(bench.statistics().hits == 2);
  REQUIRE(bench.fills.seen.empty());  // a time that was known at the request is not reported again
}

TEST_CASE("instruction cache: a pending line is not requested again") {
  Bench bench;
  REQUIRE(bench.filled(0, 0) == 100);
  REQUIRE(bench.filled(0, 50) == 100);
  REQUIRE(bench.filled(0, 99, 103) == 103);
  REQUIRE(bench.filled(0, 100) == 100);  // it has arrived
  REQUIRE(bench.next.seen().size() == 1);
  REQUIRE(bench.statistics().merges == 2);
  REQUIRE(bench.statistics().hits == 1);
}

TEST_CASE("instruction cache: the cache reports a line's arrival once the time is known") {
  Bench bench;
  bench.next.answer = Answer::hold;
  REQUIRE(bench.filled(0, 0) == never);
  REQUIRE(bench.filled(0, 10) == never);
  REQUIRE(bench.cache.outstanding() == 1);
  bench.next.respond(0, 60);
  REQUIRE(bench.cache.outstanding() == 0);
  REQUIRE(bench.fills.seen.size() == 1);
  REQUIRE(bench.fills.seen[0].line == Bench::line(0));
  REQUIRE(bench.fills.seen[0].filled == 60);
  REQUIRE(bench.filled(0, 30) == 60);
  REQUIRE(bench.filled(0, 61) == 61);
  REQUIRE(bench.statistics().merges == 2);
  REQUIRE(bench.statistics().hits == 1);
}

TEST_CASE("instruction cache: the least recently used line is replaced") {
  Bench bench;
  bench.filled(0, 0);
  bench.filled(1, 1000);
  bench.filled(0, 2000);
  bench.filled(2, 3000);  // replaces line 1
  REQUIRE(bench.filled(0, 4000) == 4000);
  REQUIRE(bench.filled(2, 4000) == 4000);
  REQUIRE(bench.filled(1, 4000) == 4000 + next_level_latency);
}

TEST_CASE("instruction cache: a new kernel finds no lines or answers of the previous kernel") {
  Bench bench;
  bench.filled(0, 0);
  REQUIRE(bench.filled(0, 100) == 100);
  bench.next.answer = Answer::hold;
  bench.filled(1, 100);
  bench.cache.begin();
  bench.next.respond(1, 150);
  REQUIRE(bench.fills.seen.empty());
  REQUIRE(bench.cache.outstanding() == 0);
  bench.next.answer = Answer::at_once;
  REQUIRE(bench.filled(0, 200) == 200 + next_level_latency);
  REQUIRE(bench.filled(1, 200) == 200 + next_level_latency);
}

}  // namespace reconverge
