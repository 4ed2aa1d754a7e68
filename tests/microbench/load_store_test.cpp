// SPDX-License-Identifier: Apache-2.0
// Shared-memory banks and the coalescing rules.

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "tests/microbench/microbench.hpp"

namespace reconverge::tests {
namespace {

/// Warps take turns. So all end at nearly the same time, and the work of other warps hides their latency.
GpuParameters fair_machine() {
  GpuParameters parameters = plain_machine();
  parameters.sm.scheduler.policy = WarpSchedulerPolicy::loose_round_robin;
  parameters.sm.l1.hit_latency = 20;
  return parameters;
}

}  // namespace

TEST_CASE("n lanes in one bank of shared memory take n cycles") {
  GpuParameters parameters = fair_machine();
  const unsigned banks = GENERATE(16U, 32U);
  const unsigned lanes_together = GENERATE(16U, 32U);
  const unsigned ports = GENERATE(1U, 2U);
  parameters.sm.load_store.shared_banks = banks;
  parameters.sm.load_store.shared_lanes = lanes_together;
  parameters.sm.load_store.shared_ports = ports;
  for (const unsigned stride : {1U, 2U, 3U, 4U, 6U, 8U, 16U, 32U}) {  // words
    // Lanes that are served together and access one bank.
    const unsigned meet = std::max(1U, lanes_together * std::gcd(stride, banks) / banks);
    const Cycle ways = (32 / lanes_together * meet + ports - 1) / ports;
    CAPTURE(banks, lanes_together, ports, stride);
    for (const Cycle latency : {20U, 47U}) {
      parameters.sm.load_store.shared_latency = latency;
      const auto& lanes = parameters.sm.lanes;
      const Growth chain = growth({"shared_banks", "latency", 1, 32, 4 * stride}, 5, 25, parameters);
      CHECK(chain.cycles == 20 * (4 * (latency + ways - 1 + lanes.alu_latency) + lanes.branch_latency));
    }
    constexpr unsigned warps = 32;
    const Growth many = growth({"shared_banks", "throughput", 1, warps * 32, 4 * stride}, 5, 25, parameters);
    CHECK(within(many.cycles_each(), static_cast<double>(8 * warps * ways), 1));
    CHECK(many.totals.of<LoadStoreStatistics>().shared_conflict_cycles == 20 * 8 * warps * (ways - 1));
  }
}

TEST_CASE("the stride between lanes gives the lines and sectors of the coalescing rule") {
  struct Row {
    LoadStoreCoalescing rule;
    std::uint32_t stride;    // bytes
    std::uint64_t requests;  // for one load
    std::uint64_t sectors;
  };
  constexpr auto lines = LoadStoreCoalescing::lines;
  constexpr auto sectors = LoadStoreCoalescing::sectors;
  constexpr auto segments = LoadStoreCoalescing::half_warp_segments;
  // The 32 lanes span 32 strides. lines: a load requests whole 128-byte lines. sectors: it requests the accessed
  // 32-byte sectors of the lines. segments: for each half of the warp and each line, it requests the smallest aligned
  // 32, 64 or 128 bytes that contain the accessed bytes.
  const Row row = GENERATE_COPY(values<Row>({
      {lines, 0, 1, 4},
      {lines, 4, 1, 4},
      {lines, 8, 2, 8},
      {lines, 12, 3, 12},
      {lines, 32, 8, 32},
      {lines, 128, 32, 128},
      {lines, 256, 32, 128},
      {sectors, 0, 1, 1},
      {sectors, 4, 1, 4},
      {sectors, 8, 2, 8},
      {sectors, 12, 3, 12},
      {sectors, 32, 8, 32},
      {sectors, 64, 16, 32},
      {sectors, 128, 32, 32},
      {segments, 0, 2, 2},
      {segments, 4, 2, 4},
      {segments, 8, 2, 8},
      {segments, 16, 4, 16},
      {segments, 64, 16, 64},  // two lanes a line, in its first and
                               // third sector: the whole line
      {segments, 96, 24, 48},  // of twelve lines of a half four hold two lanes, in the first and last sector: 4 * 4 + 8
      {segments, 128, 32, 32},
  }));
  const unsigned units = GENERATE(1U, 2U);
  CAPTURE(static_cast<int>(row.rule), row.stride, units);
  GpuParameters parameters = fair_machine();
  parameters.sm.load_store.coalescing = row.rule;
  parameters.sm.load_store.units = units;
  parameters.sm.l1.banks = 64;
  constexpr unsigned warps = 32;
  const Growth growth =
      tests::growth({"coalescing", "strides", 1, warps * 32, row.stride, 0, 1 << 15}, 10, 30, parameters);
  const std::uint64_t loads = 20 * 4 * warps;
  CHECK(growth.totals.of<LoadStoreStatistics>().line_requests == loads * row.requests);
  CHECK(growth.totals.of<LoadStoreStatistics>().sectors == loads * row.sectors);
  CHECK(growth.totals.of<L1CacheStatistics>().hits == loads * row.requests);
  // If both halves of a warp request the same line, the two requests access one bank.
  const std::uint64_t of_one_bank = row.rule == segments && row.stride <= 4 ? 2 : 1;
  const std::uint64_t cycles = std::max((row.requests + units - 1) / units, of_one_bank);
  CHECK(within(growth.cycles_each(), static_cast<double>(4 * warps * cycles), 3));
}

TEST_CASE("with two steps per cycle, each half of a warp requests its lines, two of them per cycle") {
  GpuParameters parameters = fair_machine();
  parameters.sm.load_store.steps = 2;
  parameters.sm.l1.banks = 1;
  constexpr unsigned warps = 32;
  using Stride = std::pair<std::uint32_t, std::uint64_t>;  // in bytes, and the requests of a load
  for (const auto& [stride, requests] :
       {Stride{0, 2}, Stride{4, 2}, Stride{8, 2}, Stride{12, 4}, Stride{32, 8}, Stride{64, 16}, Stride{128, 32}}) {
    CAPTURE(stride);
    const Growth growth =
        tests::growth({"coalescing", "strides", 1, warps * 32, stride, 0, 1 << 15}, 10, 30, parameters);
    CHECK(growth.totals.of<LoadStoreStatistics>().line_requests == 20 * 4 * warps * requests);
    CHECK(within(growth.cycles_each(), static_cast<double>(4 * warps * requests) / 2, 3));
  }
}

TEST_CASE("with one array, a strided load from the L1 cache takes the maximum of its lines and its bank conflicts") {
  GpuParameters parameters = fair_machine();
  parameters.sm.load_store.one_array = GENERATE(true, false);
  parameters.sm.load_store.units = 4;
  parameters.sm.l1.banks = 4;
  constexpr unsigned warps = 32;
  using Stride = std::pair<std::uint32_t, unsigned>;  // stride in words, cycles of a load
  for (const auto& [stride, cycles] : {Stride{1, 1}, Stride{2, 2}, Stride{4, 4}, Stride{8, 8}, Stride{16, 16},
                                       Stride{17, 5}, Stride{32, 32}, Stride{33, 8}}) {
    const unsigned lines = std::min(stride, 32U);
    const unsigned expected = parameters.sm.load_store.one_array ? cycles : (lines + 3) / 4;
    CAPTURE(stride);
    const Growth growth =
        tests::growth({"coalescing", "strides", 1, warps * 32, 4 * stride, 0, 1 << 15}, 10, 30, parameters);
    CHECK(within(growth.cycles_each(), 4 * warps * expected, 3));
    CHECK(growth.totals.of<LoadStoreStatistics>().line_requests == 20 * 4 * warps * lines);
  }
}

TEST_CASE("a bank of the L1 cache delivers its bytes per cycle") {
  GpuParameters parameters = fair_machine();
  parameters.sm.load_store.units = 8;
  parameters.sm.l1.banks = GENERATE(1U, 4U);
  parameters.sm.l1.bank_bytes = GENERATE(32U, 64U);
  constexpr unsigned warps = 32;
  // Each load requests eight whole lines, one after the other.
  const Growth growth = tests::growth({"coalescing", "strides", 1, warps * 32, 32, 0, 1 << 15}, 10, 30, parameters);
  const double cycles = 8.0 * 128 / double(parameters.sm.l1.bank_bytes * parameters.sm.l1.banks);
  CHECK(within(growth.cycles_each(), 4 * warps * cycles, 2));
}

TEST_CASE("with one pipeline, each request and each answer of a load takes an issue slot") {
  GpuParameters parameters = fair_machine();
  parameters.sm.scheduler.count = 1;
  parameters.sm.scheduler.dispatch = 1;
  parameters.sm.load_store.queue = 1;
  parameters.sm.load_store.units = 1;
  parameters.sm.load_store.coalescing = LoadStoreCoalescing::sectors;
  constexpr unsigned warps = 32;
  const std::uint64_t lines = GENERATE(1U, 8U, 32U);
  const Microbench bench{
      "coalescing", "strides", 1, warps * 32, static_cast<std::uint32_t>(lines == 1 ? 0 : 4 * lines), 0, 1 << 15};
  // An iteration has four loads and three other instructions. With a separate pipe, the load/store unit works in
  // parallel with the other instructions.
  const Growth own = tests::growth(bench, 10, 30, parameters);
  CHECK(within(own.cycles_each(), static_cast<double>(warps * std::max<std::uint64_t>(4 * lines, 7)), 3));
  parameters.sm.load_store.pipeline = LoadStorePipeline::shared;
  const Growth shared = tests::growth(bench, 10, 30, parameters);
  CHECK(within(shared.cycles_each(), static_cast<double>(warps * (4 * lines + 3)), 3));
  CHECK(shared.totals.of<LoadStoreStatistics>().answer_slots == 0);
  // The L1 cache is disabled. Responses that arrive while the unit sends several requests take no additional time.
  parameters.sm.l1.capacity = 0;
  parameters.sm.l1.mshrs = 4096;
  parameters.l2.slices = 96;
  parameters.crossbar.width = 128;
  const Growth missed = tests::growth(bench, 10, 30, parameters);
  CHECK(missed.totals.of<LoadStoreStatistics>().answer_slots == 20 * warps * 4 * lines);
  CHECK(missed.cycles_each() > warps * (4 * lines + 3));
  if (lines == 1)
    CHECK(within(missed.cycles_each(), warps * (2 * 4 + 3), 3));
  else
    CHECK(missed.cycles_each() < warps * (2 * 4 * lines + 3));
}

TEST_CASE("a bank of the L1 cache serves one request a cycle") {
  GpuParameters parameters = fair_machine();
  parameters.sm.load_store.units = 8;
  parameters.sm.l1.banks = GENERATE(1U, 2U, 4U);
  constexpr unsigned warps = 32;
  // Each load requests eight lines, one after the other.
  const Growth growth = tests::growth({"coalescing", "strides", 1, warps * 32, 32, 0, 1 << 15}, 10, 30, parameters);
  CHECK(within(growth.cycles_each(), static_cast<double>(4 * warps * 8 / parameters.sm.l1.banks), 1));
}

}  // namespace reconverge::tests
