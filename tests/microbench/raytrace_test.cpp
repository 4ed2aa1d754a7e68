// SPDX-License-Identifier: Apache-2.0
// The traversal unit: the time to trace a ray, the number of rays in flight, and relations between its counters.

#include "blocks/raytrace.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <numeric>

#include "blocks/node_cache.hpp"
#include "models/core/error.hpp"
#include "models/core/simulation_context.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "scenes/device_layout.h"
#include "tests/microbench/narrow_machine.hpp"

namespace reconverge::tests {
namespace {

constexpr std::uint64_t rows_at = 1024;
constexpr std::uint64_t rays_at = 4096;

/// A chain of nodes, each with one child that every ray hits, and a leaf of triangles. Rays hit the first triangle.
struct Chain {
  unsigned nodes = 1;
  unsigned triangles = 1;

  void operator()(std::span<std::byte> bytes, DeviceAddress /*address*/) const {
    const auto put = [&](std::uint64_t at, const auto& value) { std::memcpy(&bytes[at], &value, sizeof(value)); };
    for (unsigned i = 0; i < nodes; ++i) {
      scenes::BvhNode node{};
      node.c0_lo_x = node.c0_lo_y = node.c0_lo_z = -10;
      node.c0_hi_x = node.c0_hi_y = node.c0_hi_z = 10;
      node.c1_lo_x = node.c1_hi_x = 1000;
      node.child0 = i + 1 < nodes ? static_cast<int>(i + 1) : ~0;
      put(i * sizeof(node), node);
    }
    for (unsigned i = 0; i < triangles; ++i) {
      put(rows_at + i * 48, scenes::WoopTriangle{{0, 0, 1, 5}, {1, 0, 0, 0}, {0, 1, 0, 0}});
    }
    put(rows_at + triangles * 48, scenes::leaf_end_bits);
    for (std::uint64_t ray = 0; ray < 256; ++ray) {
      put(rays_at + 32 * ray, scenes::Ray{{0.25F, 0.25F, 0}, 0, {0, 0, 1}, 100});
    }
  }
};

Microbench bench_of(const char* entry, const Chain& chain) {
  Microbench bench{"trace", entry};
  bench.buffer_bytes = 16384;
  bench.fill = chain;
  return bench;
}

GpuParameters tracing_machine() {
  GpuParameters parameters = plain_machine();
  parameters.sm.scheme = {"raytrace"};
  parameters.sm.scheduler.dispatch = 1;
  return parameters;
}

RaytraceParameters& unit_of(GpuParameters& parameters) { return parameters.sm.schemes.of<RaytraceParameters>(); }

/// Cycles from the issue of a trace to the issue of its reader, by the closed form in the PTX file.
Cycle trace_cycles(const RaytraceParameters& unit, const Chain& chain, bool fetched, bool numbered) {
  const Cycle hit = unit.node_cache.hit_latency;
  const Cycle sectors = 64 / unit.port_bytes;
  return (fetched ? hit : 0) + unit.setup_latency + chain.nodes * (sectors - 1 + hit + unit.box_latency) +
         chain.triangles * (sectors - 1 + hit + unit.triangle_latency) + (numbered ? hit : 0) + 1;
}

/// Cycles of a round whose trace takes `trace` cycles. The loop counter is available one cycle and a subtraction after
/// the issue of the trace.
Cycle round_cycles(const GpuParameters& parameters, Cycle trace) {
  const auto& lanes = parameters.sm.lanes;
  return std::max(trace, 1 + lanes.alu_latency) + lanes.alu_latency + lanes.branch_latency;
}

}  // namespace

TEST_CASE("traversal unit: one ray takes the time of its path through the tree") {
  GpuParameters parameters = tracing_machine();
  RaytraceParameters& unit = unit_of(parameters);
  unit.setup_latency = GENERATE(0, 4);
  unit.box_latency = GENERATE(1, 8);
  unit.triangle_latency = GENERATE(3, 8);
  unit.node_cache.hit_latency = GENERATE(1, 20);
  unit.port_bytes = GENERATE(32, 64);
  const Chain chain = GENERATE(Chain{1, 1}, Chain{7, 1}, Chain{3, 2});
  // The second triangle starts in the middle of a sector. It spans three sectors, which take a cycle more.
  const Cycle astride = chain.triangles == 2 ? 1 : 0;
  constexpr std::uint32_t rounds = 16;
  const auto takes = [&](const char* entry) { return growth(bench_of(entry, chain), 4, 4 + rounds, parameters); };
  const auto form = [&](bool fetched, bool numbered) {
    return rounds * round_cycles(parameters, trace_cycles(unit, chain, fetched, numbered) + astride);
  };
  const Growth closest = takes("closest");
  CHECK(closest.cycles == form(true, true));
  if (chain.triangles == 1) CHECK(takes("any").cycles == form(true, false));
  CHECK(takes("local").cycles == form(false, true));
  const auto& counts = closest.totals.of<RaytraceStatistics>();
  CHECK(counts.instructions == rounds);
  CHECK(counts.rays == std::uint64_t{rounds} * warp_size);
  CHECK(counts.node_visits == std::uint64_t{rounds} * warp_size * chain.nodes);
  CHECK(counts.triangle_tests == std::uint64_t{rounds} * warp_size * chain.triangles);
  CHECK(counts.fetches == std::uint64_t{rounds} * (2 + chain.nodes + chain.triangles));
}

TEST_CASE("traversal unit: with room for one instruction, others wait") {
  GpuParameters parameters = tracing_machine();
  unit_of(parameters).warps = 1;
  const Chain chain{5, 1};
  Microbench bench = bench_of("closest", chain);
  bench.threads = 256;
  const Growth more = growth(bench, 4, 20, parameters);
  CHECK(within(static_cast<double>(more.cycles),
               static_cast<double>(16 * 8 * trace_cycles(unit_of(parameters), chain, true, true)), 2));
  const auto& counts = more.totals.of<RaytraceStatistics>();
  CHECK(counts.full > 0);
  const auto& slots = more.totals.of<WarpSchedulerStatistics>().slots.values;
  const SchemeList kinds = built_in_schemes();
  const auto kind = std::ranges::find_if(kinds, [](const auto* one) { return one->part.name == "raytrace"; });
  REQUIRE(kind != kinds.end());
  CHECK(slots[static_cast<std::size_t>(first_cause_of(**kind, kinds))] > 0);
  CHECK(within(static_cast<double>(counts.busy_cycles), static_cast<double>(more.cycles), 2));
  CHECK(counts.warp_cycles == counts.busy_cycles);
}

TEST_CASE("traversal unit: with enough rays in flight, the port limits the rate") {
  GpuParameters parameters = tracing_machine();
  RaytraceParameters& unit = unit_of(parameters);
  unit.warps = 32;
  const Chain chain{GENERATE(4U, 9U), 1};
  Microbench bench = bench_of("closest", chain);
  bench.threads = 1024;
  const Growth more = growth(bench, 4, 24, parameters);
  const std::uint64_t of_trace = 1 + 2 * (chain.nodes + chain.triangles) + 1;
  CHECK(more.totals.of<RaytraceStatistics>().port_cycles == 20 * 32 * of_trace);
  CHECK(within(static_cast<double>(more.cycles), static_cast<double>(20 * 32 * of_trace), 3));
}

TEST_CASE("traversal unit: rays that share a node wait for a unit one after the other") {
  GpuParameters parameters = tracing_machine();
  const Chain chain{4, 1};
  const Growth wide = growth(bench_of("closest", chain), 4, 20, parameters);
  CHECK(wide.totals.of<RaytraceStatistics>().unit_wait_cycles == 0);
  unit_of(parameters).box_units = 1;
  const Growth narrow = growth(bench_of("closest", chain), 4, 20, parameters);
  // The last of 32 rays is tested at the first node 31 cycles after the first ray. At later nodes each ray arrives in a
  // different cycle, and hits data that an earlier ray fetched.
  CHECK(narrow.totals.of<RaytraceStatistics>().unit_wait_cycles > 16 * 31 * 16);
  CHECK(narrow.cycles > wide.cycles + 16 * 31);
}

TEST_CASE("traversal unit: its counters add up and match those of the node cache") {
  GpuParameters parameters = tracing_machine();
  Microbench bench = bench_of("closest", {7, 3});
  bench.threads = 256;
  bench.size = GENERATE(0U, 32U);
  const Measurement measured = run(bench, 5, parameters);
  const auto& counts = measured.totals.of<RaytraceStatistics>();
  const auto& cache = measured.totals.of<NodeCacheStatistics>();
  CHECK(counts.rays == counts.instructions * warp_size);
  CHECK(counts.rays_fetched == counts.rays);
  CHECK(counts.box_tests == 2 * counts.node_visits);
  CHECK(counts.fetches + counts.shared_fetches == counts.rays_fetched + counts.node_visits + counts.triangle_tests +
                                                      counts.empty_leaves + counts.numbers_fetched);
  CHECK(counts.requests == cache.hits + cache.misses + cache.merges);
  CHECK(counts.busy_cycles <= counts.warp_cycles);
  CHECK(counts.ray_cycles <= counts.warp_cycles * warp_size);
  CHECK(counts.busy_cycles <= measured.cycles);
  CHECK(counts.port_cycles <= counts.busy_cycles);
}

TEST_CASE("traversal unit: rays have the same results on any machine") {
  const auto sums = [](const Measurement& measured) {
    return std::vector(measured.words.begin() + 131072 / 4, measured.words.begin() + 131072 / 4 + tracing_threads);
  };
  // The expected sum of each thread. A hit adds 100 and its cell; a miss, or the last cell, adds -1.
  std::vector<std::uint32_t> expected;
  for (std::uint32_t thread = 0; thread < tracing_threads; ++thread) {
    std::uint32_t sum = 0;
    for (std::uint32_t round = 0; round < traced_rounds; ++round) {
      const std::uint32_t ray = (thread + 37 * round) % traced_rays;
      const std::uint32_t cell = ray / 3 * 7 % 32;
      sum += ray % 4 == 3 || cell == 31 ? ~0U : 100 + cell;
    }
    expected.push_back(sum);
  }
  const std::string change =
      GENERATE(as<std::string>{}, "sms=1", "sm.raytrace.warps=1", "sm.raytrace.warps=64", "memory=fixed_latency",
               "sm.raytrace.node_cache.capacity=0 B", "sm.raytrace.node_cache.mshrs=64", "sm.launch_unit=warp",
               "sm.scheme=[thread_block_compaction, raytrace]", "sm.scheme=[dynamic_ray_shuffling, raytrace]",
               "sm.scheduler.policy=two_level", "sm.raytrace.port_bytes=128 B", "sm.scoreboard.waits_for=instructions");
  CAPTURE(change);
  const Measurement measured = run_traces(narrow_machine({"sm.scheme=raytrace", change}));
  CHECK(sums(measured) == expected);
  const auto& counts = measured.totals.of<RaytraceStatistics>();
  CHECK(counts.rays == std::uint64_t{2} * tracing_threads * traced_rounds);
  CHECK(counts.fetches + counts.shared_fetches == counts.rays_fetched + counts.node_visits + counts.triangle_tests +
                                                      counts.empty_leaves + counts.numbers_fetched);
  const auto& cache = measured.totals.of<NodeCacheStatistics>();
  CHECK(counts.requests == cache.hits + cache.misses + cache.merges);
}

TEST_CASE("traversal unit: a launch begins with an empty node cache") {
  const SimulationContext context;
  Gpu gpu("gpu", tracing_machine());
  const auto folder = std::string(RECONVERGE_SOURCE_DIR) + "/platforms/kernels/microbench/trace.ptx";
  const kernel::Program program = kernel::load_program(folder, "closest", extensions_of());
  const DeviceAddress buffer = gpu.memory().allocate("buffer", 16384);
  Chain{3, 1}(gpu.memory().view(buffer), buffer);
  const std::array<Argument, 3> arguments{buffer, 5U, 0U};
  const Launch launch = make_launch(program, {1}, {32}, arguments);
  gpu.run(launch);
  const std::uint64_t misses = gpu.totals().of<NodeCacheStatistics>().misses;
  CHECK(misses > 0);
  gpu.run(launch);
  CHECK(gpu.totals().of<NodeCacheStatistics>().misses == 2 * misses);
}

TEST_CASE("traversal unit: parameters that do not go together name themselves") {
  const auto refusal = [](const std::string& change) {
    const SimulationContext context;
    try {
      const Gpu gpu("gpu", narrow_machine({"sm.scheme=raytrace", change}));
    } catch (const ParameterError& error) {
      return error.key() + ": " + error.what();
    }
    return std::string("none");
  };
  CHECK(refusal("sm.raytrace.warps=2") == "none");
  CHECK_THAT(refusal("sm.raytrace.port_bytes=48 B"), Catch::StartsWith("gpu.sm.raytrace.port_bytes: "));
  CHECK_THAT(refusal("sm.raytrace.node_cache.ways=48"), Catch::StartsWith("gpu.sm.raytrace.node_cache.capacity: "));
  CHECK_THAT(refusal("sm.raytrace.node_cache.line=256 B"), Catch::StartsWith("gpu.sm.raytrace.node_cache.line: "));
  CHECK_THAT(refusal("sm.scheme=[mimd, raytrace]"), Catch::Contains("raytrace does not work with mimd"));
}

}  // namespace reconverge::tests
