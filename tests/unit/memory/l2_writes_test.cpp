// SPDX-License-Identifier: Apache-2.0
// Writes and atomics of one L2 slice.

#include "tests/unit/memory/slice_bench.hpp"

namespace reconverge {

using tests::read;
using tests::SliceBench;
using tests::write;

constexpr Cycle hit = SliceBench::latency;
constexpr Cycle miss = SliceBench::memory_latency + SliceBench::latency;

TEST_CASE("only written sectors are valid without a fetch") {
  SliceBench bench;
  REQUIRE(bench.isolated(write(0, 0x3)) == hit);
  REQUIRE(bench.statistics().bytes_from_memory == 0);
  REQUIRE(bench.isolated(read(0, 0x3)) == hit);
  REQUIRE(bench.isolated(read(0, 0x4)) == miss);
  REQUIRE(bench.statistics().writes == 1);
  REQUIRE(bench.statistics().sector_misses == 1);
  REQUIRE(bench.statistics().bytes_to_memory == 0);
}

TEST_CASE("an evicted line writes back only its modified sectors") {
  auto parameters = SliceBench::small();
  parameters.sector = GENERATE(32, 64, 128);
  SliceBench bench(parameters);
  bench.isolated(read(0));
  bench.isolated(write(0, 0x1));
  bench.isolated(read(SliceBench::same_set));
  bench.isolated(read(2 * SliceBench::same_set));  // evicts the first line
  REQUIRE(bench.statistics().write_backs == 1);
  REQUIRE(bench.statistics().bytes_to_memory == parameters.sector);
  REQUIRE(bench.memory.statistics().writes == 1);
  bench.isolated(read(3 * SliceBench::same_set));  // evicts the second, which was not written
  REQUIRE(bench.statistics().write_backs == 1);
}

TEST_CASE("a write of a part of a sector fetches the sector, but does not wait for it") {
  auto parameters = SliceBench::small();
  SECTION("half of a sector of 64 bytes") {
    parameters.sector = 64;
    SliceBench bench(parameters);
    REQUIRE(bench.isolated(write(0, 0x7)) == hit);  // the first sector whole, the second in part
    REQUIRE(bench.statistics().write_fetches == 1);
    REQUIRE(bench.statistics().bytes_from_memory == 64);
    REQUIRE(bench.isolated(read(0)) == hit);
  }
  SECTION("four bytes of a sector of 32") {
    SliceBench bench(parameters);
    auto four_bytes = write(0, 0x1);
    four_bytes.bytes = 4;
    REQUIRE(bench.isolated(four_bytes) == hit);
    REQUIRE(bench.statistics().write_fetches == 1);
    REQUIRE(bench.statistics().bytes_from_memory == 32);
    REQUIRE(bench.isolated(four_bytes) == hit);
    REQUIRE(bench.statistics().write_fetches == 1);
  }
}

TEST_CASE("write-through sends each write on and allocates nothing") {
  auto parameters = SliceBench::small();
  parameters.write_policy = L2CacheWritePolicy::write_through;
  SliceBench bench(parameters);
  REQUIRE(bench.isolated(write(0, 0x3)) == hit);
  REQUIRE(bench.statistics().bytes_to_memory == 64);
  REQUIRE(bench.isolated(read(0, 0x3)) == miss);
  REQUIRE(bench.isolated(write(0, 0x7)) == hit);  // the line is present now, and gets another sector
  REQUIRE(bench.isolated(read(0, 0x7)) == hit);
  REQUIRE(bench.statistics().bytes_to_memory == 64 + 96);
  REQUIRE(bench.isolated(tests::atomic(0)) == hit);
  REQUIRE(bench.statistics().bytes_to_memory == 64 + 96 + 32);
  for (DeviceAddress i = 1; i < 4; ++i) bench.isolated(read(i * SliceBench::same_set));
  REQUIRE(bench.statistics().write_backs == 0);  // no line was ever newer than memory
}

TEST_CASE("writes take the data port like reads") {
  SliceBench bench;
  for (unsigned i = 0; i < 20; ++i) bench.traffic.send(write(0));
  bench.traffic.run(1000);
  for (std::uint32_t i = 0; i < 20; ++i) REQUIRE(bench.traffic.answered(i) == hit + 4 * i);
  REQUIRE(bench.statistics().busy_cycles == 20 * 4);
}

TEST_CASE("atomics on one address follow each other by their interval") {
  auto parameters = SliceBench::small();
  parameters.atomic_interval = GENERATE(1, 9);
  parameters.atomic_bytes = GENERATE(4, 8, 32);
  SliceBench bench(parameters);
  for (unsigned i = 0; i < 20; ++i) bench.traffic.send(tests::atomic(64));
  bench.traffic.run(10'000);
  // The line is fetched for the first; each then takes one interval for every `atomic_bytes` of its 32 bytes.
  const Cycle each = parameters.atomic_interval * (32 / parameters.atomic_bytes);
  for (std::uint32_t i = 0; i < 20; ++i) REQUIRE(bench.traffic.answered(i) == miss + each * i);
  REQUIRE(bench.statistics().atomics == 20);
  REQUIRE(bench.statistics().misses == 1);
  REQUIRE(bench.statistics().merges == 19);
  REQUIRE(bench.statistics().busy_cycles == 20 * each);
  // Their results are written back.
  bench.isolated(read(SliceBench::same_set));
  bench.isolated(read(2 * SliceBench::same_set));
  REQUIRE(bench.statistics().bytes_to_memory == 32);
}

TEST_CASE("an atomic takes its latency, and an interval for each further lane with its address") {
  auto parameters = SliceBench::small();
  parameters.atomic_latency = GENERATE(0, 17);
  parameters.atomic_lane_interval = GENERATE(0, 3);
  SliceBench bench(parameters);
  bench.isolated(read(0));
  for (const Cycle lanes : {1, 2, 7, 32}) {
    const Cycle further = parameters.atomic_lane_interval * (lanes - 1);
    const auto atomic = tests::atomic(64, static_cast<std::uint8_t>(lanes));
    CAPTURE(lanes, parameters.atomic_latency, parameters.atomic_lane_interval);
    REQUIRE(bench.isolated(atomic) == hit + parameters.atomic_latency + further);
    // The latency does not occupy the slice.
    const Cycle busy = bench.statistics().busy_cycles;
    const Cycle start = bench.traffic.now();
    const auto first = bench.traffic.send(atomic);
    for (unsigned i = 1; i < 5; ++i) bench.traffic.send(atomic);
    const auto other = bench.traffic.send(read(0, 0x1));
    bench.traffic.run(10'000);
    const Cycle each = 32 / parameters.atomic_bytes * parameters.atomic_interval + further;
    for (std::uint32_t i = 0; i < 5; ++i)
      REQUIRE(bench.traffic.answered(first + i) == start + i * each + hit + parameters.atomic_latency + further);
    REQUIRE(bench.traffic.answered(other) == start + 5 * each + hit);
    REQUIRE(bench.statistics().busy_cycles == busy + 5 * each + 1);
  }
}

}  // namespace reconverge
