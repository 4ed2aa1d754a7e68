// SPDX-License-Identifier: Apache-2.0
// Instruction fetch: cached code takes no additional time; code that does not fit the caches is fetched every time.

#include <array>
#include <catch2/catch.hpp>
#include <string>

#include "models/core/simulation_context.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/machines/gpu/gpu.hpp"

namespace reconverge {
namespace {

constexpr unsigned line_instructions = 128 / 8;

/// Runs a loop of `rounds` iterations whose body has `body` dependent additions.
Statistics run_loop(unsigned body, unsigned rounds, const GpuParameters& parameters) {
  std::string text =
      ".version 5.0\n.target sm_60\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<4>;\n.reg .pred %p<2>;\n"
      "mov.u32 %r1, 0;\nmov.u32 %r2, 0;\nLOOP:\n";
  for (unsigned i = 0; i < body; ++i) text += "add.u32 %r1, %r1, 3;\n";
  text += "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, " + std::to_string(rounds) + ";\n@%p1 bra LOOP;\nret;\n}\n";
  const SimulationContext context;
  const auto program = kernel::load_program_text(text, "loop.ptx", "k");
  Gpu gpu("gpu", parameters);
  REQUIRE(gpu.run(make_launch(program, {1}, {32}, {})));
  return gpu.totals();
}

GpuParameters small_cache() {
  GpuParameters parameters;
  parameters.sms = 1;
  parameters.sm.fetch.model = InstructionFetchModel::cached;
  parameters.sm.instruction_cache.capacity = 1024;  // eight lines of sixteen instructions
  return parameters;
}

}  // namespace

TEST_CASE("a cached loop that fits the instruction cache runs as with ideal fetch") {
  auto parameters = small_cache();
  const auto rounds = [&](unsigned count) { return run_loop(60, count, parameters); };
  const auto few = rounds(10);
  const auto many = rounds(30);
  CHECK(many.of<InstructionCacheStatistics>().misses == few.of<InstructionCacheStatistics>().misses);
  CHECK(few.of<InstructionCacheStatistics>().misses == (60 + 6) / line_instructions + 1);
  parameters.sm.fetch.model = InstructionFetchModel::ideal;
  CHECK(many.of<GpuStatistics>().cycles - few.of<GpuStatistics>().cycles ==
        rounds(30).of<GpuStatistics>().cycles - rounds(10).of<GpuStatistics>().cycles);
}

TEST_CASE("a loop longer than the instruction cache fetches all of its lines in every iteration") {
  auto parameters = small_cache();
  parameters.sm.instruction_cache.ways = 8;  // one set: the least recently used line is needed next
  const unsigned body = 16 * line_instructions - 3;
  const auto few = run_loop(body, 10, parameters);
  const auto many = run_loop(body, 30, parameters);
  // The loop does not start at the start of a line, so it spans one more line.
  CHECK(many.of<InstructionCacheStatistics>().misses - few.of<InstructionCacheStatistics>().misses == 20 * 17);
  const auto lost = [](const Statistics& totals) {
    return totals.of<WarpSchedulerStatistics>().slots[WarpSchedulerSlots::fetch];
  };
  CHECK(lost(many) > 2 * lost(few));
}

TEST_CASE("a scheduler's own cache reduces accesses to the SM's cache") {
  auto parameters = small_cache();
  parameters.sm.fetch.capacity = 1024;
  const auto with = run_loop(60, 30, parameters);
  parameters.sm.fetch.capacity = 0;
  const auto without = run_loop(60, 30, parameters);
  CHECK(with.of<InstructionCacheStatistics>().hits + with.of<InstructionCacheStatistics>().misses +
            with.of<InstructionCacheStatistics>().merges <
        (without.of<InstructionCacheStatistics>().hits + without.of<InstructionCacheStatistics>().merges) / 10);
  CHECK(with.of<InstructionFetchStatistics>().hits > 20 * with.of<InstructionFetchStatistics>().misses);
}

TEST_CASE("groups are prefetched, so straight-line code waits only for missing lines") {
  auto parameters = small_cache();
  parameters.sm.lanes.alu_latency = 4;
  parameters.sm.fetch.capacity = 1024;
  parameters.sm.fetch.latency = GENERATE(2U, 8U, 40U);
  const auto rounds = [&](unsigned count) { return run_loop(60, count, parameters).of<GpuStatistics>().cycles; };
  const Cycle cached = rounds(30) - rounds(10);
  const Cycle latency = parameters.sm.fetch.latency;
  const Cycle group = parameters.sm.fetch.group * parameters.sm.lanes.alu_latency;
  parameters.sm.fetch.model = InstructionFetchModel::ideal;
  const Cycle ideal = rounds(30) - rounds(10);
  if (latency <= group && latency <= parameters.sm.lanes.branch_latency) {
    CHECK(cached == ideal);
  } else {
    CHECK(cached > ideal + 20 * 60 / parameters.sm.fetch.group * (latency - group) / 2);
  }
}

}  // namespace reconverge
