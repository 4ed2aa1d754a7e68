// SPDX-License-Identifier: Apache-2.0
// Limits that stall an L2 slice: MSHRs, merges, sets in flight, writes to memory.

#include "models/memory/dram_channel.hpp"
#include "tests/unit/memory/slice_bench.hpp"

namespace reconverge {

using tests::read;
using tests::SliceBench;

constexpr Cycle filled = SliceBench::memory_latency;
constexpr Cycle hit = SliceBench::latency;

TEST_CASE("a miss without an MSHR waits for one and blocks all later requests") {
  auto parameters = SliceBench::small();
  parameters.mshrs = 1;
  SliceBench bench(parameters);
  bench.traffic.send(read(0, 0x1));    // cycle 0
  bench.traffic.send(read(128, 0x1));  // finds no MSHR in cycle 1, takes that of the first in cycle 100
  bench.traffic.send(read(0, 0x1));    // would merge, or hit: looked up in cycle 101
  bench.traffic.run(1000);
  REQUIRE(bench.traffic.answered(0) == filled + hit);
  REQUIRE(bench.traffic.answered(1) == 2 * filled + hit);
  REQUIRE(bench.traffic.answered(2) == filled + 1 + hit);
  REQUIRE(bench.statistics().stalls[L2CacheStalls::mshr] == filled - 1);
  REQUIRE(bench.statistics().hits == 1);
}

TEST_CASE("more registers let misses overlap") {
  auto parameters = SliceBench::small();
  parameters.mshrs = 4;
  SliceBench bench(parameters);
  for (DeviceAddress i = 0; i < 5; ++i) bench.traffic.send(read(i * 128, 0x1));
  bench.traffic.run(1000);
  for (std::uint32_t i = 0; i < 4; ++i) REQUIRE(bench.traffic.answered(i) == i + filled + hit);
  REQUIRE(bench.traffic.answered(4) == 2 * filled + hit);
  REQUIRE(bench.statistics().stalls[L2CacheStalls::mshr] == filled - 4);
}

TEST_CASE("an MSHR holds a limited number of requests") {
  auto parameters = SliceBench::small();
  parameters.merges = 2;
  SliceBench bench(parameters);
  for (unsigned i = 0; i < 4; ++i) bench.traffic.send(read(0, 0x1));
  bench.traffic.run(1000);
  // Two wait in the MSHR. The third is looked up when the line arrives, in cycle 100, the fourth a cycle later; the
  // port releases one in each cycle.
  for (std::uint32_t i = 0; i < 4; ++i) REQUIRE(bench.traffic.answered(i) == filled + i + hit);
  REQUIRE(bench.statistics().merges == 1);
  REQUIRE(bench.statistics().hits == 2);
  REQUIRE(bench.statistics().stalls[L2CacheStalls::merge] == filled - 2);
}

TEST_CASE("a set with all lines pending takes no other line") {
  SliceBench bench;
  for (DeviceAddress i = 0; i < 3; ++i) bench.traffic.send(read(i * SliceBench::same_set, 0x1));
  bench.traffic.run(1000);
  REQUIRE(bench.traffic.answered(1) == filled + 1 + hit);
  REQUIRE(bench.traffic.answered(2) == 2 * filled + hit);
  REQUIRE(bench.statistics().stalls[L2CacheStalls::set] == filled - 2);
}

TEST_CASE("writes that memory does not take hold up the slice") {
  // Write-through in front of a channel that holds one request; each request uses a different row of one bank.
  const auto run = [](std::uint64_t write_buffer) {
    const SimulationContext context;
    auto parameters = SliceBench::small();
    parameters.write_policy = L2CacheWritePolicy::write_through;
    parameters.write_buffer = write_buffer;
    DramParameters dram;
    dram.queue = 1;
    dram.banks = 1;
    const AddressMap map(parameters, 1);
    Timeline timeline("timeline");
    Calendar calendar(timeline, Clock(1'000'000'000));
    Calendar dram_calendar(timeline, Clock(dram.clock));
    L2Slice slice("slice", parameters, map, calendar);
    DramChannel channel("channel", dram, map, dram_calendar, dram.latency);
    tests::Traffic traffic("traffic");
    traffic.socket.bind(slice.requests);
    slice.memory.bind(channel.requests.add());
    traffic.run(0);
    for (DeviceAddress i = 0; i < 8; ++i) traffic.send(tests::write(i * dram.row_bytes, 0x1));
    traffic.run(10'000);
    REQUIRE(traffic.outstanding() == 0);
    REQUIRE(slice.at_memory() == 0);
    REQUIRE(channel.in_flight() == 0);
    REQUIRE(channel.statistics().writes == 8);
    return std::pair{slice.statistics().stalls[L2CacheStalls::write_buffer], traffic.answered(7)};
  };
  // Eight fit: one in the channel and seven in the write buffer; all are looked up without a wait.
  REQUIRE(run(7) == std::pair<std::uint64_t, Cycle>{0, 7 + hit});
  const auto [stalled, last] = run(2);
  REQUIRE(stalled == last - 7 - hit);
  REQUIRE(stalled > 0);
}

}  // namespace reconverge
