// SPDX-License-Identifier: Apache-2.0
// Reads of one L2 slice: latencies, sectors, merges, replacement, the data port.

#include "tests/unit/memory/slice_bench.hpp"

namespace reconverge {

using tests::read;
using tests::SliceBench;

constexpr Cycle hit = SliceBench::latency;
constexpr Cycle miss = SliceBench::memory_latency + SliceBench::latency;

TEST_CASE("a hit takes the slice's latency, a miss that of memory before it") {
  SliceBench bench;
  REQUIRE(bench.isolated(read(0)) == miss);
  REQUIRE(bench.isolated(read(0)) == hit);
  REQUIRE(bench.isolated(read(0, 0x2)) == hit);
  REQUIRE(bench.statistics().misses == 1);
  REQUIRE(bench.statistics().hits == 2);
  REQUIRE(bench.statistics().bytes_from_memory == 128);
  REQUIRE(bench.slice.in_flight() == 0);
  REQUIRE(bench.slice.at_memory() == 0);
}

TEST_CASE("requests wait for their lookup but requests of texture caches overtake them") {
  auto parameters = SliceBench::small();
  parameters.rop_latency = 50;
  SliceBench bench(parameters);
  REQUIRE(bench.isolated(read(0)) == 50 + miss);
  REQUIRE(bench.isolated(read(0)) == 50 + hit);
  REQUIRE(bench.isolated(tests::texture(0)) == hit);
  bench.traffic.send(read(0));
  bench.traffic.send(tests::texture(0), 49);
  bench.traffic.run(1000);
  REQUIRE(bench.traffic.order() == std::vector<std::uint32_t>{0, 1, 2, 4, 3});
}

TEST_CASE("sectors are fetched one by one, and a line without sectors at once") {
  auto parameters = SliceBench::small();
  SECTION("sectors of 32 bytes") {
    SliceBench bench(parameters);
    REQUIRE(bench.isolated(read(0, 0x1)) == miss);
    REQUIRE(bench.isolated(read(0, 0x1)) == hit);
    REQUIRE(bench.isolated(read(0, 0x6)) == miss);
    REQUIRE(bench.isolated(read(32, 0x1)) == hit);  // a request may start within the line
    REQUIRE(bench.isolated(read(0, 0xf)) == miss);  // one sector is still missing
    REQUIRE(bench.statistics().misses == 3);
    REQUIRE(bench.statistics().sector_misses == 2);
    REQUIRE(bench.statistics().hits == 2);
    REQUIRE(bench.statistics().bytes_from_memory == 128);
    REQUIRE(bench.memory.statistics().reads == 3);
  }
  SECTION("sectors of 64 bytes") {
    parameters.sector = 64;
    SliceBench bench(parameters);
    REQUIRE(bench.isolated(read(0, 0x1)) == miss);
    REQUIRE(bench.isolated(read(0, 0x2)) == hit);
    REQUIRE(bench.isolated(read(0, 0x4)) == miss);
    REQUIRE(bench.statistics().sector_misses == 1);
  }
  SECTION("no sectors") {
    parameters.sector = 128;
    SliceBench bench(parameters);
    REQUIRE(bench.isolated(read(0, 0x1)) == miss);
    REQUIRE(bench.isolated(read(0, 0xe)) == hit);
    REQUIRE(bench.statistics().bytes_from_memory == 128);
    REQUIRE(bench.statistics().sector_misses == 0);
  }
}

TEST_CASE("requests for pending sectors merge and are answered in order at the rate of the port") {
  SliceBench bench;
  for (unsigned i = 0; i < 3; ++i) bench.traffic.send(read(0));
  bench.traffic.send(read(0, 0x1));
  bench.traffic.run(1000);
  // The fill arrives in cycle 100; each whole line then occupies the port for four cycles.
  for (std::uint32_t i = 0; i < 4; ++i) REQUIRE(bench.traffic.answered(i) == miss + 4 * i);
  REQUIRE(bench.statistics().misses == 1);
  REQUIRE(bench.statistics().merges == 3);
  REQUIRE(bench.statistics().busy_cycles == 3 * 4 + 1);
  REQUIRE(bench.memory.statistics().reads == 1);
}

TEST_CASE("a request with two fills is answered after both and others before") {
  SliceBench bench;
  bench.traffic.send(read(0, 0x1));     // looked up in cycle 0, filled in 100
  bench.traffic.send(read(0, 0x3), 5);  // also needs the other sector: requested in cycle 5, filled in 105
  bench.traffic.send(read(0, 0x1), 6);
  bench.traffic.run(1000);
  REQUIRE(bench.traffic.answered(0) == 100 + hit);
  REQUIRE(bench.traffic.answered(2) == 101 + hit);  // after the first at the port
  REQUIRE(bench.traffic.answered(1) == 105 + hit);
  REQUIRE(bench.statistics().bytes_from_memory == 64);
}

TEST_CASE("hits stream at the width of the data port") {
  auto parameters = SliceBench::small();
  parameters.slice_bytes = GENERATE(16, 32, 64);
  SliceBench bench(parameters);
  bench.isolated(read(0));
  const Cycle start = bench.traffic.now();
  for (unsigned i = 0; i < 100; ++i) bench.traffic.send(read(0));
  bench.traffic.run(10'000);
  for (std::uint32_t i = 0; i < 100; ++i) {
    REQUIRE(bench.traffic.answered(i + 1) == start + hit + i * 128 / parameters.slice_bytes);
  }
}

TEST_CASE("tags take one request a cycle") {
  SliceBench bench;
  // Seven misses of one sector each in different lines: looked up in cycles 0 to 6, filled a hundred cycles later.
  for (DeviceAddress i = 0; i < 7; ++i) bench.traffic.send(read(i * 128, 0x1));
  bench.traffic.run(1000);
  for (std::uint32_t i = 0; i < 7; ++i) REQUIRE(bench.traffic.answered(i) == i + miss);
}

TEST_CASE("the line that was not used for longest is replaced") {
  SliceBench bench;
  bench.isolated(read(0));
  bench.isolated(read(SliceBench::same_set));
  bench.isolated(read(0));                                          // the first is now the younger one
  REQUIRE(bench.isolated(read(2 * SliceBench::same_set)) == miss);  // replaces the second
  REQUIRE(bench.isolated(read(0)) == hit);
  REQUIRE(bench.isolated(read(SliceBench::same_set)) == miss);
  REQUIRE(bench.statistics().write_backs == 0);
}

TEST_CASE("lines in another set or more ways prevent a replacement") {
  auto parameters = SliceBench::small();
  SECTION("two ways: the third line of a set replaces the first, one of another set does not") {
    SliceBench bench(parameters);
    for (const DeviceAddress address : {DeviceAddress{0}, SliceBench::same_set, DeviceAddress{128}})
      bench.isolated(read(address));
    REQUIRE(bench.isolated(read(0)) == hit);
    bench.isolated(read(2 * SliceBench::same_set));
    bench.isolated(read(3 * SliceBench::same_set));
    REQUIRE(bench.isolated(read(0)) == miss);
  }
  SECTION("four ways of two sets") {
    parameters.ways = 4;
    SliceBench bench(parameters);
    for (DeviceAddress i = 0; i < 4; ++i) bench.isolated(read(i * SliceBench::same_set));
    REQUIRE(bench.isolated(read(0)) == hit);
  }
  SECTION("twice the capacity has twice the sets") {
    parameters.capacity *= 2;
    SliceBench bench(parameters);
    for (DeviceAddress i = 0; i < 4; ++i) bench.isolated(read(i * SliceBench::same_set));
    REQUIRE(bench.isolated(read(0)) == hit);
  }
  SECTION("a line of 64 bytes holds half as much") {
    parameters.line = 64;
    parameters.capacity = 512;
    SliceBench bench(parameters);
    REQUIRE(bench.isolated(read(0, 0x3)) == miss);
    REQUIRE(bench.isolated(read(64, 0x3)) == miss);
    REQUIRE(bench.statistics().misses == 2);
  }
}

TEST_CASE("without capacity every read is sent to memory") {
  auto parameters = SliceBench::small();
  parameters.capacity = 0;
  SliceBench bench(parameters);
  for (unsigned i = 0; i < 3; ++i) REQUIRE(bench.isolated(read(0)) == miss);
  REQUIRE(bench.isolated(tests::write(0)) == hit);  // accepted, and forwarded
  REQUIRE(bench.isolated(tests::atomic(0)) == miss);
  REQUIRE(bench.memory.statistics().reads == 4);
  REQUIRE(bench.memory.statistics().writes == 2);
  REQUIRE(bench.statistics().misses == 4);
}

TEST_CASE("geometries without whole sets are refused") {
  const SimulationContext context;
  auto parameters = SliceBench::small();
  const auto refused = [&] {
    const AddressMap map(parameters, 1);
    Timeline timeline("timeline");
    Calendar calendar(timeline, Clock(1'000'000'000));
    L2Slice("slice", parameters, map, calendar);
  };
  SECTION("capacity") {
    parameters.capacity = 1000;
    REQUIRE_THROWS_WITH(refused(), Catch::Contains("make capacity 768 B or 1 KiB"));
  }
  SECTION("sector longer than the line") {
    parameters.sector = 256;
    REQUIRE_THROWS_WITH(refused(), Catch::Contains("sectors of 256 bytes in lines of 128"));
  }
}

}  // namespace reconverge
