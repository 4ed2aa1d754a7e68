// SPDX-License-Identifier: Apache-2.0
// An L1 cache through its sockets: stores, local memory, atomics, and the cache without storage.

#include "tests/unit/memory/l1_bench.hpp"

namespace reconverge {

using tests::atomic;
using tests::L1Bench;
using tests::local;
using tests::read;
using tests::write;
using Answer = tests::MemoryStandIn::Answer;

constexpr Cycle hit = L1Bench::hit;
constexpr Cycle fill = L1Bench::fill;
constexpr Cycle miss = fill + hit;
constexpr DeviceAddress same_set = L1Bench::same_set;

TEST_CASE("L1: a global store is passed on at once and answered when its bank accepts it") {
  auto parameters = L1Bench::small();
  const bool evict = GENERATE(true, false);
  parameters.write_policy = evict ? L1CacheWritePolicy::write_evict : L1CacheWritePolicy::write_through;
  L1Bench bench(parameters);
  bench.isolated(read(0));
  bench.next.only();
  REQUIRE(bench.isolated(write(0, 0x3)) == 0);
  const auto& store = bench.next.only();
  REQUIRE(store.write);
  REQUIRE_FALSE(store.atomic);
  REQUIRE(store.sectors == 0x3);
  REQUIRE(store.bytes == 64);
  REQUIRE(store.sm == L1Bench::sm);
  REQUIRE(bench.cache.outstanding() == 0);
  // Evicted sectors, and only they, are fetched again.
  REQUIRE(bench.isolated(read(0)) == (evict ? miss : hit));
  if (evict) REQUIRE(bench.next.only().sectors == 0x3);
  // A store to an absent line does not allocate.
  bench.isolated(write(128));
  REQUIRE(bench.isolated(read(128)) == miss);
  REQUIRE(bench.statistics().writes == 2);
}

TEST_CASE("L1: a limited number of stores await acknowledgement and the next is held") {
  auto parameters = L1Bench::small();
  parameters.pending_writes = 2;
  L1Bench bench(parameters);
  // Accepted in cycles 0 and 1, acknowledged in 100 and 101.
  for (DeviceAddress i = 0; i < 3; ++i) bench.traffic.send(write(i * 128));
  bench.run(1000);
  REQUIRE(bench.traffic.answers() == std::vector<Cycle>{0, 1, fill});
  REQUIRE(bench.statistics().mshr_stalls == 1);
  REQUIRE(bench.statistics().bank_conflict_cycles == 1);
}

TEST_CASE("L1: stores that are acknowledged later let the held one in") {
  auto parameters = L1Bench::small();
  parameters.pending_writes = 1;
  L1Bench bench(parameters);
  bench.next.answer = Answer::hold;
  bench.traffic.send(write(0));
  const auto held = bench.traffic.send(write(128));
  bench.run(30);
  bench.next.respond(0, 45);
  bench.run(100);
  REQUIRE(bench.traffic.answered(held) == 45);
  REQUIRE(bench.next.seen().at(1).arrival == 45);
}

TEST_CASE("L1: local memory stays until its line is evicted and its modified sectors are written back") {
  L1Bench bench;
  REQUIRE(bench.isolated(local(write(0, 0x3))) == 0);
  REQUIRE(bench.isolated(local(read(0, 0x3))) == hit);
  REQUIRE(bench.next.seen().empty());
  REQUIRE(bench.isolated(local(read(0, 0x4))) == miss);
  REQUIRE(bench.next.only().local);
  bench.isolated(read(same_set));
  bench.isolated(read(2 * same_set));  // evicts it
  REQUIRE(bench.next.seen().size() == 4);
  const auto& written_back = bench.next.seen()[2];
  REQUIRE(written_back.write);
  REQUIRE(written_back.address == 0);
  REQUIRE(written_back.sectors == 0x3);
  REQUIRE(bench.next.seen()[3].arrival == written_back.arrival);  // the fetch that took the line
  REQUIRE(bench.statistics().write_backs == 1);
  bench.isolated(read(3 * same_set));  // evicts an unwritten line
  REQUIRE(bench.statistics().write_backs == 1);
}

TEST_CASE("L1: an evicted line needs a place among the stores") {
  auto parameters = L1Bench::small();
  parameters.pending_writes = 1;
  L1Bench bench(parameters);
  bench.isolated(local(write(0)));
  bench.isolated(local(write(same_set)));
  const Cycle start = bench.traffic.now();
  bench.traffic.send(write(128));  // acknowledged in 100
  const auto load = bench.traffic.send(read(2 * same_set));
  bench.run(1000);
  REQUIRE(bench.traffic.answered(load) == start + fill + miss);
  REQUIRE(bench.statistics().write_backs == 1);
}

TEST_CASE("L1: without write-allocate, a local store that misses goes to the next level") {
  auto parameters = L1Bench::small();
  parameters.local_write_miss = L1CacheLocalWriteMiss::no_write_allocate;
  L1Bench bench(parameters);
  SECTION("it allocates no line, and a hit stays in the cache") {
    REQUIRE(bench.isolated(local(write(0, 0x3))) == 0);
    const auto store = bench.next.only();
    REQUIRE(store.write);
    REQUIRE(store.sectors == 0x3);
    REQUIRE(store.bytes == 64);
    REQUIRE(bench.isolated(local(read(0))) == miss);
    bench.next.only();
    REQUIRE(bench.isolated(local(write(0, 0x3))) == 0);
    REQUIRE(bench.next.seen().size() == 2);
    bench.isolated(read(same_set));
    bench.isolated(read(2 * same_set));  // evicts the line
    REQUIRE(bench.next.seen().size() == 5);
    REQUIRE(bench.next.seen()[3].write);
    REQUIRE(bench.next.seen()[3].sectors == 0x3);
    REQUIRE(bench.statistics().writes == 2);
    REQUIRE(bench.statistics().local_write_misses == 1);
    REQUIRE(bench.statistics().write_backs == 1);
  }
  SECTION("a whole line is stored as the sectors that lanes access, and written back whole") {
    auto store = local(write(0));
    store.padding = 0xc;
    bench.isolated(store);
    REQUIRE(bench.next.only().sectors == 0x3);
    bench.isolated(local(read(0)));
    bench.isolated(store);
    bench.isolated(read(same_set));
    bench.isolated(read(2 * same_set));
    REQUIRE(bench.next.seen()[3].write);
    REQUIRE(bench.next.seen()[3].sectors == 0xf);
  }
  SECTION("it misses if one of its sectors is missing") {
    bench.isolated(local(read(0, 0x1)));
    bench.next.only();
    bench.isolated(local(write(0, 0x3)));
    REQUIRE(bench.next.only().sectors == 0x3);
    REQUIRE(bench.isolated(local(read(0, 0x1))) == hit);
    REQUIRE(bench.isolated(local(read(0, 0x2))) == miss);
  }
  SECTION("it misses while its line is being fetched, and the line arrives all the same") {
    bench.traffic.send(local(read(0)));
    bench.traffic.send(local(write(0)), 1);
    bench.run(1000);
    REQUIRE(bench.next.seen().size() == 2);
    REQUIRE(bench.next.seen()[1].write);
    REQUIRE(bench.statistics().local_write_misses == 1);
    REQUIRE(bench.isolated(local(read(0))) == hit);
  }
  SECTION("it needs a place among the stores") {
    parameters.pending_writes = 1;
    L1Bench narrow(parameters);
    narrow.traffic.send(local(write(0)));
    narrow.traffic.send(local(write(128)));
    narrow.run(1000);
    REQUIRE(narrow.traffic.answers() == std::vector<Cycle>{0, fill});
    REQUIRE(narrow.statistics().mshr_stalls == 1);
  }
}

TEST_CASE("L1: with write-allocate, the first local store to a line misses") {
  L1Bench bench;
  for (unsigned i = 0; i < 3; ++i) bench.isolated(local(write(0, 0x1)));
  bench.isolated(local(write(0, 0x2)));
  bench.isolated(local(write(128)));
  REQUIRE(bench.next.seen().empty());
  REQUIRE(bench.statistics().writes == 5);
  REQUIRE(bench.statistics().local_write_misses == 2);
}

TEST_CASE("L1: the next level executes an atomic and the L1 copy is out of date") {
  auto parameters = L1Bench::small();
  parameters.mshrs = 1;
  L1Bench bench(parameters);
  bench.isolated(read(0));
  bench.next.only();
  REQUIRE(bench.isolated(atomic(0)) == miss);
  const auto& add = bench.next.only();
  REQUIRE(add.atomic);
  REQUIRE(add.write);
  REQUIRE(add.sectors == 0x1);
  REQUIRE(bench.isolated(read(0)) == miss);
  REQUIRE(bench.next.only().sectors == 0x1);
  REQUIRE(bench.statistics().writes == 1);
  // It takes an MSHR: the second one waits for that of the first.
  const Cycle start = bench.traffic.now();
  bench.traffic.send(atomic(0));
  const auto second = bench.traffic.send(atomic(0));
  bench.run(1000);
  REQUIRE(bench.traffic.answered(second) == start + fill + miss);
}

TEST_CASE("L1: without storage every request is passed on unchanged") {
  auto parameters = L1Bench::small();
  parameters.capacity = 0;
  parameters.mshrs = 2;
  parameters.pending_writes = 1;
  L1Bench bench(parameters);
  SECTION("one by one") {
    for (unsigned i = 0; i < 2; ++i) REQUIRE(bench.isolated(read(0, 0x5)) == miss);
    REQUIRE(bench.isolated(atomic(0)) == miss);
    REQUIRE(bench.isolated(write(0)) == 0);
    REQUIRE(bench.next.seen().size() == 4);
    REQUIRE(bench.next.seen()[0].sectors == 0x5);
    REQUIRE(bench.next.seen()[2].atomic);
    REQUIRE(bench.statistics().misses == 2);
    REQUIRE(bench.statistics().fetched_sectors == 4);
    REQUIRE(bench.statistics().writes == 2);
  }
  SECTION("reads of one line are not merged and only a limited number are in flight") {
    for (unsigned i = 0; i < 3; ++i) bench.traffic.send(read(0));
    bench.run(1000);
    REQUIRE(bench.traffic.answers() == std::vector<Cycle>{miss, 1 + miss, fill + miss});
    REQUIRE(bench.statistics().merges == 0);
  }
  SECTION("stores have separate places") {
    bench.traffic.send(write(0));
    bench.traffic.send(read(0));
    bench.traffic.send(write(0));
    bench.run(1000);
    REQUIRE(bench.traffic.answers() == std::vector<Cycle>{0, 1 + miss, fill});
  }
  REQUIRE(bench.cache.outstanding() == 0);
  REQUIRE(bench.traffic.outstanding() == 0);
}

}  // namespace reconverge
