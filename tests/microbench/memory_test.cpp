// SPDX-License-Identifier: Apache-2.0
// Latency of every memory level, bandwidth of every port and bus, and the limit of MSHRs on throughput.

#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>

#include "tests/microbench/memory_bench.hpp"

namespace reconverge::tests {
namespace {

GpuParameters streaming_machine() {
  GpuParameters parameters = plain_machine();
  parameters.sm.scheduler.policy = WarpSchedulerPolicy::loose_round_robin;
  parameters.sm.l1.hit_latency = 20;
  parameters.sm.l1.mshrs = 1024;
  parameters.sm.l1.pending_writes = 256;
  parameters.sm.l1.capacity = 0;
  parameters.crossbar.width = 1024;
  return parameters;
}

}  // namespace

TEST_CASE("a pointer load that hits in the L1 takes its latency") {
  GpuParameters parameters = plain_machine();
  parameters.sm.l1.hit_latency = GENERATE(40U, 105U, 300U);
  CHECK(cycles_of_load(ring(32, line), 32, parameters) == double(parameters.sm.l1.hit_latency));
}

TEST_CASE("a pointer load that hits in the L2 takes the round trip to the L2") {
  GpuParameters parameters = one_slice();
  parameters.sm.l1.capacity = 1 << 10;
  parameters.sm.l1.ways = 8;
  parameters.crossbar.latency = GENERATE(10U, 40U);
  parameters.crossbar.width = GENERATE(8U, 32U, 256U);
  parameters.l2.latency = GENERATE(5U, 31U);
  SECTION("whole lines") {}
  SECTION("sectors") { parameters.sm.load_store.coalescing = LoadStoreCoalescing::sectors; }
  const bool sectors = parameters.sm.load_store.coalescing == LoadStoreCoalescing::sectors;
  const Cycle expected = parameters.sm.l1.hit_latency + way_to_second_level(parameters, sectors ? 32 : line);
  CHECK(cycles_of_load(ring(64, line), 64, parameters) == double(expected));
}

TEST_CASE("a pointer load from DRAM also takes the commands that open its row") {
  GpuParameters parameters = one_slice();
  auto& dram = parameters.dram;
  dram.latency = GENERATE(20U, 128U);
  dram.t_cl = GENERATE(9U, 16U);
  dram.burst_cycles = GENERATE(2U, 5U);
  const Cycle open = parameters.sm.l1.hit_latency + way_to_second_level(parameters, line) + dram.t_cl +
                     line / dram.burst_bytes * dram.burst_cycles + dram.latency;
  SECTION("the L2 is too small for the ring, whose rows stay open in separate banks") {
    parameters.l2.capacity = 32 << 10;
    parameters.sm.l1.capacity = 1 << 10;
    parameters.sm.l1.ways = 8;
    dram.row_bytes = 64 << 10;
    dram.banks = 4;
    CHECK(cycles_of_load(ring(512, line), 512, parameters) == double(open));
  }
  SECTION("every pointer is in a different row of the only bank") {
    parameters.l2.capacity = 0;
    parameters.sm.l1.capacity = 0;
    dram.t_rp = GENERATE(7U, 16U);
    dram.t_rcd = GENERATE(8U, 20U);
    CHECK(cycles_of_load(ring(8, dram.row_bytes), 8, parameters) == double(open + dram.t_rp + dram.t_rcd));
  }
}

TEST_CASE("each part of the memory path takes cycles of its clock") {
  GpuParameters parameters = one_slice();
  parameters.sm.l1.capacity = 0;
  parameters.l2.capacity = 0;
  parameters.dram.row_bytes = 64 << 10;
  const std::uint64_t crossbar_times = GENERATE(1U, 2U, 4U);
  const std::uint64_t dram_times = GENERATE(1U, 2U);
  parameters.crossbar.clock = parameters.clock * crossbar_times;
  parameters.dram.clock = parameters.clock * dram_times;
  parameters.crossbar.latency = 40;
  parameters.l2.latency = 32;
  // Both latencies are whole numbers of cycles, so no request waits for the start of a cycle.
  const Cycle crossbar = way_to_second_level(parameters, line);
  const auto& dram = parameters.dram;
  const Cycle memory = dram.t_cl + line / dram.burst_bytes * dram.burst_cycles + dram.latency;
  REQUIRE(crossbar % crossbar_times == 0);
  REQUIRE(memory % dram_times == 0);
  const Cycle expected = parameters.sm.l1.hit_latency + crossbar / crossbar_times + memory / dram_times;
  CAPTURE(crossbar_times, dram_times);
  CHECK(cycles_of_load(ring(32, line), 32, parameters) == double(expected));
}

TEST_CASE("memory with a fixed latency adds this latency to a miss") {
  GpuParameters parameters = fixed_latency_machine(GENERATE(1U, 300U, 900U));
  parameters.sm.l1.capacity = 0;
  const Cycle expected = parameters.sm.l1.hit_latency + parameters.fixed_latency.latency;
  CHECK(cycles_of_load(ring(8, line), 8, parameters) == double(expected));
}

TEST_CASE("the ports of an SM carry one flit per cycle in each direction") {
  GpuParameters parameters = streaming_machine();
  parameters.crossbar.width = GENERATE(16U, 32U, 64U);
  parameters.crossbar.header = GENERATE(8U, 40U);
  const double flits = double(divide_up(line + parameters.crossbar.header, parameters.crossbar.width));
  CHECK(within(cycles_of_line("read", parameters), flits, 2));
  CHECK(within(cycles_of_line("write", parameters), flits, 2));
}

TEST_CASE("an L2 slice transfers slice_bytes a cycle") {
  GpuParameters parameters = streaming_machine();
  parameters.sms = 2;
  parameters.l2.slices = GENERATE(1U, 2U);
  parameters.l2.slice_bytes = GENERATE(2U, 4U);
  parameters.dram.channels = 1;
  const double expected = double(line) / double(parameters.l2.slice_bytes * parameters.l2.slices);
  CHECK(within(cycles_of_line("read", parameters), expected, 2));
  CHECK(within(cycles_of_line("write", parameters), expected, 2));
}

TEST_CASE("a DRAM channel is busy for the bursts of a line") {
  GpuParameters parameters = streaming_machine();
  auto& dram = parameters.dram;
  dram.channels = GENERATE(1U, 2U);
  parameters.l2.slices = 2 * dram.channels;
  dram.burst_bytes = GENERATE(32U, 64U);
  dram.burst_cycles = GENERATE(2U, 4U);
  dram.t_ccd = GENERATE(2U, 6U);
  const Cycle burst = std::max<Cycle>(dram.burst_cycles, dram.t_ccd);
  const double expected = double(line / dram.burst_bytes * burst) / double(dram.channels);
  CAPTURE(dram.channels, dram.burst_bytes, dram.burst_cycles, dram.t_ccd);
  CHECK(within(cycles_of_line("read", parameters), expected, 3));
  parameters.l2.write_policy = L2CacheWritePolicy::write_through;
  CHECK(within(cycles_of_line("write", parameters), expected, 3));
}

TEST_CASE("one bank opens rows one after the other, and two banks alternate") {
  // A row has two lines. Warps of one scheduler request the two lines of a row one after the other.
  GpuParameters parameters = streaming_machine();
  parameters.sm.scheduler.count = 1;
  parameters.l2.slices = 1;
  auto& dram = parameters.dram;
  dram.channels = 1;
  dram.row_bytes = 2 * line;
  dram.bank_order = DramBankOrder::plain;
  dram.banks = GENERATE(1U, 2U);
  dram.t_rcd = GENERATE(8U, 16U);
  dram.t_rp = GENERATE(9U, 16U);
  dram.t_ras = GENERATE(20U, 60U);
  dram.t_rc = GENERATE(40U, 90U);
  dram.t_rtp = GENERATE(2U, 12U);
  const Cycle bursts = 2 * line / dram.burst_bytes;
  const Cycle last_read = dram.t_rcd + (bursts - 1) * dram.burst_cycles;
  const Cycle one_bank = std::max<Cycle>(dram.t_rc, std::max(dram.t_ras, last_read + dram.t_rtp) + dram.t_rp);
  const double row = std::max(double(one_bank) / double(dram.banks), double(bursts * dram.burst_cycles));
  CAPTURE(dram.banks, dram.t_rcd, dram.t_rp, dram.t_ras, dram.t_rc, dram.t_rtp);
  const Growth growth = tests::growth(stream("read", 1), few_lines, many_lines, parameters);
  const std::uint64_t pairs = std::uint64_t{many_lines - few_lines} * 4 * stream_warps / 2;
  // Occasionally a request for another row arrives between the two lines of a row.
  const std::uint64_t opened =
      growth.totals.of<DramStatistics>().row_misses + growth.totals.of<DramStatistics>().row_conflicts;
  CHECK(opened >= pairs);
  CHECK(opened <= pairs * 11 / 10);
  CHECK(within(double(growth.cycles), double(opened) * row, dram.banks == 1 ? 2 : 6));
}

TEST_CASE("the bytes of atomics determine how long a slice is busy") {
  GpuParameters parameters = streaming_machine();
  parameters.l2.atomic_interval = GENERATE(1U, 3U);
  parameters.l2.atomic_bytes = GENERATE(4U, 16U);
  const auto cycles = [&](std::uint32_t stride) {
    return growth({"atomics", "add", 2, stream_warps / 2 * 32, stride}, few_lines, many_lines, parameters)
               .cycles_each() /
           (4 * stream_warps);
  };
  const auto expected = [&](std::uint64_t bytes) {
    return double(bytes / parameters.l2.atomic_bytes * parameters.l2.atomic_interval);
  };
  parameters.sm.load_store.coalescing = GENERATE(LoadStoreCoalescing::lines, LoadStoreCoalescing::sectors);
  CHECK(within(cycles(0), expected(32), 2));
  CHECK(within(cycles(4), expected(line), 2));
}

TEST_CASE("each further lane of an atomic with the same address keeps the slice busy longer") {
  GpuParameters parameters = streaming_machine();
  parameters.sm.load_store.coalescing = LoadStoreCoalescing::sectors;
  const auto cycles = [&](std::uint32_t stride, std::uint64_t lane_interval) {
    parameters.l2.atomic_lane_interval = lane_interval;
    return growth({"atomics", "add", 2, stream_warps / 2 * 32, stride}, few_lines, many_lines, parameters)
               .cycles_each() /
           (4 * stream_warps);
  };
  const double sector = 32 / double(parameters.l2.atomic_bytes * parameters.l2.atomic_interval);
  CHECK(within(cycles(0, 0), sector, 2));
  CHECK(within(cycles(0, 3), sector + 3 * 31, 2));
  // For 32 lanes with 32 addresses the parameter has no effect.
  CHECK(cycles(4, 3) == cycles(4, 0));
}

TEST_CASE("a dependent atomic takes its latency plus the serialisation of its lanes") {
  // One warp executes dependent atomics. The crossbar has the clock of the SM.
  GpuParameters parameters = one_slice();
  parameters.sm.load_store.coalescing = LoadStoreCoalescing::sectors;
  const auto cycles = [&](Cycle latency, Cycle lane_interval, std::uint32_t stride) {
    parameters.l2.atomic_latency = latency;
    parameters.l2.atomic_lane_interval = lane_interval;
    Microbench bench{"chain", "chain", 1, 32, stride};
    bench.text =
        ".version 6.0\n.target sm_60\n.address_size 64\n"
        ".visible .entry chain(.param .u64 buffer, .param .u32 count, .param .u32 size) {\n"
        ".reg .pred %p; .reg .u32 %n, %s, %r; .reg .u64 %a, %b;\n"
        "ld.param.u32 %n, [count]; ld.param.u32 %r, [size]; ld.param.u64 %b, [buffer];\n"
        "mov.u32 %s, %tid.x; mul.wide.u32 %a, %s, %r; add.u64 %a, %a, %b; mov.u32 %r, 0;\n"
        "LOOP: sub.u32 %n, %n, 1; atom.global.add.u32 %r, [%a], %r; setp.ne.u32 %p, %n, 0;\n"
        "@%p bra LOOP; ret; }\n";
    return growth(bench, 10, 30, parameters).cycles;
  };
  const Cycle plain = cycles(0, 0, 0);
  CHECK(cycles(50, 0, 0) == plain + 20 * 50);
  CHECK(cycles(50, 3, 0) == plain + 20 * (50 + 3 * 31));
  const Cycle apart = cycles(0, 0, 4);
  CHECK(cycles(50, 3, 4) == apart + 20 * 50);
}

TEST_CASE("Little's law: m MSHRs of the L1 fetch m lines in a memory latency") {
  // The load/store unit sends at most one request a cycle.
  using Limit = std::pair<Cycle, std::uint64_t>;  // latency, MSHRs
  const auto [latency, registers] = GENERATE(values<Limit>(
      {{20, 1}, {20, 4}, {20, 40}, {100, 1}, {100, 4}, {100, 16}, {100, 40}, {400, 4}, {400, 16}, {400, 64}}));
  GpuParameters parameters = fixed_latency_machine(latency);
  parameters.sm.scheduler.policy = WarpSchedulerPolicy::loose_round_robin;
  parameters.sm.l1.capacity = 0;
  parameters.sm.l1.hit_latency = 5;
  parameters.sm.l1.mshrs = registers;
  parameters.sm.l1.pending_writes = registers;
  const double expected = std::max(1.0, double(latency) / double(registers));
  CAPTURE(latency, registers);
  CHECK(within(cycles_of_line("read", parameters), expected, 3));
  CHECK(within(cycles_of_line("write", parameters), expected, 3));
}

TEST_CASE("Little's law: m MSHRs of an L2 slice fetch m lines in a memory latency") {
  GpuParameters parameters = streaming_machine();
  parameters.l2.slices = 1;
  parameters.l2.mshrs = GENERATE(1U, 2U, 4U, 64U);
  auto& dram = parameters.dram;
  dram.channels = 1;
  dram.row_bytes = 64 << 10;
  dram.latency = GENERATE(40U, 128U);
  const Cycle bus = line / dram.burst_bytes * dram.burst_cycles;
  const double latency = double(dram.t_cl + bus + dram.latency);
  CAPTURE(parameters.l2.mshrs, dram.latency);
  CHECK(within(cycles_of_line("read", parameters), std::max(double(bus), latency / double(parameters.l2.mshrs)), 3));
}

TEST_CASE("n warps with one load each complete n loads per latency up to the bandwidth") {
  // Each warp follows a separate ring. Loads share the SM's port, but no lines of the L1 cache.
  GpuParameters parameters = plain_machine();
  parameters.sm.scheduler.policy = WarpSchedulerPolicy::loose_round_robin;
  parameters.sm.l1.capacity = 0;
  parameters.sm.l1.mshrs = 256;
  parameters.sm.block_slots = 64;
  parameters.crossbar.width = GENERATE(16U, 32U);
  const Cycle latency = parameters.sm.l1.hit_latency + way_to_second_level(parameters, line);
  const Cycle flits = divide_up(line + parameters.crossbar.header, parameters.crossbar.width);
  for (const std::uint32_t walkers : {1U, 4U, 16U, 64U}) {
    CAPTURE(walkers, latency, flits);
    Microbench bench = ring(32, line);
    bench.blocks = walkers;
    const double each = growth(bench, 32, 96, parameters).cycles_each() / 4;
    CHECK(within(each, double(std::max<Cycle>(latency, walkers * flits)), 3));
  }
}

TEST_CASE("the merge limit bounds the requests that wait for a line, and the others hit") {
  // All warps load the same line, each once.
  GpuParameters parameters = plain_machine();
  constexpr unsigned loads = 12;
  parameters.sm.l1.merges = GENERATE(1U, 5U, 12U, 40U);
  const Microbench bench{"coalescing", "strides", 1, loads * 32, 0};
  const Measurement once = run(bench, 1, parameters);
  const std::uint64_t waiting = std::min<std::uint64_t>(parameters.sm.l1.merges, 4 * loads);
  CHECK(once.totals.of<L1CacheStatistics>().misses == 1);
  CHECK(once.totals.of<L1CacheStatistics>().merges == waiting - 1);
  CHECK(once.totals.of<L1CacheStatistics>().hits == 4 * loads - waiting);
}

}  // namespace reconverge::tests
