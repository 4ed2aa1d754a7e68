// SPDX-License-Identifier: Apache-2.0
// The whole GPU with small kernels, under every scheme. The expected results are computed in C++.

#include "platforms/machines/gpu/gpu.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/error.hpp"
#include "models/core/simulation_context.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "tests/repetition.hpp"

namespace reconverge {
namespace {

kernel::Program load(const char* file, const char* entry) {
  return kernel::load_program(std::filesystem::path(RECONVERGE_SOURCE_DIR) / "platforms/kernels" / file, entry);
}

GpuParameters small_gpu(std::string_view scheme, std::uint64_t sms = 2) {
  GpuParameters parameters;
  parameters.sms = sms;
  parameters.sm.scheme = {std::string(scheme)};
  return parameters;
}

std::uint64_t total(const auto& slots) {
  return std::accumulate(slots.values.begin(), slots.values.end(), std::uint64_t{0});
}

const std::initializer_list<std::string> schemes = {"reconvergence_stack", "mimd", "dynamic_ray_shuffling",
                                                    "thread_block_compaction"};

}  // namespace

TEST_CASE("saxpy matches C++") {
  const auto scheme = GENERATE(from_range(schemes));
  const SimulationContext context;
  const auto program = load("saxpy.ptx", "saxpy");
  Gpu gpu("gpu", small_gpu(scheme));
  constexpr unsigned count = 1000;
  std::vector<float> x(count);
  std::vector<float> y(count);
  for (unsigned i = 0; i < count; ++i) {
    x[i] = static_cast<float>(i) * 0.25F;
    y[i] = 100.0F - static_cast<float>(i);
  }
  const auto device_x = gpu.memory().upload("x", std::span<const float>(x));
  const auto device_y = gpu.memory().upload("y", std::span<const float>(y));
  const std::array<Argument, 4> arguments{2.5F, device_x, device_y, count};
  REQUIRE(gpu.run(make_launch(program, {8}, {128}, arguments)));
  const auto result = gpu.memory().view_as<float>(device_y);
  for (unsigned i = 0; i < count; ++i) REQUIRE(result[i] == std::fma(2.5F, x[i], y[i]));

  const Statistics totals = gpu.totals();
  REQUIRE(totals.of<SmStatistics>().threads_launched == 1024);
  // Every issue slot of every cycle has exactly one outcome.
  REQUIRE(total(totals.of<WarpSchedulerStatistics>().slots) == totals.of<GpuStatistics>().cycles * 2 * 4 * 2);
}

TEST_CASE("collatz: threads that leave a loop in different iterations") {
  const auto scheme = GENERATE(from_range(schemes));
  const SimulationContext context;
  const auto program = load("collatz.ptx", "collatz");
  Gpu gpu("gpu", small_gpu(scheme));
  constexpr unsigned count = 500;
  std::vector<unsigned> start(count);
  std::iota(start.begin(), start.end(), 1U);
  const auto device_start = gpu.memory().upload("start", std::span<const unsigned>(start));
  const auto device_steps = gpu.memory().allocate("steps", count * 4);
  const std::array<Argument, 3> arguments{device_start, device_steps, count};
  REQUIRE(gpu.run(make_launch(program, {4}, {128}, arguments)));
  const auto steps = gpu.memory().view_as<unsigned>(device_steps);
  for (unsigned i = 0; i < count; ++i) {
    unsigned expected = 0;
    for (std::uint64_t n = start[i]; n != 1; n = n % 2 == 0 ? n / 2 : 3 * n + 1) ++expected;
    REQUIRE(steps[i] == expected);
  }
}

TEST_CASE("a launch that fits one SM is distributed over all SMs under every scheme") {
  const auto scheme = GENERATE(from_range(schemes));
  const auto program = load("collatz.ptx", "collatz");
  const unsigned threads = GENERATE(32U, 48U);  // whole warps, and partly filled warps
  const unsigned blocks = tests::short_form() ? 16 : 40;
  std::vector<std::uint32_t> seeds(blocks * threads);
  std::iota(seeds.begin(), seeds.end(), 1U);
  const auto cycles = [&](std::uint64_t sms) {
    const SimulationContext context;
    GpuParameters parameters = small_gpu(scheme, sms);
    parameters.sm.scheduler.count = 1;  // the issue rate of an SM is the limit
    parameters.sm.scheduler.dispatch = 1;
    Gpu gpu("gpu", parameters);
    const auto input = gpu.memory().upload("seeds", std::span<const std::uint32_t>(seeds));
    const auto output = gpu.memory().allocate("steps", seeds.size() * sizeof(std::uint32_t));
    const std::array<Argument, 3> arguments{input, output, static_cast<std::uint32_t>(seeds.size())};
    REQUIRE(gpu.run(make_launch(program, {blocks}, {threads}, arguments)));
    return gpu.totals().of<GpuStatistics>().cycles;
  };
  const auto one = cycles(1);
  const auto two = cycles(2);
  const auto four = cycles(4);
  CAPTURE(scheme, threads, one, two, four);
  CHECK(two < one * 8 / 10);
  CHECK(four < two);
}

TEST_CASE("reduce: shared memory and barriers") {
  const auto scheme = GENERATE(from_range(schemes));
  const SimulationContext context;
  const auto program = load("reduce.ptx", "reduce_sum");
  Gpu gpu("gpu", small_gpu(scheme));
  constexpr unsigned count = 5000;
  std::vector<int> values(count);
  for (unsigned i = 0; i < count; ++i) values[i] = static_cast<int>(i * 2654435761U >> 20U) - 2000;
  const auto input = gpu.memory().upload("input", std::span<const int>(values));
  constexpr unsigned blocks = 20;
  const auto sums = gpu.memory().allocate("sums", blocks * 4);
  const auto sum = gpu.memory().allocate("sum", 4);
  const std::array<Argument, 4> arguments{input, sums, sum, count};
  REQUIRE(gpu.run(make_launch(program, {blocks}, {256}, arguments)));
  const auto result = gpu.memory().view_as<int>(sums);
  for (unsigned block = 0; block < blocks; ++block) {
    const auto first = values.begin() + block * 256;
    const auto last = values.begin() + std::min(count, (block + 1) * 256);
    REQUIRE(result[block] == std::accumulate(first, last, 0));
  }
  REQUIRE(gpu.memory().view_as<int>(sum)[0] == std::accumulate(values.begin(), values.end(), 0));
}

TEST_CASE("variables of a module have their initial values, and its kernels share them") {
  const SimulationContext context;
  const std::string text =
      ".version 5.0\n.target sm_60\n.address_size 64\n.visible .global .align 4 .u32 counter = 40;\n"
      ".visible .entry add(.param .u32 add_param_0)\n{\n.reg .b32 %r<4>;\nld.param.u32 %r1, [add_param_0];\n"
      "red.global.add.u32 [counter], %r1;\nret;\n}\n"
      ".visible .entry read(.param .u64 read_param_0)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
      "ld.param.u64 %rd1, [read_param_0];\nld.global.u32 %r1, [counter];\nst.global.u32 [%rd1], %r1;\nret;\n}\n";
  const auto add = kernel::load_program_text(text, "counter.ptx", "add");
  const auto read = kernel::load_program_text(text, "counter.ptx", "read");
  Gpu gpu("gpu", small_gpu("reconvergence_stack"));
  const auto result = gpu.memory().allocate("result", 4);
  const std::array<Argument, 1> increment{2U};
  const std::array<Argument, 1> target{result};
  REQUIRE(gpu.run(make_launch(add, {1}, {10}, increment)));
  REQUIRE(gpu.run(make_launch(read, {1}, {1}, target)));
  REQUIRE(gpu.memory().view_as<unsigned>(result)[0] == 60);
}

TEST_CASE("an error in a kernel names kernel, line, block, warp, lane and address") {
  const auto scheme = GENERATE(from_range(schemes));
  const SimulationContext context;
  const auto program = load("saxpy.ptx", "saxpy");
  Gpu gpu("gpu", small_gpu(scheme));
  const auto x = gpu.memory().allocate("x", 400);
  const auto y = gpu.memory().allocate("y", 400);
  const std::array<Argument, 4> arguments{1.0F, x, y, 101U};  // one more than the elements of the buffers
  REQUIRE_THROWS_WITH(gpu.run(make_launch(program, {1}, {128}, arguments)),
                      Catch::Contains("saxpy.ptx:") && Catch::Contains("outside every buffer") &&
                          Catch::Contains("kernel 'saxpy'") && Catch::Contains("block 0, warp 3, lane 4"));
  REQUIRE_THROWS_AS(gpu.run(make_launch(program, {1}, {128}, arguments)), ExecutionError);
}

TEST_CASE("a wrong number or size of arguments, and invalid shapes, are refused") {
  const auto program = load("saxpy.ptx", "saxpy");
  const std::array<Argument, 2> few{1.0F, std::uint64_t{0}};
  const std::array<Argument, 4> wide{1.0, std::uint64_t{0}, std::uint64_t{0}, 1U};
  const std::array<Argument, 4> right{1.0F, std::uint64_t{0}, std::uint64_t{0}, 1U};
  REQUIRE_THROWS_WITH(make_launch(program, {1}, {32}, few), Catch::Contains("takes 4 arguments, 2 given"));
  REQUIRE_THROWS_WITH(make_launch(program, {1}, {32}, wide), Catch::Contains("has 4 bytes, 8 given"));
  REQUIRE_THROWS_AS(make_launch(program, {0}, {32}, right), InputError);
  REQUIRE_THROWS_AS(make_launch(program, {1}, {32, 64}, right), InputError);
}

TEST_CASE("two runs have equal counters") {
  const auto scheme = GENERATE(from_range(schemes));
  const auto once = [&] {
    const SimulationContext context;
    const auto program = load("collatz.ptx", "collatz");
    Gpu gpu("gpu", small_gpu(scheme, 3));
    std::vector<unsigned> start(700);
    std::iota(start.begin(), start.end(), 1U);
    const auto device_start = gpu.memory().upload("start", std::span<const unsigned>(start));
    const auto device_steps = gpu.memory().allocate("steps", start.size() * 4);
    const std::array<Argument, 3> arguments{device_start, device_steps, 700U};
    gpu.run(make_launch(program, {6}, {128}, arguments));
    std::vector<std::uint64_t> counters;
    gpu.totals().visit([&](std::string_view /*path*/, const StatisticsView& view) {
      view.visit([&](const StatisticDescription& /*statistic*/, std::span<const std::uint64_t> values) {
        counters.insert(counters.end(), values.begin(), values.end());
      });
    });
    return counters;
  };
  REQUIRE(once() == once());
}

TEST_CASE("registers and local memory of a new thread are zero, even if another thread used them before") {
  const auto scheme = GENERATE(from_range(schemes));
  const SimulationContext context;
  // Each thread adds 7 to the value on its stack. The launch has more threads than fit one SM.
  const std::string text =
      ".version 5.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u64 k_param_0)\n{\n"
      ".local .align 4 .b8 stack[16];\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
      "ld.param.u64 %rd1, [k_param_0];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
      "mad.lo.s32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\nmov.u64 %rd4, stack;\n"
      "ld.local.u32 %r5, [%rd4+8];\nadd.s32 %r5, %r5, 7;\nst.local.u32 [%rd4+8], %r5;\n"
      "st.global.u32 [%rd3], %r5;\nret;\n}\n";
  const auto program = kernel::load_program_text(text, "stack.ptx", "k");
  Gpu gpu("gpu", small_gpu(scheme, 1));
  constexpr unsigned threads = 40 * 256;
  const auto result = gpu.memory().allocate("result", threads * 4);
  const std::array<Argument, 1> arguments{result};
  REQUIRE(gpu.run(make_launch(program, {40}, {256}, arguments)));
  for (const unsigned value : gpu.memory().view_as<unsigned>(result)) REQUIRE(value == 7);
}

TEST_CASE("a launch has its latency before the first thread blocks, and a limit may end it there") {
  const auto program = load("saxpy.ptx", "saxpy");
  const auto cycles = [&](Cycle latency, Cycle most) {
    const SimulationContext context;
    GpuParameters parameters = small_gpu("reconvergence_stack", 2);
    parameters.memory = GpuMemory::fixed_latency;
    parameters.launch_latency = latency;
    Gpu gpu("gpu", parameters);
    gpu.stop_after(most);
    const auto x = gpu.memory().allocate("x", 4000);
    const auto y = gpu.memory().allocate("y", 4000);
    const std::array<Argument, 4> arguments{1.0F, x, y, 1000U};
    bool ended = true;
    for (int launch = 0; launch < 2 && ended; ++launch) ended = gpu.run(make_launch(program, {8}, {128}, arguments));
    const GpuStatistics counted = gpu.totals().of<GpuStatistics>();
    CHECK(counted.launches == (ended ? 2 : 0));
    CHECK(counted.blocks_launched == (ended ? 16 : 0));
    // Slots count the cycles in which the SMs have no warp yet.
    const auto slots = gpu.totals().of<WarpSchedulerStatistics>().slots.values;
    const std::uint64_t per_cycle = parameters.sms * parameters.sm.scheduler.count * parameters.sm.scheduler.dispatch;
    CHECK(std::accumulate(slots.begin(), slots.end(), std::uint64_t{0}) == counted.cycles * per_cycle);
    return counted.cycles;
  };
  CHECK(cycles(2200, 0) == cycles(0, 0) + 2 * 2200);
  CHECK(cycles(2200, 1000) == 1000);
}

TEST_CASE("the L2 cache keeps the lines of a launch, unless launches are cold") {
  const auto program = load("collatz.ptx", "collatz");
  for (const bool cold : {false, true}) {
    const SimulationContext context;
    GpuParameters parameters = small_gpu("reconvergence_stack");
    parameters.cold_launches = cold;
    Gpu gpu("gpu", parameters);
    constexpr unsigned count = 500;
    const std::vector<unsigned> start(count, 1);
    const auto device_start = gpu.memory().upload("start", std::span<const unsigned>(start));
    const auto device_steps = gpu.memory().allocate("steps", count * 4);
    const std::array<Argument, 3> arguments{device_start, device_steps, count};
    std::array<std::uint64_t, 2> fetched{};
    for (std::uint64_t& bytes : fetched) {
      const std::uint64_t before = gpu.totals().of<L2CacheStatistics>().bytes_from_memory;
      REQUIRE(gpu.run(make_launch(program, {4}, {128}, arguments)));
      bytes = gpu.totals().of<L2CacheStatistics>().bytes_from_memory - before;
    }
    CHECK(fetched[0] > 0);
    CHECK(fetched[1] == (cold ? fetched[0] : 0));
  }
}

}  // namespace reconverge
