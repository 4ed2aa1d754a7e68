// SPDX-License-Identifier: Apache-2.0
// The requests of an L2 slice to memory through its socket, and its handling of later responses.

#include "models/memory/l2_slice.hpp"
#include "tests/unit/memory/slice_bench.hpp"
#include "tests/unit/memory/stand_in.hpp"

namespace reconverge {
namespace {

using tests::read;
using tests::SliceBench;
using tests::write;
using Answer = tests::MemoryStandIn::Answer;

constexpr Cycle hit = SliceBench::latency;

/// The slice of SliceBench in front of memory that responds when the test tells it to.
struct Bench {
  explicit Bench(const L2CacheParameters& parameters = SliceBench::small())
      : map(parameters, 1),
        timeline("timeline"),
        calendar(timeline, Clock(1'000'000'000)),
        slice("slice", parameters, map, calendar),
        memory("memory"),
        traffic("traffic") {
    memory.answer = Answer::hold;
    traffic.socket.bind(slice.requests);
    slice.memory.bind(memory.requests);
    traffic.run(0);
  }

  const SimulationContext context;
  AddressMap map;
  Timeline timeline;
  Calendar calendar;
  L2Slice slice;
  tests::MemoryStandIn memory;
  tests::Traffic traffic;
};

}  // namespace

TEST_CASE("L2: a slice requests missing sectors in the cycle of the look-up") {
  Bench bench;
  const auto load = bench.traffic.send(read(128, 0x6), 5);
  bench.traffic.run(50);
  const auto& fetch = bench.memory.only();
  REQUIRE(fetch.arrival == 5);
  REQUIRE(fetch.address == 128);
  REQUIRE(fetch.sectors == 0x6);
  REQUIRE(fetch.bytes == 64);
  REQUIRE_FALSE(fetch.write);
  REQUIRE(bench.slice.at_memory() == 1);
  REQUIRE(bench.slice.in_flight() == 1);
  bench.memory.respond(0, 70);
  REQUIRE(bench.slice.fills_waiting() == 1);
  bench.traffic.run(100);
  REQUIRE(bench.traffic.answered(load) == 70 + hit);
  REQUIRE(bench.slice.at_memory() == 0);
  REQUIRE(bench.slice.in_flight() == 0);
  // Another sector of the line.
  bench.traffic.send(read(128));
  bench.traffic.run(1);
  REQUIRE(bench.memory.only().sectors == 0x9);
}

TEST_CASE("a slice writes back the modified sectors of an evicted line and fetches the new line") {
  Bench bench;
  for (const DeviceAddress i : {0, 1}) bench.traffic.send(write(i * SliceBench::same_set, 0x3));
  bench.traffic.run(100);
  REQUIRE(bench.memory.seen().empty());
  const Cycle start = bench.traffic.now();
  const auto load = bench.traffic.send(read(2 * SliceBench::same_set, 0x1));
  bench.traffic.run(10);
  REQUIRE(bench.memory.seen().size() == 2);
  const auto& written_back = bench.memory.seen()[0];
  REQUIRE(written_back.write);
  REQUIRE(written_back.address == 0);
  REQUIRE(written_back.sectors == 0x3);
  REQUIRE(written_back.bytes == 64);
  REQUIRE(written_back.arrival == start);
  REQUIRE(bench.memory.seen()[1].address == 2 * SliceBench::same_set);
  // The read does not wait for the write's acknowledgement.
  bench.memory.respond(1, start + 20);
  bench.traffic.run(100);
  REQUIRE(bench.traffic.answered(load) == start + 20 + hit);
  REQUIRE(bench.slice.at_memory() == 1);
  bench.memory.respond(0, bench.traffic.now());
  REQUIRE(bench.slice.at_memory() == 0);
}

TEST_CASE("an acknowledged write admits the request that waits for its place") {
  auto parameters = SliceBench::small();
  parameters.write_policy = L2CacheWritePolicy::write_through;
  parameters.write_buffer = 2;
  Bench bench(parameters);
  for (DeviceAddress i = 0; i < 3; ++i) bench.traffic.send(write(i * 128, 0x1));
  bench.traffic.run(50);
  REQUIRE(bench.memory.seen().size() == 2);
  bench.memory.respond(0, 60);
  bench.traffic.run(100);
  REQUIRE(bench.memory.seen().at(2).arrival == 60);
  REQUIRE(bench.traffic.answers() == std::vector<Cycle>{hit, 1 + hit, 60 + hit});
  REQUIRE(bench.slice.statistics().stalls[L2CacheStalls::write_buffer] == 60 - 2);
}

}  // namespace reconverge
