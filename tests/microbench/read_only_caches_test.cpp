// SPDX-License-Identifier: Apache-2.0
// Texture and constant caches: latency of hits and misses, addresses per cycle, MSHRs, and the accesses that go to each
// cache.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <utility>

#include "models/kernel/texture.hpp"
#include "tests/microbench/memory_bench.hpp"

namespace reconverge::tests {
namespace {

/// Loads of constants from `addresses` different addresses, `stride` bytes apart.
Microbench constants(unsigned addresses, unsigned stride, unsigned warps = 1) {
  return {"constants", "chase", 1, warps * 32, addresses + 256 * stride};
}

/// Texture fetches by one warp from a row of zeros; the lanes fetch elements that are `size` apart.
Microbench texture(std::uint32_t size) {
  Microbench bench{"texture", "fetch", 1, 32, size};
  bench.buffer_bytes = 1 << 16;
  bench.fill = [](std::span<std::byte> bytes, DeviceAddress address) {
    kernel::TextureDescriptor descriptor;
    descriptor.kind = kernel::TextureDescriptor::mark;
    descriptor.address = address + line;
    descriptor.size = {(bytes.size() - line) / sizeof(std::int32_t), 1, 1};
    descriptor.dimensions = 1;
    descriptor.channel = kernel::DataType::s32;
    descriptor.components = 1;
    std::memcpy(bytes.data(), &descriptor, sizeof(descriptor));
  };
  return bench;
}

/// Reduces the constant cache to one line, so that each pass through the ring of four lines misses.
void hold_one_line(GpuParameters& parameters) {
  parameters.sm.constant_cache.capacity = parameters.sm.constant_cache.line;
  parameters.sm.constant_cache.ways = 1;
}

/// The number of requests that a cache received.
template <typename Statistics>
std::uint64_t requests(const Statistics& cache) {
  return cache.hits + cache.misses + cache.merges;
}

}  // namespace

TEST_CASE("a pointer load that hits in the texture cache takes the hit latency and bypasses the data cache") {
  GpuParameters parameters = plain_machine();
  parameters.sm.texture_cache.hit_latency = GENERATE(40U, 105U, 300U);
  parameters.sm.l1.hit_latency = 70;
  const Microbench bench = ring(32, line, "chase_read_only");
  CHECK(cycles_of_load(bench, 32, parameters) == double(parameters.sm.texture_cache.hit_latency));
  const Statistics totals = run(bench, 24, parameters).totals;
  CHECK(totals.of<TextureCacheStatistics>().misses == 32);
  CHECK(totals.of<TextureCacheStatistics>().hits == 64);
  CHECK(totals.of<LoadStoreStatistics>().instructions[LoadStoreInstructions::texture] == 96);
  CHECK(totals.of<L1CacheStatistics>() == L1CacheStatistics{});
}

TEST_CASE("loads without .nc bypass the texture cache") {
  GpuParameters parameters = plain_machine();
  parameters.sm.texture_cache.hit_latency = GENERATE(40U, 300U);
  const Microbench bench = ring(32, line);
  CHECK(cycles_of_load(bench, 32, parameters) == double(parameters.sm.l1.hit_latency));
  const Statistics totals = run(bench, 24, parameters).totals;
  CHECK(totals.of<TextureCacheStatistics>() == TextureCacheStatistics{});
  CHECK(totals.of<L1CacheStatistics>().hits == 64);
}

TEST_CASE("without a texture cache, read-only loads go to the data cache") {
  GpuParameters parameters = plain_machine();
  parameters.sm.texture_cache.capacity = 0;
  parameters.sm.texture_cache.line = 32;
  parameters.sm.l1.hit_latency = GENERATE(40U, 105U);
  const Microbench bench = ring(32, line, "chase_read_only");
  CHECK(cycles_of_load(bench, 32, parameters) == double(parameters.sm.l1.hit_latency));
  const Statistics totals = run(bench, 24, parameters).totals;
  CHECK(totals.of<TextureCacheStatistics>() == TextureCacheStatistics{});
  CHECK(totals.of<L1CacheStatistics>().misses == 32);
  CHECK(totals.of<L1CacheStatistics>().hits == 64);
}

TEST_CASE("a pointer load that misses in the texture cache adds the round trip to the L2") {
  GpuParameters parameters = one_slice();
  parameters.sm.texture_cache.capacity = 1 << 10;
  parameters.sm.texture_cache.ways = 8;
  parameters.sm.texture_cache.hit_latency = GENERATE(40U, 105U);
  parameters.crossbar.latency = GENERATE(10U, 40U);
  SECTION("whole lines") {}
  SECTION("sectors") { parameters.sm.load_store.coalescing = LoadStoreCoalescing::sectors; }
  const bool sectors = parameters.sm.load_store.coalescing == LoadStoreCoalescing::sectors;
  const Cycle way = way_to_second_level(parameters, sectors ? 32 : line);
  CHECK(cycles_of_load(ring(64, line, "chase_read_only"), 64, parameters) ==
        double(parameters.sm.texture_cache.hit_latency + way));
}

TEST_CASE("a texture fetch takes the latency of the texture cache") {
  GpuParameters parameters = plain_machine();
  parameters.sm.texture_cache.hit_latency = GENERATE(40U, 105U);
  const unsigned lines = GENERATE(1U, 4U, 32U);  // lines of a fetch
  const Growth growth = tests::growth(texture(lines), 5, 25, parameters);
  const Cycle fetch = parameters.sm.texture_cache.hit_latency + lines - 1;
  CHECK(growth.cycles == 20 * 4 * (fetch + parameters.sm.lanes.alu_latency));
  CHECK(growth.totals.of<TextureCacheStatistics>().hits == 20 * 4 * lines);
  CHECK(growth.totals.of<L1CacheStatistics>() == L1CacheStatistics{});
}

TEST_CASE("with s steps per cycle, a texture fetch takes an s-th of its time, rounded up") {
  GpuParameters parameters = plain_machine();
  parameters.sm.load_store.steps = GENERATE(1U, 2U, 3U, 4U);
  parameters.sm.texture_cache.hit_latency = GENERATE(60U, 105U);
  parameters.sm.texture_cache.answers = GENERATE(TextureCacheAnswers::any_order, TextureCacheAnswers::in_order);
  parameters.sm.texture_cache.banks = 1;
  const unsigned lines = GENERATE(1U, 4U, 7U, 32U);
  const Growth growth = tests::growth(texture(lines), 5, 25, parameters);
  const std::uint64_t steps = parameters.sm.load_store.steps;
  CAPTURE(steps, lines);
  const Cycle fetch = (parameters.sm.texture_cache.hit_latency + lines - 1 + steps - 1) / steps;
  CHECK(growth.cycles == 20 * 4 * (fetch + parameters.sm.lanes.alu_latency));
  CHECK(growth.totals.of<TextureCacheStatistics>().hits == 20 * 4 * lines);
}

TEST_CASE("texture units limit the lanes of texture fetches per cycle") {
  GpuParameters parameters = plain_machine();
  const unsigned steps = GENERATE(1U, 2U);
  parameters.sm.load_store.steps = steps;
  parameters.sm.texture_cache.hit_latency = steps * 40;
  const unsigned units = GENERATE(1U, 4U, 16U, 32U);
  parameters.sm.load_store.texture_lanes = units;
  CAPTURE(steps, units);
  SECTION("a fetch takes as long as its lanes or its lines, whichever is longer") {
    const unsigned lines = GENERATE(1U, 4U, 32U);
    const Growth growth = tests::growth(texture(lines), 5, 25, parameters);
    const Cycle more = std::max<Cycle>(steps * (32 / units - 1), lines - 1);
    const Cycle fetch = 40 + (more + steps - 1) / steps;
    CHECK(growth.cycles == 20 * 4 * (fetch + parameters.sm.lanes.alu_latency));
  }
  SECTION("fetches of many warps wait for the units") {
    Microbench bench = texture(1);
    bench.threads = 32 * 32;
    const Growth growth = tests::growth(bench, 5, 25, parameters);
    const double cycles = double(growth.cycles) / (20 * 4 * 32);
    // With 32 units, the warps wait for their data.
    if (units < 32) CHECK(within(cycles, 32.0 / units, 3));
  }
}

TEST_CASE("texture units do not serve read-only loads") {
  GpuParameters parameters = plain_machine();
  parameters.sm.load_store.texture_lanes = 1;
  CHECK(cycles_of_load(ring(32, line, "chase_read_only"), 32, parameters) ==
        double(parameters.sm.texture_cache.hit_latency));
}

TEST_CASE("a line of a texture fetch that finds its banks idle is written when it is there") {
  GpuParameters parameters = plain_machine();
  parameters.sm.operand_collector.units = 8;
  parameters.sm.operand_collector.banks = 16;
  parameters.sm.load_store.steps = parameters.sm.operand_collector.steps = GENERATE(1U, 2U);
  parameters.sm.texture_cache.hit_latency = 40;
  const unsigned lines = GENERATE(1U, 4U, 32U);
  const Growth together = tests::growth(texture(lines), 5, 25, parameters);
  parameters.sm.load_store.texture_writeback = LoadStoreTextureWriteback::line;
  const Growth one_by_one = tests::growth(texture(lines), 5, 25, parameters);
  CHECK(one_by_one.cycles == together.cycles);
  CHECK(one_by_one.totals.of<OperandCollectorStatistics>().write_wait_cycles == 0);
}

TEST_CASE("Little's law: m MSHRs of the texture cache fetch m lines in a memory latency") {
  using Limit = std::pair<Cycle, std::uint64_t>;  // latency, MSHRs
  const auto [latency, registers] = GENERATE(values<Limit>({{20, 1}, {20, 40}, {100, 4}, {100, 16}, {400, 64}}));
  GpuParameters parameters = fixed_latency_machine(latency);
  parameters.sm.scheduler.policy = WarpSchedulerPolicy::loose_round_robin;
  parameters.sm.l1.mshrs = 1;
  parameters.sm.texture_cache.hit_latency = 5;
  parameters.sm.texture_cache.mshrs = registers;
  CAPTURE(latency, registers);
  CHECK(within(cycles_of_line("read_only", parameters), std::max(1.0, double(latency) / double(registers)), 3));
}

TEST_CASE("loads from n constant addresses take n cycles, regardless of the lanes for each address") {
  GpuParameters parameters = plain_machine();
  const unsigned addresses = GENERATE(1U, 2U, 3U, 8U, 32U);
  const unsigned stride = GENERATE(8U, 24U);
  parameters.sm.load_store.units = GENERATE(1U, 4U);
  CAPTURE(addresses, stride, parameters.sm.load_store.units);
  auto& cache = parameters.sm.constant_cache;
  SECTION("with a constant cache") {
    for (const unsigned latency : {30U, 80U}) {
      cache.hit_latency = latency;
      const Growth chain = growth(constants(addresses, stride), 5, 25, parameters);
      CHECK(chain.cycles == 20 * 4 * (latency + addresses - 1 + parameters.sm.lanes.alu_latency));
      CHECK(chain.totals.of<ConstantCacheStatistics>().hits == 20 * 4 * addresses);
      CHECK(chain.totals.of<LoadStoreStatistics>().instructions[LoadStoreInstructions::constant] == 20 * 4);
      CHECK(chain.totals.of<L1CacheStatistics>() == L1CacheStatistics{});
      CHECK(chain.totals.of<TextureCacheStatistics>() == TextureCacheStatistics{});
    }
  }
  SECTION("without a constant cache") {
    cache.capacity = 0;
    parameters.sm.load_store.constant_latency = GENERATE(30U, 80U);
    const Growth chain = growth(constants(addresses, stride), 5, 25, parameters);
    const auto latency = parameters.sm.load_store.constant_latency;
    CHECK(chain.cycles == 20 * 4 * (latency + addresses - 1 + parameters.sm.lanes.alu_latency));
    CHECK(chain.totals.of<LoadStoreStatistics>().line_requests == 0);
    CHECK(run(constants(addresses, stride), 5, parameters).totals.of<ConstantCacheStatistics>() ==
          ConstantCacheStatistics{});
  }
}

TEST_CASE("each bank of the constant cache serves one address a cycle") {
  GpuParameters parameters = plain_machine();
  parameters.sm.scheduler.policy = WarpSchedulerPolicy::loose_round_robin;
  parameters.sm.load_store.units = 8;
  auto& cache = parameters.sm.constant_cache;
  cache.hit_latency = 8;
  cache.banks = GENERATE(1U, 2U, 4U);
  const unsigned addresses = GENERATE(1U, 8U, 32U);
  constexpr unsigned warps = 32;
  // The addresses are in separate lines, so that they are in all banks.
  const Growth growth =
      tests::growth(constants(addresses, static_cast<unsigned>(cache.line), warps), 10, 30, parameters);
  const Cycle bank = divide_up(addresses, cache.banks);
  const Cycle chain = 4 * (cache.hit_latency + bank - 1 + parameters.sm.lanes.alu_latency);
  CAPTURE(cache.banks, addresses);
  if (4 * warps * bank > 2 * chain) CHECK(within(growth.cycles_each(), double(4 * warps * bank), 3));
}

TEST_CASE("constant loads that miss add the round trip to the L2") {
  GpuParameters parameters = one_slice();
  hold_one_line(parameters);
  parameters.sm.constant_cache.hit_latency = GENERATE(30U, 60U);
  parameters.crossbar.latency = GENERATE(10U, 40U);
  SECTION("whole lines") {}
  SECTION("sectors") { parameters.sm.load_store.coalescing = LoadStoreCoalescing::sectors; }
  const bool sectors = parameters.sm.load_store.coalescing == LoadStoreCoalescing::sectors;
  const Cycle way = way_to_second_level(parameters, sectors ? 32 : parameters.sm.constant_cache.line);
  const Growth chain = growth(constants(1, 8), 5, 25, parameters);
  CHECK(chain.cycles == 20 * 4 * (parameters.sm.constant_cache.hit_latency + way + parameters.sm.lanes.alu_latency));
  CHECK(chain.totals.of<ConstantCacheStatistics>().misses == 20 * 4);
}

TEST_CASE("addresses in one line of constants wait for one fetch, up to the merge limit") {
  GpuParameters parameters = plain_machine();
  auto& cache = parameters.sm.constant_cache;
  cache.merges = GENERATE(1U, 3U, 8U, 64U);
  // One pass over eight addresses in each of four lines.
  const Statistics once = run(constants(8, 8), 1, parameters).totals;
  const std::uint64_t waiting = std::min<std::uint64_t>(cache.merges, 8);
  const std::uint64_t parameters_read = requests(once.of<ConstantCacheStatistics>()) - 4 * 8;
  CHECK(parameters_read == 2);  // count and size, in one line
  CHECK(once.of<ConstantCacheStatistics>().misses == 4 + 1);
  CHECK(once.of<ConstantCacheStatistics>().merges == 4 * (waiting - 1) + std::min<std::uint64_t>(cache.merges - 1, 1));
  CHECK(once.of<ConstantCacheStatistics>().mshr_stalls == (waiting < 8 ? 4U : 0U) + (cache.merges == 1 ? 1U : 0U));
}

}  // namespace reconverge::tests
