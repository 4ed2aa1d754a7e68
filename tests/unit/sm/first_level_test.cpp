// SPDX-License-Identifier: Apache-2.0
// Which L1 cache a load accesses, and which loads a stalled load delays.

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/core/simulation_context.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/machines/gpu/gpu.hpp"

namespace reconverge {
namespace {

/// A kernel with one pointer argument, in %rd1, and a table of constants.
std::string kernel_text(const std::string& body) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n.const .align 64 .b8 table[512];\n"
         ".visible .entry k(.param .u64 pointer)\n{\n"
         ".reg .b16 %h<4>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n.shared .align 4 .b8 tile[4];\n"
         "ld.param.u64 %rd1, [pointer];\n" +
         body + "ret;\n}\n";
}

/// The counters of `launches` launches of one block of one warp.
Statistics run(const std::string& body, const GpuParameters& parameters, unsigned launches = 1) {
  const SimulationContext context;
  const auto program = kernel::load_program_text(kernel_text(body), "first_level.ptx", "k");
  Gpu gpu("gpu", parameters);
  const std::array<Argument, 1> arguments{gpu.memory().allocate("buffer", 4096)};
  const Launch launch = make_launch(program, {1}, {32}, arguments);
  for (unsigned i = 0; i < launches; ++i) REQUIRE(gpu.run(launch));
  return gpu.totals();
}

GpuParameters one_sm() {
  GpuParameters parameters;
  parameters.sms = 1;
  parameters.sm.fetch.model = InstructionFetchModel::ideal;
  parameters.sm.operand_collector.units = 0;
  return parameters;
}

std::uint64_t reads(const auto& cache) { return cache.hits + cache.misses + cache.merges; }

}  // namespace

TEST_CASE("only ld.global.nc in all its forms uses the texture cache") {
  const std::vector<std::string> read_only{
      "ld.global.nc.u32 %r1, [%rd1];\n",
      "ld.global.nc.u8 %r1, [%rd1+5];\n",
      "ld.global.nc.s16 %rd2, [%rd1+6];\n",
      "ld.global.nc.u8 %h1, [%rd1];\n",
      "ld.global.nc.f64 %rd2, [%rd1+8];\n",
      "ld.global.ca.nc.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1+16];\n",
      "ld.global.nc.L1::evict_last.v2.u64 {%rd2, %rd3}, [%rd1];\n",
      "ld.global.nc.L2::128B.u32 %r1, [%rd1];\n",
  };
  for (const std::string& load : read_only) {
    CAPTURE(load);
    const Statistics totals = run(load, one_sm());
    CHECK(totals.of<LoadStoreStatistics>().instructions[LoadStoreInstructions::texture] == 1);
    CHECK(reads(totals.of<TextureCacheStatistics>()) == 1);
    CHECK(reads(totals.of<L1CacheStatistics>()) == 0);
  }
  for (const std::string load :
       {"ld.global.u32 %r1, [%rd1];\n", "ld.u32 %r1, [%rd1];\n", "ld.global.ca.u32 %r1, [%rd1];\n",
        "ld.volatile.global.u32 %r1, [%rd1];\n", "ld.global.cg.u32 %r1, [%rd1];\n", "ld.global.cv.u32 %r1, [%rd1];\n",
        "ld.acquire.gpu.global.u32 %r1, [%rd1];\n"}) {
    CAPTURE(load);
    const Statistics totals = run(load, one_sm());
    CHECK(totals.of<LoadStoreStatistics>().instructions[LoadStoreInstructions::global] == 1);
    CHECK(reads(totals.of<TextureCacheStatistics>()) == 0);
    CHECK(reads(totals.of<L1CacheStatistics>()) == 1);
  }
}

