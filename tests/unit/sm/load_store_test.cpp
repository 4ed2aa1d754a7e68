// SPDX-License-Identifier: Apache-2.0
// The load/store unit through its sockets: the cost of instructions, one by one.

#include "tests/unit/sm/load_store_bench.hpp"

namespace reconverge {

using kernel::OperationClass;
using kernel::Space;
using tests::LoadStoreBench;

TEST_CASE("load/store: shared memory takes a cycle for each word that one bank has to serve") {
  constexpr auto words = LoadStoreSharedWide::words;
  constexpr auto first_word = LoadStoreSharedWide::first_word;
  struct Row {
    unsigned stride;  // of lanes, in bytes
    unsigned bytes;
    unsigned banks;
    Cycle cycles;
    unsigned lanes = 32;
    unsigned ports = 1;
    LoadStoreSharedWide wide = LoadStoreSharedWide::words;
  };
  const Row row = GENERATE_COPY(values<Row>({
      {4, 4, 32, 1},                       // a word from each bank
      {0, 4, 32, 1},                       // one word for all
      {8, 4, 32, 2},                       // two words from every other bank
      {128, 4, 32, 32},                    // all from one
      {132, 4, 32, 1},                     // a row further, a bank further
      {4, 4, 16, 2},                       // two from each of sixteen
      {4, 4, 16, 2, 16},                   // a half of the warp, and the other
      {1, 1, 32, 1},                       // four lanes share a word
      {8, 8, 32, 2},                       // halves of the warp, each with a word from each bank
      {16, 16, 32, 4},                     // quarters
      {8, 8, 16, 4, 16},                   // quarters, for half-warps and sixteen banks
      {48, 16, 32, 4},                     // the same with a gap
      {32, 16, 32, 8},                     // two lanes of a quarter in the same four banks
      {48, 16, 16, 8, 16},                 // four lanes at a time
      {48, 16, 16, 8, 16, 1, first_word},  // four lanes of a half in each of four banks
      {48, 16, 16, 4, 16, 2, first_word},  // two of them a cycle
      {4, 4, 16, 1, 16, 2, first_word},    // both halves in one cycle
      {48, 16, 32, 4, 32, 1, first_word},  // eight banks
      {16, 16, 32, 2, 32, 2, words},       // two quarters a cycle
  }));
  auto parameters = LoadStoreBench::simple();
  parameters.shared_banks = row.banks;
  parameters.shared_lanes = row.lanes;
  parameters.shared_ports = row.ports;
  parameters.shared_wide = row.wide;
  LoadStoreBench bench(parameters);
  bench.access(Space::shared, row.bytes, [&](unsigned lane) { return DeviceAddress{lane} * row.stride; });
  const auto load = bench.issue(10);
  REQUIRE(load.start == 10);
  REQUIRE(load.from_memory);
  REQUIRE(load.result == 10 + row.cycles - 1 + LoadStoreBench::shared_latency);
  REQUIRE(bench.statistics().instructions[LoadStoreInstructions::shared] == 1);
  REQUIRE(bench.statistics().shared_conflict_cycles == row.cycles - 1);
  REQUIRE(bench.statistics().line_requests == 0);
  // The next has its turn when the unit has finished this one.
  REQUIRE(bench.issue(10 + row.cycles).result == 10 + 2 * row.cycles - 1 + LoadStoreBench::shared_latency);
}

TEST_CASE("load/store: lanes that share addresses in pairs halve the time of wide loads of shared memory") {
  struct Row {
    unsigned bytes;
    unsigned (*vector)(unsigned lane);  // that a lane loads
    Cycle cycles;
    LaneMask active = all_lanes;
    Cycle unpaired = 4;  // with shared_wide words
  };
  // Rows of 16 bytes: the patterns of test_lds128.cu in https://github.com/NgCafai/gpu-programming-samples, whose
  // author gives the requests that Nsight Compute counts. The first row is that of forums.developer.nvidia.com/t/77228.
  const Row row = GENERATE(values<Row>({
      {16, [](unsigned lane) { return lane % 4; }, 4},                      // no pair in a group of four
      {16, [](unsigned /*lane*/) { return 4U; }, 2, LaneMask{0x18000}, 2},  // a lane of each half of the warp
      {16, [](unsigned /*lane*/) { return 4U; }, 1, LaneMask{0x8001}, 2},   // two lanes of one half
      {16, [](unsigned lane) { return lane / 8 * 2 + lane / 2 % 2; }, 2},   // lanes n and n xor 1
      {16, [](unsigned lane) { return lane / 8 * 2 + lane / (lane < 16 ? 2 : 1) % 2; }, 4},  // and n xor 2 in one half
      {16, [](unsigned lane) { return lane / 16 * 4 + lane / 8 % 2 + lane / 4 % 2 * 8; }, 4, all_lanes,
       8},                                                            // conflicts
      {16, [](unsigned lane) { return lane % 2; }, 2},                // lanes n and n xor 2
      {16, [](unsigned /*lane*/) { return 0U; }, 2},                  // one address
      {8, [](unsigned lane) { return lane; }, 2, all_lanes, 2},       // halves of the warp
      {8, [](unsigned lane) { return lane / 2; }, 1, all_lanes, 2},   // lanes n and n xor 1
      {8, [](unsigned lane) { return lane % 16; }, 2, all_lanes, 2},  // the same in both halves
      {4, [](unsigned /*lane*/) { return 0U; }, 1, all_lanes, 1},     // a word is not wide
  }));
  auto parameters = LoadStoreBench::simple();
  for (const auto wide : {LoadStoreSharedWide::pairs, LoadStoreSharedWide::words}) {
    parameters.shared_wide = wide;
    LoadStoreBench bench(parameters);
    bench.access(Space::shared, row.bytes, [&](unsigned lane) { return DeviceAddress{row.vector(lane)} * row.bytes; });
    const Cycle cycles = wide == LoadStoreSharedWide::pairs ? row.cycles : row.unpaired;
    auto load = bench.request(10);
    load.lanes = row.active;
    REQUIRE(bench.collector.send(load).result == 10 + cycles - 1 + LoadStoreBench::shared_latency);
    // Stores have no such rule.
    bench.operation_class = OperationClass::store;
    auto store = bench.request(100);
    store.lanes = row.active;
    bench.collector.send(store);
    REQUIRE(bench.statistics().shared_conflict_cycles == cycles - 1 + row.unpaired - 1);
  }
}

TEST_CASE("load/store: a warp's loads become requests for the lines that its lanes touch") {
  LoadStoreBench bench;
  SECTION("side by side: one line") {
    REQUIRE(bench.issue(10).result == 10 + LoadStoreBench::cache_latency);
    const auto& request = bench.data.only();
    REQUIRE(request.arrival == 10);
    REQUIRE(request.address == 0);
    REQUIRE(request.sectors == 0xf);
    REQUIRE(request.bytes == 128);
    REQUIRE_FALSE(request.write);
    REQUIRE_FALSE(request.local);
  }
  SECTION("one sector") {
    bench.access(Space::global, 1, [](unsigned lane) { return 96 + lane; });
    bench.issue(10);
    REQUIRE(bench.data.only().sectors == 0x8);
    REQUIRE(bench.statistics().sectors == 1);
  }
  SECTION("across a line") {
    bench.access(Space::global, 4, [](unsigned lane) { return 64 + 4 * lane; });
    REQUIRE(bench.issue(10).result == 11 + LoadStoreBench::cache_latency);
    REQUIRE(bench.data.seen().size() == 2);
    REQUIRE(bench.data.seen()[0].sectors == 0xc);
    REQUIRE(bench.data.seen()[1].sectors == 0x3);
    REQUIRE(bench.data.seen()[1].address == 128);
  }
  SECTION("only lanes that passed the guard count; none take a cycle of the unit") {
    bench.lines(32);
    auto some = bench.request(10);
    some.lanes = 0x5;
    bench.collector.send(some);
    REQUIRE(bench.data.seen().size() == 2);
    some = bench.request(20);
    some.lanes = 0;
    REQUIRE(bench.collector.send(some).result == 21);
    REQUIRE(bench.data.seen().size() == 2);
    REQUIRE(bench.statistics().instructions[LoadStoreInstructions::global] == 1);
  }
}

TEST_CASE("load/store: requested bytes are counted per lane regardless of address and sharing") {
  LoadStoreBench bench;
  Cycle now = 0;
  const auto bytes = [&](OperationClass kind, Space space, unsigned wide) {
    bench.operation_class = kind;
    bench.access(space, wide, [](unsigned /*lane*/) { return DeviceAddress{0}; });
    const auto [loaded, stored] = std::pair{bench.statistics().bytes_loaded, bench.statistics().bytes_stored};
    auto some = bench.request(now += 1000);
    some.lanes = 0xff;
    bench.collector.send(some);
    return std::pair{bench.statistics().bytes_loaded - loaded, bench.statistics().bytes_stored - stored};
  };
  using Bytes = std::pair<std::uint64_t, std::uint64_t>;
  CHECK(bytes(OperationClass::load, Space::global, 16) == Bytes{128, 0});
  CHECK(bytes(OperationClass::load, Space::shared, 1) == Bytes{8, 0});
  CHECK(bytes(OperationClass::store, Space::shared, 8) == Bytes{0, 64});
  CHECK(bytes(OperationClass::atomic, Space::global, 4) == Bytes{32, 32});
  CHECK(bytes(OperationClass::load, Space::constant, 4) == Bytes{0, 0});
}

TEST_CASE("load/store: a limited number of requests leave per cycle") {
  auto parameters = LoadStoreBench::simple();
  parameters.units = GENERATE(1, 2, 4);
  LoadStoreBench bench(parameters);
  bench.lines(7);
  const Cycle last = 10 + 6 / parameters.units;
  REQUIRE(bench.issue(10).result == last + LoadStoreBench::cache_latency);
  for (Cycle i = 0; i < 7; ++i) REQUIRE(bench.data.seen().at(i).arrival == 10 + i / parameters.units);
  REQUIRE(bench.statistics().line_requests == 7);
  // The next instruction follows in the next cycle.
  REQUIRE(bench.issue(last).result == never);
  REQUIRE(bench.unit.next_event() == last + 1);
}

TEST_CASE("load/store: whole lines are fetched only for data that the L1 keeps") {
  auto parameters = LoadStoreBench::simple();
  parameters.coalescing = LoadStoreCoalescing::lines;
  LoadStoreBench bench(parameters);
  bench.lines(1);
  SECTION("loads") {
    bench.issue(10);
    REQUIRE(bench.data.only().sectors == 0xf);
  }
  SECTION("but not global stores") {
    bench.operation_class = OperationClass::store;
    bench.issue(10);
    const auto& store = bench.data.only();
    REQUIRE(store.sectors == 0x1);
    REQUIRE(store.bytes == 32);
    REQUIRE(store.write);
    REQUIRE_FALSE(store.atomic);
  }
  SECTION("nor atomics") {
    bench.operation_class = OperationClass::atomic;
    bench.issue(10);
    const auto& atomic = bench.data.only();
    REQUIRE(atomic.sectors == 0x1);
    REQUIRE(atomic.write);
    REQUIRE(atomic.atomic);
  }
  SECTION("stores to local memory, which has a row of words for each 4 bytes") {
    bench.lines(1, Space::local);
    bench.warp.context.access.repeats = 2;
    bench.operation_class = OperationClass::store;
    bench.issue(10);
    REQUIRE(bench.data.seen().size() == 2);
    REQUIRE(bench.data.seen()[0].local);
    REQUIRE(bench.data.seen()[0].sectors == 0xf);
    REQUIRE(bench.data.seen()[0].padding == 0xe);  // lanes store to one sector
    REQUIRE(bench.data.seen()[1].address == row_bytes);
    REQUIRE(bench.data.seen()[1].padding == 0xe);
  }
}

TEST_CASE("load/store: a scheme that moves rays says where caches find their stacks") {
  LoadStoreBench bench;
  bench.lines(32);
  bench.stacks.serve = [](StackRequest& request) {
    CHECK(request.slot == LoadStoreBench::slot);
    request.access.space = Space::local;
    for (unsigned lane = 0; lane < warp_size; ++lane) request.access.address[lane] = 4096 + 4 * lane;
  };
  SECTION("32 entries in as many lines become one line of local memory") {
    bench.issue(10);
    const auto line = bench.data.only();
    CHECK(line.address == 4096);
    CHECK(line.local);
    CHECK(bench.statistics().line_requests == 1);
    CHECK(bench.statistics().instructions[LoadStoreInstructions::local] == 1);
    CHECK(bench.warp.context.access.address[31] == 31 * 128);  // what has executed is unchanged
  }
  SECTION("but not other memory") {
    bench.lines(32, Space::local);
    bench.issue(10);
    CHECK(bench.statistics().line_requests == 32);
  }
}

TEST_CASE("load/store: each half of a warp requests the smallest segments that hold its accesses") {
  auto parameters = LoadStoreBench::simple();
  parameters.coalescing = LoadStoreCoalescing::half_warp_segments;
  LoadStoreBench bench(parameters);
  SECTION("side by side: 64 bytes each") {
    bench.issue(10);
    REQUIRE(bench.data.seen().size() == 2);
    REQUIRE(bench.data.seen()[0].sectors == 0x3);
    REQUIRE(bench.data.seen()[1].sectors == 0xc);
    REQUIRE(bench.data.seen()[1].address == 0);
  }
  SECTION("across the middle of 128 bytes: all of them") {
    bench.access(Space::global, 4, [](unsigned lane) { return 32 + 4 * (lane % 16); });
    bench.issue(10);
    REQUIRE(bench.data.seen().size() == 2);
    for (const auto& request : bench.data.seen()) REQUIRE(request.sectors == 0xf);
  }
}

TEST_CASE("load/store: texture fetches and read-only loads have a cache, or share that of data") {
  const bool own = GENERATE(true, false);
  LoadStoreBench bench(LoadStoreBench::simple(), {128, own ? 128U : 0U, 64});
  SECTION("tex") { bench.instruction.opcode = kernel::Opcode::tex; }
  SECTION("ld.nc") {
    bench.instruction.opcode = kernel::Opcode::ld;
    bench.instruction.variant = static_cast<std::uint8_t>(kernel::CacheOperator::nc);
  }
  bench.issue(10);
  REQUIRE(bench.texture.seen().size() == (own ? 1 : 0));
  REQUIRE(bench.data.seen().size() == (own ? 0 : 1));
  REQUIRE(bench.statistics().instructions[LoadStoreInstructions::texture] == 1);
}

TEST_CASE("load/store: constants take a request for each address") {
  LoadStoreBench bench;
  bench.access(Space::constant, 4, [](unsigned lane) { return 256 + 4 * (lane % 2) + 32 * (lane / 16); });
  REQUIRE(bench.issue(10).result == 13 + LoadStoreBench::cache_latency);
  // 256, 260, 288, 292: two sectors of one line of 64 bytes.
  REQUIRE(bench.constant.seen().size() == 4);
  for (const auto& request : bench.constant.seen()) REQUIRE(request.address == 256);
  REQUIRE(bench.constant.seen()[1].sectors == 0x1);
  REQUIRE(bench.constant.seen()[2].sectors == 0x2);
  REQUIRE(bench.constant.seen()[3].arrival == 13);
  // Parameters are stored elsewhere, and all lanes request the same one.
  bench.instruction.opcode = kernel::Opcode::ld_param;
  bench.instruction.offset = 72;
  REQUIRE(bench.issue(20).result == 20 + LoadStoreBench::cache_latency);
  REQUIRE(bench.constant.seen().size() == 5);
  REQUIRE(bench.constant.seen()[4].address == parameter_address + 64);
  REQUIRE(bench.statistics().instructions[LoadStoreInstructions::constant] == 1);
  REQUIRE(bench.statistics().instructions[LoadStoreInstructions::param] == 1);
}

TEST_CASE("load/store: without a constant cache an address costs the unit a cycle, and its latency") {
  LoadStoreBench bench(LoadStoreBench::simple(), {128, 128, 0});
  bench.access(Space::constant, 4, [](unsigned lane) { return 4 * (lane % 3); });
  REQUIRE(bench.issue(10).result == 12 + LoadStoreBench::constant_latency);
  REQUIRE(bench.unit.next_event() == never);
  REQUIRE(bench.issue(12).result == never);  // the unit is free in 13
  REQUIRE(bench.unit.next_event() == 13);
  REQUIRE(bench.constant.seen().empty());
}

}  // namespace reconverge
