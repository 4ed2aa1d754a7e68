// SPDX-License-Identifier: Apache-2.0
// Storage that is divided between the L1 cache and shared memory: the resulting size of the cache, and invalid splits.

#include <array>
#include <catch2/catch.hpp>
#include <deque>
#include <string>
#include <vector>

#include "models/core/error.hpp"
#include "models/core/simulation_context.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "tests/microbench/microbench.hpp"

namespace reconverge::tests {
namespace {

constexpr std::uint64_t kib = 1024;

/// 128 KiB of storage. Shared memory takes the first of `carve_outs` that is large enough.
GpuParameters divided_machine(std::vector<std::uint64_t> carve_outs) {
  GpuParameters parameters = fixed_latency_machine(1);
  parameters.sm.l1.capacity = 128 * kib;
  parameters.sm.l1.line = 128;
  parameters.sm.l1.ways = 8;
  parameters.sm.l1.hit_latency = 1;
  parameters.sm.shared_memory = 64 * kib;
  parameters.sm.carve_outs = std::move(carve_outs);
  return parameters;
}

/// A kernel whose first thread reads `lines` lines of 128 bytes twice. Each block has `shared_bytes` of shared memory.
kernel::Program walk(std::uint64_t lines, std::uint64_t shared_bytes) {
  const std::string tile = shared_bytes == 0 ? ""
                                             : ".shared .align 4 .b8 tile[" + std::to_string(shared_bytes) +
                                                   "];\nst.shared.u32 [tile], 0;\n";
  const std::string text =
      ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry walk(.param .u64 buffer) {\n"
      ".reg .pred %p; .reg .u32 %n, %m, %r; .reg .u64 %a;\n" +
      tile +
      "mov.u32 %r, %tid.x; mov.u32 %n, %ctaid.x; or.b32 %r, %r, %n; setp.ne.u32 %p, %r, 0; @%p bra END;\n"
      "mov.u32 %m, 2;\nTWICE: ld.param.u64 %a, [buffer]; mov.u32 %n, " +
      std::to_string(lines) +
      ";\nLOOP: ld.global.u32 %r, [%a]; add.u64 %a, %a, 128; sub.u32 %n, %n, 1; setp.ne.u32 %p, %n, 0;\n"
      "@%p bra LOOP; sub.u32 %m, %m, 1; setp.ne.u32 %p, %m, 0; @%p bra TWICE;\nEND: ret; }\n";
  return kernel::load_program_text(text, "walk.ptx", "walk", extensions_of());
}

struct Shape {
  std::uint64_t shared_bytes = 0;  ///< for each block
  std::uint32_t threads = 32;
  std::uint32_t dynamic_bytes = 0;
};

/// A machine that runs several launches.
struct Bench {
  explicit Bench(const GpuParameters& parameters) : gpu("gpu", parameters) {
    buffer = gpu.memory().allocate("buffer", 256 * kib);
  }
  /// L1 hits of a launch that reads `size` KiB twice. The second pass hits if the data fits the cache.
  std::uint64_t hits(std::uint64_t size, const Shape& shape) {
    const std::uint64_t lines = size * kib / 128;
    const auto& program = programs.emplace_back(walk(lines, shape.shared_bytes));
    const std::array<Argument, 1> arguments{buffer};
    const auto before = gpu.totals().of<L1CacheStatistics>();
    REQUIRE(gpu.run(make_launch(program, {8}, {shape.threads}, arguments, shape.dynamic_bytes)));
    const auto after = gpu.totals().of<L1CacheStatistics>();
    REQUIRE(after.hits - before.hits + after.misses - before.misses == 2 * lines);
    return after.hits - before.hits;
  }
  /// Whether `size` KiB fit the cache, so that the second pass hits. Otherwise the cache has replaced all lines.
  bool fits(std::uint64_t size, const Shape& shape) {
    const std::uint64_t count = hits(size, shape);
    if (count != 0) CHECK(count == size * kib / 128);
    return count != 0;
  }

  const SimulationContext context;
  std::deque<kernel::Program> programs;  // the machine keeps references
  Gpu gpu;
  DeviceAddress buffer = 0;
};

}  // namespace

TEST_CASE("the L1 cache has the storage that shared memory of the launch does not take") {
  Bench bench(divided_machine({0, 32, 64}));
  // 120 KiB fit a cache of 128 KiB, 80 KiB also one of 96 KiB, and 60 KiB also one of 64 KiB.
  const Shape none{0};
  const Shape half{2 * kib};  // for each of the sixteen blocks that can be resident
  const Shape full{4 * kib};
  for (unsigned round = 0; round < 2; ++round) {
    CAPTURE(round);
    CHECK(bench.fits(120, none));
    CHECK(bench.fits(80, half));
    CHECK_FALSE(bench.fits(120, half));
    CHECK(bench.fits(60, full));
    CHECK_FALSE(bench.fits(80, full));
  }
}

TEST_CASE("without carve-outs the capacity of the L1 cache does not depend on shared memory") {
  Bench bench(divided_machine({}));
  CHECK(bench.fits(120, {8 * kib}));
}

TEST_CASE("the carve-out is large enough for all blocks that can be resident") {
  GpuParameters parameters = divided_machine({32, 64});
  Shape shape{16 * kib};
  SECTION("four by shared memory") {
    Bench bench(parameters);
    CHECK(bench.fits(60, shape));
    CHECK_FALSE(bench.fits(80, shape));
  }
  SECTION("two by the slots of blocks") {
    parameters.sm.block_slots = 2;
    Bench bench(parameters);
    CHECK(bench.fits(80, shape));
  }
  SECTION("two by the slots of warps") {
    shape.threads = 1024;
    parameters.sm.warp_slots = 64;
    Bench bench(parameters);
    CHECK(bench.fits(80, shape));
  }
  SECTION("four by dynamic shared memory of the launch") {
    shape = {0, 32, 16 * kib};
    Bench bench(parameters);
    CHECK_FALSE(bench.fits(80, shape));
  }
  SECTION("one block that needs more than the smaller carve-out") {
    shape = {33 * kib};
    parameters.sm.block_slots = 1;
    Bench bench(parameters);
    CHECK_FALSE(bench.fits(80, shape));
  }
  SECTION("warps that start individually have no shared memory") {
    parameters.sm.launch_unit = SmLaunchUnit::warp;
    Bench bench(parameters);
    CHECK(bench.fits(80, {0}));
    CHECK_FALSE(bench.fits(80, shape));
  }
}

TEST_CASE("the error for invalid carve-outs names the parameter") {
  GpuParameters parameters = divided_machine({32, 64});
  const auto message = [&]() -> std::string {
    const SimulationContext context;
    try {
      Gpu gpu("gpu", parameters);
    } catch (const ParameterError& error) {
      REQUIRE(error.key() == "gpu.sm.carve_outs");
      return error.what();
    }
    return "";
  };
  CHECK(message().empty());
  parameters.sm.carve_outs = {64, 32};
  CHECK(message() == "gpu.sm.carve_outs: not in ascending order; sort them");
  parameters.sm.carve_outs = {0, 32};
  CHECK(message() ==
        "gpu.sm.carve_outs: the largest is less than gpu.sm.shared_memory (64 KiB); add a larger one, or lower "
        "gpu.sm.shared_memory");
  for (const std::uint64_t most : {128U, 200U}) {
    parameters.sm.carve_outs = {64, most};
    CHECK(message() == "gpu.sm.carve_outs: the largest leaves nothing to the L1 cache; raise gpu.sm.l1.capacity");
  }
  // The storage is a multiple of the 1.5 KiB of a set, but the part for the cache is not.
  parameters.sm.l1.capacity = 129 * kib;
  parameters.sm.l1.ways = 12;
  parameters.sm.carve_outs = {0, 64};
  CHECK(message() ==
        "gpu.sm.carve_outs: l1: 12 ways of 128-byte lines do not divide a capacity of 65 KiB; make capacity 66048 B or "
        "66 KiB, a multiple of ways x line, or ways 10 or 13");
}

}  // namespace reconverge::tests
