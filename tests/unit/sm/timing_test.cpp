// SPDX-License-Identifier: Apache-2.0
// Timing of dependent chains, pointer chases, conflicts and strides, compared with values calculated by hand from the
// parameters.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "blocks/reconvergence_stack.hpp"
#include "models/core/simulation_context.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/machines/gpu/gpu.hpp"

namespace reconverge {
namespace {

/// A kernel with one pointer argument, in %rd1. `body` uses %r, %rd and %p registers.
std::string kernel_text(const std::string& body) {
  return ".version 5.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u64 k_param_0)\n{\n"
         ".reg .b32 %r<40>;\n.reg .b64 %rd<20>;\n.reg .pred %p<4>;\n.shared .align 4 .b8 tile[8192];\n"
         "ld.param.u64 %rd1, [k_param_0];\nmov.u32 %r1, %tid.x;\n" +
         body + "ret;\n}\n";
}

std::string repeat(const std::string& text, unsigned times) {
  std::string all;
  for (unsigned i = 0; i < times; ++i) all += text;
  return all;
}

struct Run {
  Cycle cycles = 0;
  Statistics totals;
};

/// Runs `body` with one block on one SM. `fill` initialises the buffer that the argument points to.
template <typename Fill>
Run run(const std::string& body, unsigned threads, std::uint64_t buffer_bytes, Fill&& fill,
        const GpuParameters& parameters) {
  const SimulationContext context;
  const auto program = kernel::load_program_text(kernel_text(body), "timing.ptx", "k");
  Gpu gpu("gpu", parameters);
  const auto buffer = gpu.memory().allocate("buffer", buffer_bytes);
  fill(gpu.memory().view(buffer), buffer);
  const std::array<Argument, 1> arguments{buffer};
  REQUIRE(gpu.run(make_launch(program, {1}, {threads}, arguments)));
  return {gpu.totals().of<GpuStatistics>().cycles, gpu.totals()};
}

Run run(const std::string& body, unsigned threads = 32, const GpuParameters& parameters = {}) {
  return run(
      body, threads, 1 << 20, [](auto&&...) {}, parameters);
}

/// A machine with one SM. Instructions and parameters are available at once, because the tests do not measure them.
GpuParameters one_sm() {
  GpuParameters parameters;
  parameters.sms = 1;
  parameters.sm.fetch.model = InstructionFetchModel::ideal;
  parameters.sm.constant_cache.capacity = 0;
  return parameters;
}

}  // namespace

TEST_CASE("a chain of dependent additions takes the latency of each") {
  const std::string add = "add.s32 %r1, %r1, 3;\n";
  const auto parameters = one_sm();
  const Cycle shorter = run(repeat(add, 50), 32, parameters).cycles;
  const Cycle longer = run(repeat(add, 150), 32, parameters).cycles;
  REQUIRE(longer - shorter == 100 * parameters.sm.lanes.alu_latency);
}

TEST_CASE("a second independent chain takes no time with two dispatch units, but does with one") {
  const std::string two = "add.s32 %r1, %r1, 3;\nadd.s32 %r2, %r2, 5;\n";
  auto parameters = one_sm();
  const Cycle dual = run(repeat(two, 150), 32, parameters).cycles - run(repeat(two, 50), 32, parameters).cycles;
  REQUIRE(dual == 100 * parameters.sm.lanes.alu_latency);
  parameters.sm.scheduler.dispatch = 1;
  parameters.sm.lanes.alu_latency = 1;
  const Cycle single = run(repeat(two, 150), 32, parameters).cycles - run(repeat(two, 50), 32, parameters).cycles;
  REQUIRE(single == 200);
}

TEST_CASE("a pipe accepts one instruction a cycle for each unit") {
  // Each of four schedulers issues special-function instructions, and they share one unit.
  auto parameters = one_sm();
  parameters.sm.operand_collector.units = 0;  // no waits for register banks
  std::string burst;
  for (unsigned i = 3; i < 33; ++i) burst += "rcp.rn.f32 %r" + std::to_string(i) + ", %r2;\n";
  const std::string convert = "cvt.rn.f32.s32 %r2, %r1;\n";
  std::string use;  // keeps results live, because dead results would share a register
  for (unsigned i = 3; i < 33; ++i) use += "add.s32 %r34, %r34, %r" + std::to_string(i) + ";\n";
  const auto burst_cycles = [&] {
    return run(convert + repeat(burst, 10) + use, 128, parameters).cycles -
           run(convert + repeat(burst, 5) + use, 128, parameters).cycles;
  };
  REQUIRE(burst_cycles() == 4 * 150);
  parameters.sm.lanes.special_units = 4;
  // Four units work in parallel, but each burst waits for registers of the previous one.
  REQUIRE(burst_cycles() < 2 * 150);
}

TEST_CASE("a pointer chase takes the sum of the latencies of the levels that it reaches") {
  // All blocks have the same clock, and all accesses are to one row, which stays open.
  auto parameters = one_sm();
  parameters.l2.slices = 1;
  parameters.dram.channels = 1;
  parameters.dram.row_bytes = 64 << 10;
  parameters.dram.clock = parameters.clock;
  const auto& l1 = parameters.sm.l1;
  const std::string load = "ld.global.u64 %rd1, [%rd1];\n";

  SECTION("L1 hits: every pointer points to itself") {
    const auto self = [](std::span<std::byte> bytes, DeviceAddress address) { std::memcpy(bytes.data(), &address, 8); };
    const Cycle shorter = run(repeat(load, 10), 1, 1 << 12, self, parameters).cycles;
    const Cycle longer = run(repeat(load, 30), 1, 1 << 12, self, parameters).cycles;
    REQUIRE(longer - shorter == 20 * l1.hit_latency);
  }

  SECTION("misses of L1 and L2: every pointer points to the next line") {
    const auto chain = [&](std::span<std::byte> bytes, DeviceAddress address) {
      for (std::size_t at = 0; at + l1.line + 8 <= bytes.size(); at += l1.line) {
        const DeviceAddress next = address + at + l1.line;
        std::memcpy(bytes.data() + at, &next, 8);
      }
    };
    const Cycle shorter = run(repeat(load, 10), 1, 1 << 16, chain, parameters).cycles;
    const Cycle longer = run(repeat(load, 30), 1, 1 << 16, chain, parameters).cycles;
    const auto& dram = parameters.dram;
    const Cycle transfer = l1.line / dram.burst_bytes * dram.burst_cycles;
    // A line and its header are five flits, of which four follow the head.
    const Cycle crossbar = 2 * parameters.crossbar.latency + 4;
    REQUIRE(longer - shorter ==
            20 * (l1.hit_latency + crossbar + parameters.l2.latency + dram.t_cl + transfer + dram.latency));
  }
}

TEST_CASE("memory of fixed latency replaces all levels after the L1") {
  auto parameters = one_sm();
  parameters.memory = GpuMemory::fixed_latency;
  parameters.sm.l1.capacity = 0;
  parameters.fixed_latency.latency = GENERATE(1, 300, 600);
  const std::string load = "ld.global.u64 %rd1, [%rd1];\n";
  const auto self = [](std::span<std::byte> bytes, DeviceAddress address) { std::memcpy(bytes.data(), &address, 8); };
  const Run shorter = run(repeat(load, 10), 1, 1 << 12, self, parameters);
  const Run longer = run(repeat(load, 30), 1, 1 << 12, self, parameters);
  REQUIRE(longer.cycles - shorter.cycles == 20 * (parameters.sm.l1.hit_latency + parameters.fixed_latency.latency));
  REQUIRE(longer.totals.of<FixedLatencyMemoryStatistics>().reads == 30);
  REQUIRE(longer.totals.of<CrossbarStatistics>().requests == 0);
}

TEST_CASE("blocks are distributed over the SMs, regardless of the run-ahead") {
  // Two blocks of eight warps keep the special-function unit of an SM nearly busy. If one SM had all eight blocks that
  // it can hold, each instruction would take three times as long. Fetches of the SMs contend, which costs a little.
  const auto program = kernel::load_program_text(kernel_text(repeat("rcp.rn.f32 %r1, %r1;\n", 200)), "timing.ptx", "k");
  const auto cycles = [&](std::uint64_t sms, std::uint32_t blocks, Cycle latency) {
    const SimulationContext context;
    GpuParameters parameters;
    parameters.sms = sms;
    parameters.crossbar.latency = latency;
    parameters.sm.constant_cache.capacity = 0;
    Gpu gpu("gpu", parameters);
    const std::array<Argument, 1> arguments{gpu.memory().allocate("buffer", 64)};
    REQUIRE(gpu.run(make_launch(program, {blocks}, {256}, arguments)));
    REQUIRE(gpu.totals().of<GpuStatistics>().blocks_launched == blocks);
    return gpu.totals().of<GpuStatistics>().cycles;
  };
  const Cycle latency = GENERATE(1, 40, 100);
  const Cycle two_blocks = cycles(1, 2, latency);
  REQUIRE(cycles(1, 8, latency) > 2 * two_blocks);
  REQUIRE(cycles(15, 30, latency) < two_blocks + two_blocks / 4);
}

TEST_CASE("a write to either half of a pair waits until the pair is loaded") {
  // %r5 is assigned a row that belongs to the loaded pair or not; an instruction that uses it then waits or does not.
  const auto cycles_with_row = [](auto&& choose) {
    const SimulationContext context;
    auto program = kernel::load_program_text(
        kernel_text("ld.global.u64 %rd5, [%rd1];\nmov.u32 %r5, 7;\nadd.u32 %r6, %r5, 1;\nst.shared.u32 [tile], %r6;\n"
                    "bar.sync 0;\n"),
        "timing.ptx", "k");
    const auto load = std::find_if(program.instructions.begin(), program.instructions.end(),
                                   [](const auto& one) { return one.opcode == kernel::Opcode::ld; });
    program.register_rows += 10;
    const kernel::Operand row(kernel::Bank::reg, choose(load->destination[0].row(), program.register_rows - 1));
    const kernel::Operand sum(kernel::Bank::reg, program.register_rows - 2);
    load[1].destination[0] = row;
    load[2].source[0] = row;
    load[2].destination[0] = sum;
    load[3].source[1] = sum;
    Gpu gpu("gpu", one_sm());
    const std::array<Argument, 1> arguments{gpu.memory().allocate("buffer", 64)};
    REQUIRE(gpu.run(make_launch(program, {1}, {32}, arguments)));
    return gpu.totals().of<GpuStatistics>().cycles;
  };
  const Cycle lower = cycles_with_row([](unsigned pair, unsigned) { return pair; });
  const Cycle upper = cycles_with_row([](unsigned pair, unsigned) { return pair + 1; });
  const Cycle apart = cycles_with_row([](unsigned, unsigned other) { return other; });
  CHECK(upper == lower);
  // The warp ends when the load arrives, or, if instructions waited for the load, two latencies later.
  CHECK(apart + 2 * one_sm().sm.lanes.alu_latency <= upper);
}

TEST_CASE("a generic load makes one access for each memory space of its addresses, first that of the lowest lane") {
  // Lanes 0 to 15 load from shared memory and lanes 16 to 31 from global memory, or all lanes from one of both.
  const auto parameters = one_sm();
  const auto body = [](unsigned in_shared) {
    return "setp.lt.u32 %p1, %r1, " + std::to_string(in_shared) +
           ";\nmov.u64 %rd2, tile;\ncvta.shared.u64 %rd2, %rd2;\nld.global.u32 %r9, [%rd1];\n"
           "add.u32 %r9, %r9, 1;\nselp.b64 %rd3, %rd2, %rd1, %p1;\n"  // the line is in the cache from here on
           "ld.u32 %r4, [%rd3];\nadd.u32 %r5, %r4, %r9;\nst.shared.u32 [tile], %r5;\n";
  };
  const Run global = run(body(0), 32, parameters);
  const Run both = run(body(16), 32, parameters);
  const Run shared = run(body(32), 32, parameters);
  const auto counted = [](const Run& result, LoadStoreInstructions space) {
    return result.totals.of<LoadStoreStatistics>().instructions[space];
  };
  // Each run also has one load from global memory and one store to shared memory.
  CHECK(counted(global, LoadStoreInstructions::global) == 2);
  CHECK(counted(global, LoadStoreInstructions::shared) == 1);
  CHECK(counted(both, LoadStoreInstructions::global) == 2);
  CHECK(counted(both, LoadStoreInstructions::shared) == 2);
  CHECK(counted(shared, LoadStoreInstructions::global) == 1);
  CHECK(counted(shared, LoadStoreInstructions::shared) == 2);
  CHECK(both.totals.of<LoadStoreStatistics>().line_requests == 2);
  // The line is requested one cycle after the access to shared memory. The later response determines the result.
  const Cycle hit = parameters.sm.l1.hit_latency;
  const Cycle words = parameters.sm.load_store.shared_latency;
  CHECK(shared.cycles + hit == global.cycles + words);
  CHECK(both.cycles == std::max(global.cycles + 1, shared.cycles));
}

TEST_CASE("a warp ends when its loads have arrived, even if no instruction reads them") {
  const auto parameters = one_sm();
  const auto cycles_without = run("", 32, parameters).cycles;
  const auto with = run("ld.global.u32 %r9, [%rd1];\n", 32, parameters);
  REQUIRE(with.totals.of<LoadStoreStatistics>().line_requests == 1);
  const Cycle miss = parameters.sm.l1.hit_latency + 2 * parameters.crossbar.latency + parameters.l2.latency;
  CHECK(with.cycles > cycles_without + miss);
}

TEST_CASE("an n-way bank conflict takes n cycles") {
  const unsigned ways = GENERATE(1U, 2U, 4U, 8U, 32U);
  // Lane i accesses word i * ways, so `ways` lanes share each bank.
  const std::string body = "mul.lo.s32 %r2, %r1, " + std::to_string(4 * ways) +
                           ";\nmov.u32 %r3, tile;\nadd.s32 %r2, %r2, %r3;\nld.shared.u32 %r4, [%r2];\n";
  const Run result = run(body, 32, one_sm());
  REQUIRE(result.totals.of<LoadStoreStatistics>().shared_conflict_cycles == ways - 1);
}

TEST_CASE("lanes that read the same word share the access") {
  const Run result = run("mov.u32 %r3, tile;\nld.shared.u32 %r4, [%r3];\n", 32, one_sm());
  REQUIRE(result.totals.of<LoadStoreStatistics>().shared_conflict_cycles == 0);
}

TEST_CASE("a stride of s words accesses s lines, up to one for each lane") {
  const unsigned stride = GENERATE(1U, 2U, 3U, 4U, 16U, 32U, 64U);
  const std::string body = "mul.wide.u32 %rd2, %r1, " + std::to_string(4 * stride) +
                           ";\nadd.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r4, [%rd3];\n";
  const Run result = run(body, 32, one_sm());
  REQUIRE(result.totals.of<LoadStoreStatistics>().line_requests == std::min(stride, 32U));
}

TEST_CASE("a k-way divergent switch runs each path once, with the lanes that take it") {
  const unsigned ways = GENERATE(2U, 4U, 8U, 32U);
  std::string body = "and.b32 %r2, %r1, " + std::to_string(ways - 1) + ";\n";
  for (unsigned side = 0; side < ways; ++side) {
    body += "setp.ne.s32 %p1, %r2, " + std::to_string(side) + ";\n@%p1 bra SKIP" + std::to_string(side) + ";\n" +
            repeat("add.s32 %r3, %r3, 1;\n", 10) + "SKIP" + std::to_string(side) + ":\n";
  }
  const Run result = run(body, 32, one_sm());
  // The ten additions of each path run with 32 / ways lanes.
  REQUIRE(result.totals.of<WarpSchedulerStatistics>().active_lanes[32 / ways] == 10 * ways);
  REQUIRE(result.totals.of<ReconvergenceStackStatistics>().divergent_branches == ways);
}

TEST_CASE("warps that start individually fill warp slots that are too few for another block") {
  // The launch has four blocks of three warps. Four slots fit one block, or four warps of any blocks.
  auto parameters = one_sm();
  parameters.sm.warp_slots = 4;
  const auto chain_cycles = [&](SmLaunchUnit unit, const std::string& end) {
    parameters.sm.launch_unit = unit;
    const auto cycles = [&](unsigned additions) {
      const SimulationContext context;
      const auto program =
          kernel::load_program_text(kernel_text(repeat("add.s32 %r1, %r1, 3;\n", additions) + end), "timing.ptx", "k");
      Gpu gpu("gpu", parameters);
      const std::array<Argument, 1> arguments{gpu.memory().allocate("buffer", 64)};
      REQUIRE(gpu.run(make_launch(program, {4}, {96}, arguments)));
      return gpu.totals().of<GpuStatistics>().cycles;
    };
    return cycles(150) - cycles(50);
  };
  const Cycle round = 100 * parameters.sm.lanes.alu_latency;
  CHECK(chain_cycles(SmLaunchUnit::block, "") == 4 * round);
  CHECK(chain_cycles(SmLaunchUnit::warp, "") == 3 * round);
  // Warps that wait for each other must be resident together.
  CHECK(chain_cycles(SmLaunchUnit::warp, "bar.sync 0;\n") == 4 * round);
}

TEST_CASE("the outcomes of issue slots add up in every run") {
  auto parameters = one_sm();
  parameters.sm.scheduler.count = GENERATE(1U, 3U, 4U);
  parameters.sm.scheduler.dispatch = GENERATE(1U, 2U);
  parameters.sm.scheme = {GENERATE("reconvergence_stack", "mimd")};
  const std::string body =
      "and.b32 %r2, %r1, 7;\nLOOP:\nadd.s32 %r2, %r2, -1;\nsetp.gt.s32 %p1, %r2, 0;\n@%p1 bra LOOP;\n"
      "bar.sync 0;\nld.global.u32 %r4, [%rd1];\nadd.s32 %r5, %r4, 1;\n";
  const Run result = run(body, 200, parameters);
  const auto& slots = result.totals.of<WarpSchedulerStatistics>().slots.values;
  REQUIRE(std::accumulate(slots.begin(), slots.end(), std::uint64_t{0}) ==
          result.cycles * parameters.sm.scheduler.count * parameters.sm.scheduler.dispatch);
}

TEST_CASE("the L1 cache keeps lines that fit and evicts the others") {
  auto parameters = one_sm();
  // One lane reads `lines` lines twice. The second pass hits if the lines fit.
  const auto walk = [&](unsigned lines) {
    const std::string body =
        "mov.u32 %r5, 0;\nTWICE:\nmov.u32 %r6, 0;\nmov.u64 %rd2, %rd1;\nWALK:\nld.global.u32 %r4, [%rd2];\n"
        "add.s64 %rd2, %rd2, 128;\nadd.s32 %r6, %r6, 1;\nsetp.lt.s32 %p1, %r6, " +
        std::to_string(lines) + ";\n@%p1 bra WALK;\nadd.s32 %r5, %r5, 1;\nsetp.lt.s32 %p2, %r5, 2;\n@%p2 bra TWICE;\n";
    return run(body, 1, parameters).totals.of<L1CacheStatistics>();
  };
  const unsigned fits = static_cast<unsigned>(parameters.sm.l1.capacity / parameters.sm.l1.line);
  REQUIRE(walk(fits / 4).misses == fits / 4);
  REQUIRE(walk(fits * 4).misses == 2 * 4 * fits);
}

}  // namespace reconverge
