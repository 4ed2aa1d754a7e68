// SPDX-License-Identifier: Apache-2.0
// The load/store unit through its sockets: wide loads, one array for shared memory and the L1 cache, atomics.

#include <numeric>

#include "tests/unit/sm/load_store_bench.hpp"

namespace reconverge {

using kernel::OperationClass;
using kernel::Space;
using tests::LoadStoreBench;
using Answer = tests::MemoryStandIn::Answer;

namespace {

/// All lines of an instruction leave in one cycle.
LoadStoreParameters many_ports() {
  auto parameters = LoadStoreBench::simple();
  parameters.units = 32;
  return parameters;
}

}  // namespace

TEST_CASE("load/store: a load of more than 4 bytes per lane returns later, by the width of the way back") {
  struct Row {
    unsigned bytes;
    LaneMask lanes;
    Cycle more;
    std::uint64_t return_bytes = 64;
  };
  const Row row = GENERATE(values<Row>({{1, all_lanes, 0},
                                        {4, all_lanes, 0},
                                        {8, all_lanes, 2},   // 256 bytes take 4 cycles, 128 take 2
                                        {16, all_lanes, 6},  // 8 cycles
                                        {16, 0xffff, 3},     // 4 cycles, and 1
                                        {16, 0x1, 0},
                                        {8, all_lanes, 1, 128},
                                        {16, all_lanes, 3, 128},
                                        {16, all_lanes, 12, 32},
                                        {16, all_lanes, 0, 0}}));
  auto parameters = many_ports();
  parameters.return_bytes = row.return_bytes;
  LoadStoreBench bench(parameters);
  Cycle now = 10;
  const auto latency = [&](Space space, OperationClass kind) {
    bench.operation_class = kind;
    bench.access(space, row.bytes, [&](unsigned lane) { return DeviceAddress{row.bytes} * lane; });
    auto one = bench.request(now += 100);
    one.lanes = row.lanes;
    return bench.collector.send(one).result - now;
  };
  CAPTURE(row.bytes, row.lanes, row.return_bytes);
  CHECK(latency(Space::global, OperationClass::load) == LoadStoreBench::cache_latency + row.more);
  CHECK(latency(Space::local, OperationClass::load) == LoadStoreBench::cache_latency + row.more);
  CHECK(latency(Space::global, OperationClass::store) == LoadStoreBench::cache_latency);
  const Cycle shared = latency(Space::shared, OperationClass::load);
  parameters.return_bytes = 0;
  LoadStoreBench without(parameters);
  without.access(Space::shared, row.bytes, [&](unsigned lane) { return DeviceAddress{row.bytes} * lane; });
  auto one = without.request(10);
  one.lanes = row.lanes;
  CHECK(shared == without.collector.send(one).result - 10);
  bench.instruction.opcode = kernel::Opcode::ld;
  bench.instruction.variant = static_cast<std::uint8_t>(kernel::CacheOperator::nc);
  CHECK(latency(Space::global, OperationClass::load) == LoadStoreBench::cache_latency + row.more);
  REQUIRE(bench.texture.seen().size() >= 1);
}

TEST_CASE("load/store: the width of the way back counts from the last line") {
  auto parameters = many_ports();
  parameters.return_bytes = 64;
  LoadStoreBench bench(parameters);
  bench.data.answer = Answer::later;
  bench.access(Space::global, 16, [](unsigned lane) { return DeviceAddress{16} * lane; });
  REQUIRE(bench.issue(10).result == never);
  REQUIRE(bench.data.seen().size() == 4);
  for (const std::size_t number : {1U, 0U, 3U}) bench.data.respond(number, 70 + number);
  bench.data.respond(2, 90);
  REQUIRE(bench.writeback.seen.size() == 1);
  REQUIRE(bench.writeback.seen[0].result == 90 + 6);
}

TEST_CASE("load/store: with one array, a load of the L1 cache has the bank conflicts of shared memory") {
  struct Row {
    unsigned stride;  // words
    Cycle cycles;     // that the load occupies the unit
  };
  // A load touches as many lines of 32 words as its stride, at most 32; four leave in a cycle. gcd(stride, 32) of its
  // words are in one bank.
  const Row row = GENERATE(
      values<Row>({{1, 1}, {2, 2}, {4, 4}, {8, 8}, {16, 16}, {17, 5}, {32, 32}, {33, 8}, {3, 1}, {12, 4}, {20, 5}}));
  auto parameters = LoadStoreBench::simple();
  parameters.units = 4;
  parameters.one_array = true;
  LoadStoreBench bench(parameters);
  const auto strided = [&](Space space) {
    bench.access(space, 4, [&](unsigned lane) { return DeviceAddress{4} * row.stride * lane; });
  };
  const auto busy = [&](Cycle now) {
    bench.issue(now);
    bench.issue(now);
    const Cycle second = bench.unit.next_event();
    bench.unit.tick(second);
    return second - now;
  };
  strided(Space::global);
  const std::size_t lines = std::min(32U, row.stride);
  const Cycle conflicts = std::gcd(row.stride, 32U);
  CAPTURE(row.stride, lines, conflicts);
  REQUIRE(std::max<Cycle>((lines + 3) / 4, conflicts) == row.cycles);
  REQUIRE(busy(100) == row.cycles);
  REQUIRE(bench.data.seen().size() == 2 * lines);
  // Without additional lines, the result is late by the conflicts.
  if (lines <= 4) CHECK(bench.issue(200).result == 200 + conflicts - 1 + LoadStoreBench::cache_latency);
  if (conflicts == 1) CHECK(bench.issue(300).result == 300 + (lines + 3) / 4 - 1 + LoadStoreBench::cache_latency);
  // Stores and texture fetches do not wait for banks.
  bench.operation_class = OperationClass::store;
  CHECK(busy(400) == (lines + 3) / 4);
  bench.operation_class = OperationClass::load;
  bench.instruction.opcode = kernel::Opcode::tex;
  CHECK(busy(500) == (lines + 3) / 4);
  CHECK(bench.statistics().shared_conflict_cycles == 0);
}

TEST_CASE("load/store: a separate array of the L1 cache has no bank conflicts") {
  auto parameters = LoadStoreBench::simple();
  parameters.units = 4;
  LoadStoreBench bench(parameters);
  bench.access(Space::global, 4, [](unsigned lane) { return DeviceAddress{64} * lane; });
  REQUIRE(bench.issue(100).result == 103 + LoadStoreBench::cache_latency);
}

TEST_CASE("load/store: an atomic in shared memory takes cycles for each further lane with its address") {
  auto parameters = LoadStoreBench::simple();
  parameters.shared_atomic_cycles = 5;
  parameters.shared_atomic_interval = 2;
  LoadStoreBench bench(parameters);
  Cycle now = 0;
  const auto busy = [&](OperationClass kind, const std::function<DeviceAddress(unsigned)>& address) {
    bench.operation_class = kind;
    bench.access(Space::shared, 4, address);
    const std::uint64_t before = bench.statistics().shared_conflict_cycles;
    const Cycle result = bench.issue(now += 1000).result;
    const Cycle cycles = bench.statistics().shared_conflict_cycles - before + 1;
    REQUIRE(result == now + cycles - 1 + LoadStoreBench::shared_latency);
    bench.access(Space::shared, 4, [](unsigned lane) { return DeviceAddress{4} * lane; });
    bench.issue(now);
    REQUIRE(bench.unit.next_event() == now + cycles);
    bench.unit.tick(now + cycles);
    return cycles;
  };
  for (const unsigned lanes : {1U, 2U, 5U, 31U, 32U}) {
    CAPTURE(lanes);
    // The first lanes have the address of lane 0.
    const auto address = [lanes](unsigned lane) { return DeviceAddress{4} * (lane < lanes ? 0 : lane); };
    CHECK(busy(OperationClass::atomic, address) == 6 + 2 * (lanes - 1));
    CHECK(busy(OperationClass::load, address) == 1);
    CHECK(busy(OperationClass::store, address) == 1);
  }
  // Three lanes have one address, two another.
  CHECK(busy(OperationClass::atomic, [](unsigned lane) {
          return DeviceAddress{4} * (lane < 3 ? 0 : lane < 5 ? 3 : lane);
        }) == 6 + 2 * 2);
  // Conflicts of different words are added.
  CHECK(busy(OperationClass::atomic, [](unsigned lane) { return DeviceAddress{8} * lane; }) == 6 + 1);
  CHECK(busy(OperationClass::load, [](unsigned lane) { return DeviceAddress{8} * lane; }) == 2);
}

TEST_CASE("load/store: an atomic tells the cache how many lanes have one address") {
  LoadStoreBench bench;
  const auto together = [&](OperationClass kind, LaneMask lanes,
                            const std::function<DeviceAddress(unsigned)>& address) {
    bench.operation_class = kind;
    bench.access(Space::global, 4, address);
    auto one = bench.request(1000 * (bench.data.seen().size() + 1));
    one.lanes = lanes;
    bench.collector.send(one);
    return bench.data.seen().back().together;
  };
  const auto same = [](unsigned /*lane*/) { return DeviceAddress{64}; };
  const auto different = [](unsigned lane) { return DeviceAddress{4} * lane; };
  const auto pairs = [](unsigned lane) { return DeviceAddress{4} * (lane / 2); };
  CHECK(together(OperationClass::atomic, all_lanes, same) == 32);
  CHECK(together(OperationClass::atomic, all_lanes, different) == 1);
  CHECK(together(OperationClass::atomic, all_lanes, pairs) == 2);
  CHECK(together(OperationClass::atomic, 0x0f, same) == 4);
  CHECK(together(OperationClass::atomic, 0x10, same) == 1);
  CHECK(together(OperationClass::load, all_lanes, same) == 1);
  CHECK(together(OperationClass::store, all_lanes, same) == 1);
}

}  // namespace reconverge
