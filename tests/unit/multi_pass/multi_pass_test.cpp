// SPDX-License-Identifier: Apache-2.0
#include "models/multi_pass/multi_pass.hpp"

#include <catch2/catch.hpp>
#include <numeric>

#include "models/core/error.hpp"
#include "tests/unit/multi_pass/hand_made.hpp"

namespace reconverge {

namespace {

using kernel::Partition;
using kernel::PassKernel;
using Cycles = MultiPassCycles;

std::vector<std::uint32_t> numbers(std::size_t count) {
  std::vector<std::uint32_t> values(count);
  std::iota(values.begin(), values.end(), 0U);
  return values;
}

/// Straight-line code that adds one to the word of each thread.
kernel::Program straight_program() {
  return tests::program_of(tests::place_in("input", "%rd1") + "ld.global.u32 %r4, [%rd1];\nadd.u32 %r4, %r4, 1;\n" +
                           tests::place_in("output", "%rd2") + "st.global.u32 [%rd2], %r4;\nexit;\n");
}

Partition partition_of(const kernel::Program& program) {
  Partition partition;
  partition.program = &program;
  partition.blocks = program.blocks;
  partition.rows = program.register_rows;
  return partition;
}

Partition straight(const kernel::Program& program) {
  Partition partition = partition_of(program);
  PassKernel all = tests::pass_kernel("all", {{0, {}}}, program.blocks[0].end, {}, 0);
  all.specials = tests::places;
  partition.kernels = {all};
  return partition;
}

/// Threads with odd numbers continue in one kernel and threads with even numbers in another; both write results.
kernel::Program two_sides_program() {
  return tests::program_of(
      tests::place_in("input", "%rd1") +
      "ld.global.u32 %r4, [%rd1];\nand.b32 %r5, %r4, 1;\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra EVEN;\n" +
      tests::place_in("output", "%rd2") +
      "st.global.u32 [%rd2], 1;\nexit;\n"
      "EVEN:\n" +
      tests::place_in("output", "%rd2") + "st.global.u32 [%rd2], 2;\nexit;\n");
}

Partition two_sides(const kernel::Program& program) {
  Partition partition = partition_of(program);
  const PassKernel first = tests::pass_kernel("first", {{0, tests::branch(2, 1)}}, 11, {1, 2}, 0);
  const PassKernel odd = tests::pass_kernel("odd", {{1, {}}}, 9, {}, 1);
  const PassKernel even = tests::pass_kernel("even", {{2, {}}}, 9, {}, 2);
  partition.kernels = {first, odd, even};
  for (PassKernel& kernel : partition.kernels) kernel.specials = tests::places;
  return partition;
}

}  // namespace

TEST_CASE("cycles of a straight kernel follow from its instructions", "[multi_pass]") {
  const kernel::Program program = straight_program();
  MultiPassParameters parameters;
  parameters.processors = 2;
  parameters.memory_bytes = 65536;
  const tests::PassesRun run = tests::run_partition(straight(program), numbers(96), parameters);
  // Three tiles of 32 threads run 8 threads at a time. The two processors share the instructions.
  const std::uint64_t instructions = program.blocks[0].end;
  CHECK(instructions == 18);
  CHECK(run.counts.tiles == 3);
  CHECK(run.counts.instructions == 3 * 4 * 18);
  CHECK(run.counts.lane_instructions == 96 * 18);
  CHECK(run.counts.cycles[Cycles::run] == 3 * 4 * 18 / 2);
  CHECK(run.counts.cycles[Cycles::launch] == 12000);
  CHECK(run.counts.cycles[Cycles::count] == 0);  // no kernel follows
  CHECK(sum(run.counts.cycles.values) == 108 + 12000);
  CHECK(run.counts.threads == 96);
  CHECK(run.counts.launches == 1);
  CHECK(run.output == [] {
    std::vector<std::uint32_t> expected(96);
    std::iota(expected.begin(), expected.end(), 1U);
    return expected;
  }());
}

TEST_CASE("what memory takes longer is split by what moves", "[multi_pass]") {
  const kernel::Program program = straight_program();
  MultiPassParameters parameters;
  parameters.memory_bytes = 1;
  parameters.pass_cycles = 0;
  const tests::PassesRun run = tests::run_partition(straight(program), numbers(64), parameters);
  // Each thread reads and writes a program counter with a timestamp, and reads one word and writes one word.
  CHECK(run.counts.counter_traffic == 64 * 8 + 64 * 8);
  CHECK(run.counts.memory_traffic == 64 * 4 + 64 * 4);
  const std::uint64_t rest = 64 * 24 - 2 * 4 * 18 / 12;
  CHECK(run.counts.cycles[Cycles::run] == 12);
  CHECK(run.counts.cycles[Cycles::guard] == rest * 2 / 3);
  CHECK(run.counts.cycles[Cycles::memory] == rest / 3);
  CHECK(sum(run.counts.cycles.values) == 64 * 24);
  parameters.timestamps = false;
  CHECK(tests::run_partition(straight(program), numbers(64), parameters).counts.counter_traffic == 64 * 4 + 64 * 4);
}

TEST_CASE("tiles in which no guard passes do no work", "[multi_pass][paper]") {
  const kernel::Program program = two_sides_program();
  const Partition partition = two_sides(program);
  MultiPassParameters parameters;
  parameters.tile = GENERATE(4, 8, 64);
  // The first 128 of 256 threads have even numbers; the others alternate between odd and even.
  std::vector<std::uint32_t> input = numbers(256);
  for (std::size_t i = 0; i < 128; ++i) input[i] = 0;
  const std::uint64_t half = 128 / parameters.tile;
  const tests::PassesRun run = tests::run_partition(partition, input, parameters);
  CHECK(run.sequence == "first0 odd1 even1");
  CHECK(run.completed == std::vector<std::uint64_t>{256, 64, 192});
  CHECK(run.counts.tiles == 2 * half + half + 2 * half);
  CHECK(run.counts.aborted_tiles == half);
  CHECK(run.counts.skipped_tiles == 0);
  const std::uint64_t rows = (parameters.tile + 7) / 8;
  CHECK(run.counts.instructions == rows * (2 * half * 11 + half * 9 + 2 * half * 9));
  for (std::size_t i = 0; i < input.size(); ++i) CHECK(run.output[i] == (input[i] % 2 == 0 ? 2 : 1));
}

TEST_CASE("tiles with only ended threads are skipped", "[multi_pass]") {
  const kernel::Program program = two_sides_program();
  const Partition partition = two_sides(program);
  MultiPassParameters parameters;
  std::vector<std::uint32_t> input(96, 1);
  std::fill_n(input.begin(), 32, 0);
  const tests::PassesRun skips = tests::run_partition(partition, input, parameters);
  CHECK(skips.counts.tiles == 3 + 2 + 1);
  CHECK(skips.counts.aborted_tiles == 1);  // of threads with even numbers, when the odd kernel runs
  CHECK(skips.counts.skipped_tiles == 2);  // of threads with odd numbers, when the even kernel runs
  parameters.skip_ended = false;
  const tests::PassesRun looks = tests::run_partition(partition, input, parameters);
  CHECK(looks.output == skips.output);
  CHECK(looks.counts.aborted_tiles == 3);
  CHECK(looks.counts.skipped_tiles == 0);
  CHECK(looks.counts.counter_traffic == skips.counts.counter_traffic + 2 * 32 * 8);
}

TEST_CASE("a kernel with successors is counted, and copies before a kernel are passes", "[multi_pass]") {
  const kernel::Program program = two_sides_program();
  Partition partition = two_sides(program);
  MultiPassParameters parameters;
  parameters.memory_bytes = 65536;
  parameters.pass_cycles = 100;
  parameters.count_cycles = 7;
  const tests::PassesRun run = tests::run_partition(partition, numbers(64), parameters);
  CHECK(run.counts.cycles[Cycles::launch] == 3 * 100);
  CHECK(run.counts.cycles[Cycles::count] == 7);
  partition.kernels[1].copy_passes = 2;
  const tests::PassesRun copies = tests::run_partition(partition, numbers(64), parameters);
  CHECK(copies.counts.passes == 5);
  CHECK(copies.counts.copy_passes == 2);
  CHECK(copies.counts.cycles[Cycles::launch] == 5 * 100);
  CHECK(copies.counts.counter_traffic == run.counts.counter_traffic + std::uint64_t{2} * 64 * 8);
}

TEST_CASE("a kernel in several passes computes in each, and writes once", "[multi_pass]") {
  const kernel::Program program = straight_program();
  Partition partition = straight(program);
  partition.arrays = {{{0}, false}, {{1}, false}};
  partition.kernels[0].arrays = {tests::reads(0), tests::writes(1)};
  const tests::PassesRun one = tests::run_partition(partition, numbers(32), {});
  partition.kernels[0].passes = 3;
  const tests::PassesRun three = tests::run_partition(partition, numbers(32), {});
  CHECK(three.output == one.output);
  CHECK(three.counts.passes == 3);
  CHECK(three.counts.completed == 32);
  CHECK(three.counts.instructions == 3 * one.counts.instructions);
  CHECK(three.counts.lane_instructions == 3 * one.counts.lane_instructions);
  CHECK(three.counts.memory_traffic == 3 * one.counts.memory_traffic);
  CHECK(one.counts.array_traffic == 2 * 32 * 4);
  CHECK(three.counts.array_traffic == (3 + 1) * 32 * 4);
  CHECK(one.counts.counter_traffic == (1 + 1) * 32 * 8);
  CHECK(three.counts.counter_traffic == (3 + 1) * 32 * 8);
  CHECK(three.counts.cycles[Cycles::launch] == 3 * one.counts.cycles[Cycles::launch]);
}

TEST_CASE("a tuple moves whole, for tiles that work and for threads that pass", "[multi_pass]") {
  const kernel::Program program = two_sides_program();
  Partition partition = two_sides(program);
  partition.arrays = {{{0, 1, program.register_rows}, true}, {{2}, false}};
  partition.kernels[0].arrays = {tests::writes(0), tests::writes(1)};
  partition.kernels[1].arrays = {tests::reads(0), tests::reads(1)};
  partition.kernels[1].arrays.front().copied = true;
  std::vector<std::uint32_t> input(64, 0);
  input[0] = 1;  // one thread has an odd number
  const tests::PassesRun run = tests::run_partition(partition, input, {});
  CHECK(run.counts.array_traffic == 64 * (12 + 4) + 32 * (12 + 4));
  CHECK(run.counts.copy_traffic == 12);
}

TEST_CASE("a pass cannot write the buffers that it reads", "[multi_pass][paper]") {
  const kernel::Program program = straight_program();
  Partition partition = straight(program);
  CHECK_THROWS_WITH(tests::run_partition(partition, numbers(32), {}, true),
                    Catch::Contains("pass 1 of 'kernel', kernel all, reads and writes 'input'"));
  partition.arrays = {{{0}, false}};
  partition.kernels[0].arrays = {tests::reads_and_writes(0)};
  CHECK_THROWS_WITH(tests::run_partition(partition, numbers(32), {}),
                    Catch::Contains("pass 1 of 'kernel', kernel all, reads and writes array r0"));
  partition.arrays[0].double_buffered = true;
  CHECK_NOTHROW(tests::run_partition(partition, numbers(32), {}));
  partition.static_bindings = true;
  CHECK_THROWS_AS(tests::run_partition(partition, numbers(32), {}), ExecutionError);
  partition.kernels[0].arrays[0].to = 1;
  CHECK_NOTHROW(tests::run_partition(partition, numbers(32), {}));
}

TEST_CASE("local memory is one buffer that a pass reads or writes", "[multi_pass]") {
  const kernel::Program program = tests::program_of(
      ".local .align 4 .b8 depot[8];\nmov.u32 %r4, %tid.x;\nst.local.u32 [depot], %r4;\n"
      "ld.local.u32 %r5, [depot];\nexit;\n");
  CHECK_THROWS_WITH(tests::run_partition(straight(program), numbers(32), {}), Catch::Contains("'local memory'"));
}

TEST_CASE("threads that wait for an unreachable kernel end the run", "[multi_pass]") {
  const kernel::Program program = two_sides_program();
  Partition partition = two_sides(program);
  partition.kernels[0].successors = {1};
  CHECK_THROWS_WITH(tests::run_partition(partition, numbers(64), {}),
                    Catch::Contains("not in the worklist") && Catch::Contains("even (32 threads)"));
}

TEST_CASE("the error for an invalid machine names the parameter", "[multi_pass]") {
  const kernel::Program program = straight_program();
  MultiPassParameters parameters;
  parameters.tile = 12;
  CHECK_THROWS_WITH(tests::run_partition(straight(program), numbers(32), parameters),
                    Catch::Contains("multi_pass.tile") && Catch::Contains("8 or 16"));
  parameters = {};
  parameters.lanes = 6;
  CHECK_THROWS_WITH(tests::run_partition(straight(program), numbers(32), parameters),
                    Catch::Contains("multi_pass.lanes") && Catch::Contains("4 or 8"));
}

TEST_CASE("errors of a kernel name the thread", "[multi_pass]") {
  const kernel::Program program = tests::program_of("mov.u64 %rd9, 64;\nld.global.u32 %r4, [%rd9];\nexit;\n");
  CHECK_THROWS_WITH(tests::run_partition(straight(program), numbers(32), {}),
                    Catch::Contains("block 0, warp 0, lane 0"));
}

}  // namespace reconverge
