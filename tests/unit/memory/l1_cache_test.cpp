// SPDX-License-Identifier: Apache-2.0
// An L1 cache through its sockets: reads, banks, sectors, merges, MSHRs, replacement.

#include "tests/unit/memory/l1_bench.hpp"

namespace reconverge {

using tests::L1Bench;
using tests::read;
using Answer = tests::MemoryStandIn::Answer;

constexpr Cycle hit = L1Bench::hit;
constexpr Cycle fill = L1Bench::fill;
constexpr Cycle miss = fill + hit;
constexpr DeviceAddress same_set = L1Bench::same_set;

TEST_CASE("L1: a hit takes its latency, a miss the next level's before it") {
  L1Bench bench;
  REQUIRE(bench.isolated(read(128)) == miss);
  const auto& fetch = bench.next.only();
  REQUIRE(fetch.arrival == 0);
  REQUIRE(fetch.address == 128);
  REQUIRE(fetch.sectors == 0xf);
  REQUIRE(fetch.bytes == 128);
  REQUIRE_FALSE(fetch.write);
  REQUIRE(fetch.sm == L1Bench::sm);
  REQUIRE(bench.isolated(read(128)) == hit);
  REQUIRE(bench.isolated(read(128, 0x2)) == hit);
  REQUIRE(bench.statistics().misses == 1);
  REQUIRE(bench.statistics().hits == 2);
  REQUIRE(bench.statistics().fetched_sectors == 4);
  REQUIRE(bench.cache.outstanding() == 0);
}

TEST_CASE("L1: sectors that are missing are fetched, and no others") {
  L1Bench bench;
  REQUIRE(bench.isolated(read(0, 0x1)) == miss);
  REQUIRE(bench.next.only().sectors == 0x1);
  REQUIRE(bench.isolated(read(0, 0x7)) == miss);
  REQUIRE(bench.next.only().sectors == 0x6);
  REQUIRE(bench.isolated(read(0, 0x5)) == hit);
  REQUIRE(bench.statistics().sector_misses == 1);
  REQUIRE(bench.statistics().misses == 2);
  REQUIRE(bench.statistics().fetched_sectors == 3);
}

TEST_CASE("L1: a bank takes one request per cycle and banks interleave by line") {
  auto parameters = L1Bench::small();
  const DeviceAddress line = GENERATE(64, 128);
  parameters.line = line;
  parameters.capacity = 8 * line;
  parameters.banks = 2;
  L1Bench bench(parameters);
  for (const DeviceAddress i : {0, 1, 2}) bench.isolated(read(i * line, 0x3));
  const Cycle start = bench.traffic.now();
  for (const DeviceAddress i : {0, 1, 2, 0}) bench.traffic.send(read(i * line, 0x3));
  bench.run(100);
  // Lines 0 and 2 share a bank, 1 uses the other: accepted in cycles 0, 0, 1, 2.
  REQUIRE(bench.traffic.answered(3) == start + hit);
  REQUIRE(bench.traffic.answered(4) == start + hit);
  REQUIRE(bench.traffic.answered(5) == start + 1 + hit);
  REQUIRE(bench.traffic.answered(6) == start + 2 + hit);
  REQUIRE(bench.statistics().misses == 3);
  REQUIRE(bench.statistics().bank_conflict_cycles == 3);
}

TEST_CASE("L1: a bank delivers a limited number of bytes of a load per cycle") {
  struct Row {
    std::uint64_t bank_bytes;
    SectorMask sectors;
    Cycle cycles;
  };
  const Row row = GENERATE_COPY(values<Row>({{0, 0xf, 1},
                                             {32, 0xf, 4},
                                             {64, 0xf, 2},
                                             {128, 0xf, 1},
                                             {256, 0xf, 1},
                                             {64, 0x7, 2},
                                             {64, 0xa, 1},
                                             {64, 0x1, 1},
                                             {48, 0x7, 2}}));
  auto parameters = L1Bench::small();
  parameters.banks = 2;
  parameters.bank_bytes = row.bank_bytes;
  L1Bench bench(parameters);
  for (const DeviceAddress i : {0, 1, 2}) bench.isolated(read(i * 128));
  CAPTURE(row.bank_bytes, static_cast<unsigned>(row.sectors));
  const Cycle start = bench.traffic.now();
  const auto first = bench.traffic.send(read(0, row.sectors));
  const auto same_bank = bench.traffic.send(read(256, row.sectors));
  const auto other_bank = bench.traffic.send(read(128, row.sectors));
  bench.run(100);
  REQUIRE(bench.traffic.answered(first) == start + hit);
  REQUIRE(bench.traffic.answered(same_bank) == start + row.cycles + hit);
  REQUIRE(bench.traffic.answered(other_bank) == start + hit);
  REQUIRE(bench.statistics().bank_conflict_cycles == row.cycles);
  // A store occupies its bank for a cycle.
  const Cycle later = bench.traffic.now();
  bench.traffic.send(tests::write(0));
  const auto load = bench.traffic.send(read(0, 0x1));
  bench.run(1000);
  REQUIRE(bench.statistics().bank_conflict_cycles == row.cycles + 1);
  REQUIRE(bench.traffic.answered(load) >= later + 1 + hit);
}

TEST_CASE("L1: another capacity has other sets, and no lines at first") {
  L1Bench bench;
  const auto hits = [&](unsigned lines) {
    for (DeviceAddress i = 0; i < lines; ++i) bench.isolated(read(i * 128));
    unsigned count = 0;
    for (DeviceAddress i = 0; i < lines; ++i) count += bench.isolated(read(i * 128)) == hit ? 1 : 0;
    return count;
  };
  REQUIRE(hits(8) == 8);
  bench.cache.resize(1024);  // as before: lines stay
  REQUIRE(bench.isolated(read(0)) == hit);
  bench.cache.resize(512);
  REQUIRE(bench.isolated(read(0)) == miss);
  REQUIRE(hits(4) == 4);
  bench.cache.invalidate();
  REQUIRE(hits(8) == 0);
  bench.cache.resize(1536);  // six sets
  REQUIRE(bench.isolated(read(0)) == miss);
  REQUIRE(hits(12) == 12);
  REQUIRE(bench.cache.outstanding() == 0);
}

TEST_CASE("L1: an atomic tells the next level how many lanes have one address") {
  L1Bench bench;
  bench.isolated(tests::atomic(0, 5));
  REQUIRE(bench.next.only().together == 5);
  bench.isolated(tests::read(128));
  REQUIRE(bench.next.only().together == 1);
}

TEST_CASE("L1: a pending sector is waited for and not requested again") {
  L1Bench bench;
  // Accepted in cycles 0, 5 and 6. The second needs a sector that was not requested: it arrives in 105.
  const auto first = bench.traffic.send(read(0, 0x1));
  const auto both = bench.traffic.send(read(0, 0x3), 5);
  const auto merged = bench.traffic.send(read(0, 0x1), 6);
  bench.run(1000);
  REQUIRE(bench.traffic.answered(first) == fill + hit);
  REQUIRE(bench.traffic.answered(both) == 5 + fill + hit);
  REQUIRE(bench.traffic.answered(merged) == fill + hit);
  REQUIRE(bench.next.seen().size() == 2);
  REQUIRE(bench.next.seen()[1].sectors == 0x2);
  REQUIRE(bench.statistics().merges == 1);
  REQUIRE(bench.statistics().misses == 2);
  REQUIRE(bench.statistics().sector_misses == 1);
}

TEST_CASE("L1: a next level that answers later answers all that wait") {
  L1Bench bench;
  bench.next.answer = Answer::hold;
  const auto first = bench.traffic.send(read(0, 0x1));
  const auto both = bench.traffic.send(read(0, 0x3));
  const auto merged = bench.traffic.send(read(0, 0x1));
  bench.run(50);
  REQUIRE(bench.traffic.order().empty());
  REQUIRE(bench.cache.outstanding() == 2);
  bench.next.respond(1, 70);
  REQUIRE(bench.traffic.order().empty());  // a read that needs both fetches still waits
  bench.next.respond(0, 60);
  bench.run(100);
  REQUIRE(bench.traffic.answered(first) == 60 + hit);
  REQUIRE(bench.traffic.answered(merged) == 60 + hit);
  REQUIRE(bench.traffic.answered(both) == 70 + hit);
  REQUIRE(bench.cache.outstanding() == 0);
  bench.next.answer = Answer::at_once;
  REQUIRE(bench.isolated(read(0, 0x3)) == hit);
}

TEST_CASE("L1: a request without a free MSHR is held until data arrives") {
  auto parameters = L1Bench::small();
  parameters.mshrs = 1;
  L1Bench bench(parameters);
  SECTION("when that is known") {
    bench.traffic.send(read(0));
    const auto held = bench.traffic.send(read(128), 1);
    REQUIRE(bench.cache.next_event() == fill);
    bench.run(1000);
    REQUIRE(bench.traffic.answered(held) == fill + fill + hit);
    REQUIRE(bench.next.seen()[1].arrival == fill);
  }
  SECTION("when it is not: the cache tells when there is room") {
    bench.next.answer = Answer::hold;
    const auto first = bench.traffic.send(read(0));
    const auto held = bench.traffic.send(read(128));
    bench.run(50);
    REQUIRE(bench.cache.next_event() == never);
    bench.next.respond(0, 60);
    REQUIRE(bench.next.seen().size() == 1);
    bench.traffic.run(30);  // only the event ticks the cache
    REQUIRE(bench.traffic.taken(held) == 60);
    REQUIRE(bench.next.seen().at(1).arrival == 60);
    bench.next.respond(1, 90);
    REQUIRE(bench.traffic.answered(first) == 60 + hit);
    REQUIRE(bench.traffic.answered(held) == 90 + hit);
  }
  REQUIRE(bench.statistics().mshr_stalls == 1);
  REQUIRE(bench.traffic.outstanding() == 0);
}

TEST_CASE("L1: a limited number of requests wait for one fetch and the next is held") {
  auto parameters = L1Bench::small();
  parameters.merges = 2;
  L1Bench bench(parameters);
  bench.next.answer = Answer::hold;
  for (unsigned i = 0; i < 3; ++i) bench.traffic.send(read(0));
  bench.run(10);
  REQUIRE(bench.statistics().merges == 1);
  REQUIRE(bench.statistics().mshr_stalls == 1);
  bench.next.respond(0, 40);
  bench.run(100);
  // The third finds the data in cycle 40.
  for (std::uint32_t i = 0; i < 3; ++i) REQUIRE(bench.traffic.answered(i) == 40 + hit);
  REQUIRE(bench.statistics().hits == 1);
}

TEST_CASE("L1: a set with all lines pending takes no other line") {
  L1Bench bench;
  for (DeviceAddress i = 0; i < 3; ++i) bench.traffic.send(read(i * same_set));
  bench.run(1000);
  REQUIRE(bench.traffic.answered(1) == 1 + miss);
  REQUIRE(bench.traffic.answered(2) == fill + miss);
  REQUIRE(bench.statistics().mshr_stalls == 1);
}

TEST_CASE("L1: the line that was not used for longest is replaced") {
  auto parameters = L1Bench::small();
  SECTION("of two ways") {
    L1Bench bench(parameters);
    for (const DeviceAddress i : {0, 1, 0, 2}) bench.isolated(read(i * same_set));
    REQUIRE(bench.isolated(read(0)) == hit);
    REQUIRE(bench.isolated(read(same_set)) == miss);
  }
  SECTION("of four") {
    parameters.ways = 4;
    L1Bench bench(parameters);
    for (const DeviceAddress i : {0, 1, 2}) bench.isolated(read(i * same_set));
    REQUIRE(bench.isolated(read(0)) == hit);
  }
}

TEST_CASE("L1: a launch begins with no lines") {
  L1Bench bench;
  bench.isolated(read(0));
  bench.cache.invalidate();
  REQUIRE(bench.isolated(read(0)) == miss);
}

TEST_CASE("L1: geometries without whole sets are refused") {
  const SimulationContext context;
  auto parameters = L1Bench::small();
  parameters.capacity = 1000;
  REQUIRE_THROWS_WITH(L1Cache("cache", parameters, 0, Clock(1'000'000'000)), Catch::Contains("l1_cache"));
}

}  // namespace reconverge
