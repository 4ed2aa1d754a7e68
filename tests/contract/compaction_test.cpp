// SPDX-License-Identifier: Apache-2.0
// Thread block compaction, calculated by hand: how many warps the threads of a block form, and what reconvergence
// costs.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <catch2/catch.hpp>

#include "blocks/thread_block_compaction.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "models/schemes/thread_block_compaction/thread_block_compaction.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "testbenches/contract/kernels.hpp"
#include "testbenches/contract/machines.hpp"

namespace reconverge::contract {
namespace {

/// A block of `warps` warps runs `body`; %l is the thread's number in its warp, %w the warp's number.
Case block_of(unsigned warps, std::string_view body) {
  Case result;
  result.name = "known answer";
  const std::string text = fmt::format(R"(
.version 6.0
.target sm_60
.address_size 64
.visible .entry kernel(.param .u64 input, .param .u64 output, .param .u64 sums)
{{
  .reg .u32 %l, %w, %r<8>;
  .reg .u64 %d<4>;
  .reg .pred %p<4>;
  mov.u32 %r0, %tid.x;
  and.b32 %l, %r0, 31;
  shr.u32 %w, %r0, 5;
{}
  ret;
}}
)",
                                       body);
  result.program = kernel::load_program_text(text, result.name, "kernel");
  result.grid = {1};
  result.block = {warps * warp_size};
  result.output_bytes = 4 * warps * warp_size;
  return result;
}
constexpr std::uint64_t before = 3;  // instructions before the body
constexpr std::uint64_t after = 1;   // and after it

GpuParameters machine(std::string_view scheme = "thread_block_compaction") {
  GpuParameters parameters;
  parameters.sms = 1;
  parameters.sm.scheme = {std::string(scheme)};
  return parameters;
}

Statistics run(const Case& test_case, const GpuParameters& parameters = machine()) {
  return run_timed(test_case, parameters).totals;
}

std::string shown(const ByLanes& counts) { return fmt::format("{}", counts); }
std::string lanes_of(const Statistics& totals) { return shown(by_lanes(totals)); }

}  // namespace

TEST_CASE("a k-way switch with complementary warps runs only in full warps", "[compaction]") {
  const unsigned ways = GENERATE(2U, 4U, 6U, 8U);
  const unsigned length = GENERATE(1U, 5U);
  CAPTURE(ways, length);
  // Thread l of warp w takes path (l + w) mod k, and there are k warps: each lane has one thread on each path.
  const std::string way = fmt::format("  add.u32 %r1, %l, %w;\n  rem.u32 %r1, %r1, {};\n", ways);
  const Case test_case = block_of(ways, way + switch_text("%r1", "%r2", ways, length));
  // At test i every lane has k - i threads left, so there are k - i warps; each path is one warp.
  std::uint64_t full = (before + 2 + after) * ways + ways * (length + 1);
  std::uint64_t formed = 0;
  for (unsigned i = 0; i + 1 < ways; ++i) {
    full += std::uint64_t{2} * (ways - i);
    formed += ways - i;
  }
  const Statistics totals = run(test_case);
  CHECK(lanes_of(totals) == shown({{32, full}}));
  const auto& compaction = totals.of<ThreadBlockCompactionStatistics>();
  CHECK(compaction.branches == ways - 1);  // all threads jump to the end
  CHECK(compaction.compactions == ways - 1);
  CHECK(compaction.warps_formed == formed);
  CHECK(compaction.threads_compacted == formed * warp_size);
  CHECK(compaction.reconvergences == ways);
  CHECK(compaction.gatherings == 0);
  CHECK(compaction.wait_cycles > 0);
  CHECK(
      totals.of<WarpSchedulerStatistics>().slots[first_cause_of(thread_block_compaction_scheme(), built_in_schemes())] >
      0);
  // The stack runs each path in each warp.
  CHECK(run(test_case, machine("reconvergence_stack")).of<WarpSchedulerStatistics>().active_lanes[32] < full);
}

TEST_CASE("threads that want the same lanes cannot be put together", "[compaction]") {
  // Even lanes of both warps take one path, odd lanes the other: two warps of 16 for each, as without compaction.
  const Case test_case = block_of(2, "  and.b32 %r1, %l, 1;\n" + switch_text("%r1", "%r2", 2, 1));
  const ByLanes expected{{32, 2 * (before + 1 + 2 + after)}, {16, 2 * 2 * 2}};
  CHECK(lanes_of(run(test_case)) == shown(expected));
  CHECK(lanes_of(run(test_case, machine("reconvergence_stack"))) == shown(expected));
}

