// SPDX-License-Identifier: Apache-2.0
// A simulation allocates memory during construction, while its queues grow, and once for each launch. Blocks,
// instructions and requests do not allocate. So two launches of one kernel on one machine allocate equally often, even
// if the second has four times the work of the first.

#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "models/core/simulation_context.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "scenes/generators/small_scenes.hpp"
#include "scenes/structures/bvh.hpp"
#include "tests/microbench/allocation_count.hpp"
#include "tests/microbench/narrow_machine.hpp"

namespace reconverge::tests {
namespace {

/// Livelock detection allocates, and starts after a million cycles without visible change. Launches are shorter.
constexpr std::uint32_t little = 20;
constexpr std::uint32_t much = 4 * little;
/// Tolerance: a new maximum of requests in flight may enlarge a pool by a few requests, and double a queue.
constexpr std::uint64_t still_growing = 64;

struct Cost {
  std::uint64_t allocations = 0;
  std::uint64_t instructions = 0;  ///< warp instructions
};

std::uint64_t instructions(const Gpu& gpu) {
  const auto lanes = gpu.totals().of<WarpSchedulerStatistics>().active_lanes;
  return std::accumulate(lanes.begin(), lanes.end(), std::uint64_t{0});
}

Cost run(Gpu& gpu, const Launch& launch) {
  const std::uint64_t instructions_before = instructions(gpu);
  const std::uint64_t allocations_before = allocation_count();
  const bool ended = gpu.run(launch);
  const std::uint64_t made = allocation_count() - allocations_before;
  REQUIRE(ended);
  return {made, instructions(gpu) - instructions_before};
}

/// `launch(work)` returns a launch with this amount of work.
template <typename MakeLaunch>
void check(Gpu& gpu, const MakeLaunch& launch) {
  const Launch less = launch(little);
  const Launch more = launch(much);
  const Cost first = run(gpu, more);  // lets queues grow
  const Cost of_less = run(gpu, less);
  const Cost of_more = run(gpu, more);
  CHECK(first.allocations > 100);  // the counter works
  CHECK(of_more.instructions > of_less.instructions + 50 * still_growing);
  CHECK(of_more.allocations <= of_less.allocations + still_growing);
}

void check(const Microbench& bench, const GpuParameters& machine) {
  const auto folder = std::filesystem::path(RECONVERGE_SOURCE_DIR) / "platforms/kernels/microbench";
  const auto program = kernel::load_program(folder / (bench.file + ".ptx"), bench.entry);
  const SimulationContext context;
  Gpu gpu("gpu", machine);
  const DeviceAddress buffer = gpu.memory().allocate("buffer", bench.buffer_bytes);
  check(gpu, [&](std::uint32_t iterations) {
    const std::array<Argument, 3> arguments{buffer, iterations, bench.size};
    return make_launch(program, {bench.blocks}, {bench.threads}, arguments);
  });
}

std::vector<scenes::Ray> rays_in_a_box(std::uint32_t count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> coordinate(-1.0F, 1.0F);
  std::vector<scenes::Ray> rays(count);
  for (scenes::Ray& ray : rays) {
    ray.t_max = 1e30F;
    for (int axis = 0; axis < 3; ++axis) ray.direction[axis] = coordinate(random);
  }
  return rays;
}

const auto machines = {"sm.scheme=reconvergence_stack", "sm.scheme=mimd", "memory=fixed_latency", "sm.launch_unit=warp",
                       "sm.scheme=thread_block_compaction"};

}  // namespace

TEST_CASE("instructions and requests allocate no memory") {
  const std::string change = GENERATE(from_range(machines));
  const GpuParameters machine = narrow_machine({change});
  constexpr std::uint64_t bytes = 512 << 10;
  const std::array<Microbench, 7> benches{{
      {"pipes", "single", 4, 64},
      {"switch", "sides", 4, 64, 8},
      {"shared_banks", "throughput", 4, 64, 8},
      {"atomics", "add", 4, 64, 4},
      {"streams", "read", 4, 64, 1024, 0, bytes},
      {"medley", "alone", 4, 96, 36, 0, bytes},
      {"medley", "medley", 4, 96, 36, 0, bytes},
  }};
  for (const Microbench& bench : benches) {
    INFO(bench.entry << " of " << bench.file << ", " << change);
    check(bench, machine);
  }
}

TEST_CASE("tracing a ray allocates no memory") {
  const std::string change = GENERATE(from_range(machines));
  INFO(change);
  const auto program = kernel::load_program(
      std::filesystem::path(RECONVERGE_SOURCE_DIR) / "platforms/kernels/trace_while_while.ptx", "trace_while_while");
  const SimulationContext context;
  Gpu gpu("gpu", narrow_machine({change}));
  const scenes::Bvh bvh = scenes::build_bvh(scenes::box());
  const std::vector<scenes::Ray> rays = rays_in_a_box(16 * much);
  const auto nodes = gpu.memory().upload("nodes", std::span<const scenes::BvhNode>(bvh.nodes));
  const auto rows = gpu.memory().upload("rows", std::span<const scenes::TriangleRow>(bvh.rows));
  const auto triangles = gpu.memory().upload("triangle of row", std::span<const int>(bvh.triangle_of_row));
  const auto origin = gpu.memory().upload("rays", std::span<const scenes::Ray>(rays));
  const auto hits = gpu.memory().allocate("hits", rays.size() * sizeof(scenes::Hit));
  // The launch has threads for the maximum number of rays. Threads without a ray end at once.
  check(gpu, [&](std::uint32_t work) {
    const std::array<Argument, 6> arguments{nodes, rows, triangles, origin, hits, 16 * work};
    return make_launch(program, {16 * much / 128}, {128}, arguments);
  });
}

TEST_CASE("thread blocks allocate no memory") {
  const std::string change = GENERATE(from_range(machines));
  INFO(change);
  const auto program =
      kernel::load_program(std::filesystem::path(RECONVERGE_SOURCE_DIR) / "platforms/kernels/reduce.ptx", "reduce_sum");
  const SimulationContext context;
  Gpu gpu("gpu", narrow_machine({change}));
  constexpr std::uint32_t threads = 64;
  const DeviceAddress input = gpu.memory().allocate("input", much * threads * sizeof(int));
  const DeviceAddress block_sums = gpu.memory().allocate("block sums", much * sizeof(int));
  const DeviceAddress total = gpu.memory().allocate("total", sizeof(int));
  check(gpu, [&](std::uint32_t blocks) {
    const std::array<Argument, 4> arguments{input, block_sums, total, blocks * threads};
    return make_launch(program, {blocks}, {threads}, arguments);
  });
}

}  // namespace reconverge::tests