TEST_CASE("loads of data that others may write and L2 loads leave no line in the L1") {
  const auto twice = [](const std::string& load) {
    // The second load waits for the first, because its address depends on it.
    return run(load + "and.b32 %r2, %r1, 0;\ncvt.u64.u32 %rd2, %r2;\nadd.u64 %rd1, %rd1, %rd2;\n" + load, one_sm());
  };
  for (const std::string operation : {"", ".ca", ".cs", ".lu", ".L1::evict_last"}) {
    CAPTURE(operation);
    const Statistics totals = twice("ld.global" + operation + ".u32 %r1, [%rd1];\n");
    CHECK(totals.of<L1CacheStatistics>().misses == 1);
    CHECK(totals.of<L1CacheStatistics>().hits == 1);
  }
  for (const std::string load : {"ld.volatile.global.u32", "ld.volatile.u32", "ld.global.cg.u32", "ld.global.cv.u32",
                                 "ld.acquire.gpu.global.u32", "ld.relaxed.sys.u32", "ld.mmio.relaxed.sys.global.u32"}) {
    CAPTURE(load);
    const Statistics totals = twice(load + " %r1, [%rd1];\n");
    CHECK(totals.of<L1CacheStatistics>().misses == 2);
    CHECK(totals.of<L1CacheStatistics>().fetched_sectors == 2);
    CHECK(totals.of<L2CacheStatistics>().hits == 1);
  }
  // A line that is already in the L1 stays there. Lines of local memory are never stale.
  const std::string cached = "ld.global.u32 %r1, [%rd1];\n";
  const Statistics mixed = run(cached + "ld.global.cg.u32 %r2, [%rd1];\n" + cached, one_sm());
  CHECK(mixed.of<L1CacheStatistics>().misses == 2);
  const std::string local = "mov.u64 %rd2, depot;\ncvta.local.u64 %rd2, %rd2;\nld.volatile.u32 %r2, [%rd2];\n";
  const Statistics kept = run(".local .align 4 .b8 depot[4];\nst.local.u32 [depot], %r1;\n" + local, one_sm());
  CHECK(kept.of<L1CacheStatistics>().hits == 1);
  CHECK(kept.of<L1CacheStatistics>().misses == 0);
}

TEST_CASE("a parameter that the constant cache holds takes its latency") {
  auto parameters = one_sm();
  // Each load waits for the previous one, because it writes the same register.
  const auto cycles = [&](unsigned loads) {
    std::string body;
    for (unsigned i = 0; i < loads; ++i) body += "ld.param.u32 %r1, [pointer];\n";
    const Statistics totals = run(body, parameters);
    CHECK(totals.of<LoadStoreStatistics>().instructions[LoadStoreInstructions::param] == loads + 1);
    CHECK(reads(totals.of<ConstantCacheStatistics>()) == (parameters.sm.constant_cache.capacity == 0 ? 0 : loads + 1));
    CHECK(totals.of<L1CacheStatistics>() == L1CacheStatistics{});
    return totals.of<GpuStatistics>().cycles;
  };
  const Cycle latency = GENERATE(20U, 70U);
  SECTION("in the constant cache") { parameters.sm.constant_cache.hit_latency = latency; }
  SECTION("without a constant cache") {
    parameters.sm.constant_cache.capacity = 0;
    parameters.sm.load_store.constant_latency = latency;
  }
  CHECK(cycles(30) - cycles(10) == 20 * latency);
}

TEST_CASE("constants reached by generic addresses are data") {
  const Statistics totals = run("mov.u64 %rd2, table;\ncvta.const.u64 %rd2, %rd2;\nld.u32 %r1, [%rd2];\n", one_sm());
  CHECK(totals.of<LoadStoreStatistics>().instructions[LoadStoreInstructions::global] == 1);
  CHECK(reads(totals.of<L1CacheStatistics>()) == 1);
  CHECK(reads(totals.of<ConstantCacheStatistics>()) == 1);  // the parameter
}

TEST_CASE("stalled constant loads block loads of data") {
  auto parameters = one_sm();
  parameters.memory = GpuMemory::fixed_latency;
  parameters.fixed_latency.latency = GENERATE(50U, 400U);
  parameters.sm.l1.hit_latency = 3000;  // the load of data always responds last
  const auto cycles = [&](std::uint64_t registers) {
    parameters.sm.constant_cache.mshrs = registers;
    return run("ld.global.u32 %r1, [%rd1];\nadd.u32 %r1, %r1, 1;\nst.shared.u32 [tile], %r1;\n"
               "ld.const.u32 %r2, [table];\nld.const.u32 %r3, [table+64];\nld.global.u32 %r4, [%rd1];\n"
               "add.u32 %r2, %r2, %r3;\nadd.u32 %r4, %r4, %r2;\nst.shared.u32 [tile], %r4;\n",
               parameters)
        .of<GpuStatistics>()
        .cycles;
  };
  // With one MSHR the constant cache accepts the second line when the first arrives, a memory latency later instead of
  // one cycle later. The load of data follows in both cases.
  CHECK(cycles(1) - cycles(2) == parameters.fixed_latency.latency - 1);
}

TEST_CASE("each launch begins with empty L1 caches") {
  const std::string body = "ld.const.u32 %r2, [table];\nld.global.nc.u32 %r3, [%rd1];\nld.global.u32 %r4, [%rd1];\n";
  const Statistics totals = run(body, one_sm(), 3);
  CHECK(totals.of<ConstantCacheStatistics>().misses == 3 * 2);
  CHECK(totals.of<TextureCacheStatistics>().misses == 3);
  CHECK(totals.of<L1CacheStatistics>().misses == 3);
}

}  // namespace reconverge