TEST_CASE("the fullest lane sets a path's number of warps", "[compaction]") {
  // Lanes 0 to 7 jump in all three warps, lanes 8 to 15 only in warp 0, the others in none. The taken path has warps of
  // 16, 8 and 8; the fall-through path has 16 + 0, 24 and 24 threads, so warps of 24, 24 and 16.
  const Case test_case = block_of(3, R"(
  setp.lt.u32 %p0, %l, 8;
  setp.eq.u32 %p1, %w, 0;
  setp.lt.and.u32 %p2, %l, 16, %p1;
  or.pred %p0, %p0, %p2;
  @%p0 bra SIDE;
  add.u32 %r2, %r2, 1;
  bra JOIN;
SIDE:
  add.u32 %r2, %r2, 2;
JOIN:)");
  CHECK(lanes_of(run(test_case)) == shown({{8, 2}, {16, 1 + 2}, {24, 2 * 2}, {32, 3 * (before + 5 + after)}}));
}

TEST_CASE("a branch that is the same for the block is no meeting point", "[compaction]") {
  const std::string loop = R"(
  mov.u32 %r1, 0;
LOOP:
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p0, %r1, {};
  @%p0 bra LOOP;)";
  const auto of_constant =
      run(block_of(4, fmt::format(fmt::runtime(loop), "10"))).of<ThreadBlockCompactionStatistics>();
  CHECK(of_constant.branches == 0);
  CHECK(of_constant.wait_cycles == 0);
  // A condition that depends only on the warp diverges in the block but not within a warp.
  const auto of_warp = run(block_of(4, fmt::format(fmt::runtime(loop), "%w"))).of<ThreadBlockCompactionStatistics>();
  CHECK(of_warp.branches == 3);
  CHECK(of_warp.compactions == 2);
}

TEST_CASE("a meeting point waits for no loads", "[compaction]") {
  // A load of 500 cycles precedes a branch, and more than 500 cycles of work separate the branch from the load's use.
  // Threads change warps in the meantime, and no warp waits.
  std::string work;
  for (int i = 0; i < 100; ++i) work += "  add.u32 %r2, %r2, 1;\n";
  const auto cycles = [&](std::string_view scheme, std::string_view load) {
    GpuParameters parameters = machine(scheme);
    parameters.memory = GpuMemory::fixed_latency;
    parameters.fixed_latency.latency = 500;
    parameters.sm.fetch.model = InstructionFetchModel::ideal;
    const Case test_case = block_of(2, fmt::format(R"(
  ld.param.u64 %d0, [output];
  add.u32 %r1, %l, %w;
  and.b32 %r1, %r1, 1;
  setp.eq.u32 %p0, %r1, 0;
  {}
  @%p0 bra JOIN;
  add.u32 %r2, %r2, 1;
JOIN:
{}
  st.global.u32 [%d0], %r3;)",
                                                   load, work));
    return run(test_case, parameters).of<GpuStatistics>().cycles;
  };
  // The instruction in the load's place waits for the address, as the load does.
  const auto cost = [&](std::string_view scheme) {
    return cycles(scheme, "ld.global.u32 %r3, [%d0];") - cycles(scheme, "cvt.u32.u64 %r3, %d0;");
  };
  CHECK(cost("thread_block_compaction") < 100);
  CHECK(cost("reconvergence_stack") < 100);
}

TEST_CASE("the compactor forms one warp per warp interval", "[compaction]") {
  // Both paths have four warps, because every lane takes the same path in all of them. The warps of the taken path
  // continue one after the other; those of the fall-through path were formed in the meantime.
  const Case test_case = block_of(4, "  and.b32 %r1, %l, 1;\n" + switch_text("%r1", "%r2", 2, 1));
  const auto cycles = [&](std::uint64_t interval) {
    GpuParameters parameters = machine();
    parameters.sm.schemes.of<ThreadBlockCompactionParameters>().warp_interval = interval;
    return run(test_case, parameters).of<GpuStatistics>().cycles;
  };
  CHECK(cycles(90) - cycles(50) == 3 * 40);
}

TEST_CASE("a vote is for the threads that a warp began with", "[compaction]") {
  // Path (l + w) mod 2, then the lanes of the thread's own warp on that path: every second one, as on a reconvergence
  // stack.
  const Case test_case = block_of(2, R"(
  add.u32 %r1, %l, %w;
  and.b32 %r1, %r1, 1;
  setp.eq.u32 %p0, %r1, 0;
  mov.u32 %r2, 0;
  @%p0 bra JOIN;
  vote.ballot.b32 %r2, !%p0;
JOIN:
  ld.param.u64 %d0, [output];
  mul.wide.u32 %d1, %r0, 4;
  add.u64 %d0, %d0, %d1;
  st.global.u32 [%d0], %r2;)");
  const TimedOutcome outcome = run_timed(test_case, machine());
  CHECK(difference(run_functional(test_case).memory, outcome.memory).empty());
  CHECK(outcome.totals.of<ThreadBlockCompactionStatistics>().gatherings == 1);
}

TEST_CASE("blocks of one warp run as on a reconvergence stack", "[compaction]") {
  const Case test_case = block_of(1, "  and.b32 %r1, %l, 3;\n" + switch_text("%r1", "%r2", 4, 3));
  CHECK(lanes_of(run(test_case)) == lanes_of(run(test_case, machine("reconvergence_stack"))));
}

}  // namespace reconverge::contract
