// SPDX-License-Identifier: Apache-2.0
// The example of the paper: Figs. 1 to 3.
#include <catch2/catch.hpp>
#include <random>

#include "models/core/error.hpp"
#include "tests/unit/multi_pass/hand_made.hpp"

namespace reconverge {

namespace {

using kernel::Partition;
using kernel::PassKernel;

/// The arrays of the example's values: the loop's trip count, and the number of completed iterations.
std::vector<kernel::PassArray> arrays_of(const kernel::Program& program) {
  const kernel::BasicBlock& loop = program.blocks[1];
  const kernel::Operand count = program.instructions[loop.first].destination[0];
  const kernel::Operand limit = program.instructions[loop.first + 1].source[1];
  return {{{limit.row()}, false}, {{count.row()}, true}};
}

constexpr std::uint32_t limit = 0;
constexpr std::uint32_t count = 1;

/// The loop consists of two basic blocks, because `bra BODY` is a separate block. Kernel B contains both.
std::vector<kernel::NodeBlock> loop_blocks(std::uint32_t done, std::uint32_t again) {
  return {{1, {{kernel::NodeWay::Lanes::taken, false, done}, {kernel::NodeWay::Lanes::others, true, 1}}},
          {2, {{kernel::NodeWay::Lanes::all, false, again}}}};
}

/// The partition of Fig. 1: kernels A, B and D.
Partition figure_1(const kernel::Program& program) {
  Partition partition;
  partition.program = &program;
  partition.blocks = program.blocks;
  partition.rows = program.register_rows;
  partition.arrays = arrays_of(program);
  PassKernel a = tests::pass_kernel("A", {{0, tests::branch(2, 1)}}, 11, {1, 2}, 0);
  a.arrays = {tests::writes(limit), tests::writes(count)};
  a.specials = tests::places;
  PassKernel b = tests::pass_kernel("B", loop_blocks(2, 1), 4, {1, 2}, 1);
  b.arrays = {tests::reads(limit), tests::reads_and_writes(count)};
  PassKernel d = tests::pass_kernel("D", {{3, {}}}, 9, {}, 2);
  d.arrays = {tests::reads(count)};
  d.specials = tests::places;
  partition.kernels = {a, b, d};
  return partition;
}

/// The partition of Fig. 3: copying kernels on the loop's edge and on the edge that skips the loop make the graph
/// bipartite.
Partition figure_3(const kernel::Program& program) {
  Partition partition = figure_1(program);
  partition.static_bindings = true;
  PassKernel a = partition.kernels[0];
  PassKernel b = partition.kernels[1];
  PassKernel d = partition.kernels[2];
  a.blocks = {{0, tests::branch(3, 1)}};
  a.successors = {1, 3};
  a.arrays[1].to = 1;
  b.blocks = loop_blocks(4, 2);
  b.successors = {2, 4};
  b.from = 1;
  b.arrays[1].from = 1;
  PassKernel c1 = tests::pass_kernel("C1", {}, 0, {1}, 2);
  c1.arrays = {tests::copies(count, 0, 1)};
  PassKernel c2 = tests::pass_kernel("C2", {}, 0, {4}, 3);
  c2.arrays = {tests::copies(count, 1, 0)};
  c2.from = 1;
  d.order = 4;
  partition.kernels = {a, b, c1, c2, d};
  return partition;
}

const std::vector<std::uint32_t> zero_one_two = {0, 1, 2};

std::vector<std::uint32_t> random_counts(std::size_t threads) {
  std::mt19937 generator(2007);
  std::vector<std::uint32_t> counts(threads);
  for (std::uint32_t& one : counts) one = generator() % 30;
  return counts;
}

}  // namespace

TEST_CASE("mpp.example.timestamp: Fig. 2b ends after six passes", "[multi_pass][paper]") {
  const kernel::Program program = tests::example_program();
  const tests::PassesRun run = tests::run_partition(figure_1(program), zero_one_two, {});
  CHECK(run.sequence == "A0 B1 B0 B1 D1 D0");
  CHECK(run.completed == std::vector<std::uint64_t>{3, 2, 1, 0, 2, 1});
  CHECK(run.output == zero_one_two);
  CHECK(run.counts.passes == 6);
  CHECK(run.counts.empty_passes == 1);
  CHECK(run.counts.copy_passes == 0);
  CHECK(run.counts.completed == 9);
  CHECK(run.counts.stale == 0);
}

TEST_CASE("mpp.example.bipartite: Fig. 3 runs B for two passes and D for one", "[multi_pass][paper]") {
  const kernel::Program program = tests::example_program();
  const tests::PassesRun run = tests::run_partition(figure_3(program), zero_one_two, {});
  CHECK(run.runs_of('B') == 2);
  CHECK(run.runs_of('D') == 1);
  CHECK(run.sequence == "A0 B1 C10 B1 C10 C21 D0");
  CHECK(run.completed == std::vector<std::uint64_t>{3, 2, 1, 1, 0, 1, 3});
  CHECK(run.output == zero_one_two);
  CHECK(run.counts.copy_passes == 3);
  CHECK(run.counts.copy_traffic > 0);
}

TEST_CASE("mpp.example.stale: Fig. 2a never ends", "[multi_pass][paper]") {
  const kernel::Program program = tests::example_program();
  MultiPassParameters parameters;
  parameters.timestamps = false;
  parameters.pass_limit = 100;
  const std::string count_row = "r" + std::to_string(arrays_of(program)[count].values.front());
  CHECK_THROWS_WITH(tests::run_partition(figure_1(program), zero_one_two, parameters),
                    Catch::Contains("has not ended after 100 passes") && Catch::Contains("D (") &&
                        Catch::Contains("run B again") && Catch::Contains("stale values of " + count_row + ";") &&
                        Catch::Contains("multi_pass.timestamps to true"));
  // In the first iterations no program counter is stale when its kernel runs.
  parameters.pass_limit = 4;
  CHECK_THROWS_WITH(tests::run_partition(figure_1(program), {2, 2, 2}, parameters),
                    Catch::Contains("D (3 threads)") && !Catch::Contains("again"));
}

TEST_CASE("mpp.termination: the worklist is empty when all threads have ended", "[multi_pass][paper]") {
  const kernel::Program program = tests::example_program();
  const std::vector<std::uint32_t> input = random_counts(1000);
  const std::uint64_t rounds = *std::ranges::max_element(input);
  const std::uint64_t tile = GENERATE(1, 8, 32, 128);
  const bool skip_ended = GENERATE(true, false);
  MultiPassParameters parameters;
  parameters.tile = tile;
  parameters.skip_ended = skip_ended;
  const tests::PassesRun both = tests::run_partition(figure_1(program), input, parameters);
  CHECK(both.output == input);
  CHECK(both.runs_of('B') == rounds + 1);  // in the last run no guard passes
  CHECK(both.runs_of('D') == 2);
  CHECK(both.counts.completed == 2 * 1000 + std::accumulate(input.begin(), input.end(), std::uint64_t{0}));
  CHECK(both.counts.stale == 0);
  const tests::PassesRun fixed = tests::run_partition(figure_3(program), input, parameters);
  CHECK(fixed.output == input);
  CHECK(fixed.runs_of('B') == rounds);
  CHECK(fixed.runs_of('D') == 1);
}

}  // namespace reconverge
