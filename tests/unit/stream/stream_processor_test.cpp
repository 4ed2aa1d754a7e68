// SPDX-License-Identifier: Apache-2.0
#include "models/stream/stream_processor.hpp"

#include <catch2/catch.hpp>
#include <numeric>

#include "models/core/error.hpp"
#include "tests/unit/stream/stream_kernels.hpp"

namespace reconverge {

namespace {

using Cycles = StreamProcessorCycles;

std::vector<std::uint32_t> numbers(std::size_t count) {
  std::vector<std::uint32_t> values(count);
  std::iota(values.begin(), values.end(), 0U);
  return values;
}

constexpr const char* count_down =
    "ld.global.u32 %r4, [%rd1];\nand.b32 %r5, %r4, 15;\n"
    "HEAD:\nadd.u32 %r4, %r4, 3;\nsub.u32 %r5, %r5, 1;\nsetp.gt.s32 %p1, %r5, 0;\n@%p1 bra HEAD;\n"
    "st.global.u32 [%rd2], %r4;\nexit;\n";

std::vector<std::uint32_t> counted_down(const std::vector<std::uint32_t>& input) {
  std::vector<std::uint32_t> output;
  output.reserve(input.size());
  for (const std::uint32_t value : input) output.push_back(value + 3 * std::max(value & 15U, 1U));
  return output;
}

// A thread with the number n creates n leaves, by recursive halving.
constexpr const char* tree =
    "ld.global.u32 %r4, [%rd1];\nmul.wide.u32 %rd6, %r1, 256;\nld.param.u64 %rd7, [output];\nadd.s64 %rd7, %rd7, "
    "%rd6;\n"
    "emit.stack SPLIT;\nexit;\n"
    "SPLIT:\nsetp.gt.u32 %p1, %r4, 1;\n@%p1 bra TWO;\nemit LEAF;\nexit;\n"
    "TWO:\nmov.u32 %r6, %r4;\nshr.u32 %r4, %r4, 1;\nemit.stack SPLIT;\n"
    "mul.wide.u32 %rd8, %r4, 4;\nadd.s64 %rd7, %rd7, %rd8;\nsub.u32 %r4, %r6, %r4;\nemit.stack SPLIT;\nexit;\n"
    "LEAF:\nst.global.u32 [%rd7], %r4;\nexit;\n";

/// Eight threads with 64 leaves each, which write one to each word of the output.
Statistics totals_of_tree(const StreamProcessorParameters& parameters) {
  const std::vector<std::uint32_t> roots(8, 64);
  const SimulationContext context;
  const kernel::Program program = tests::program_of(tree);
  StreamMachine machine(parameters);
  DeviceMemory& memory = machine.memory();
  const DeviceAddress from = memory.upload("input", std::span<const std::uint32_t>(roots));
  const DeviceAddress to = memory.allocate("output", 512 * 4);
  const std::array<Argument, 2> arguments{from, to};
  machine.run(make_launch(program, {1}, {8}, arguments));
  const auto words = memory.view_as<std::uint32_t>(to);
  CHECK(std::vector<std::uint32_t>(words.begin(), words.end()) == std::vector<std::uint32_t>(512, 1));
  return machine.totals();
}

}  // namespace

TEST_CASE("a pass of straight-line code takes one cycle for each instruction and strip", "[stream]") {
  StreamProcessorParameters parameters;
  parameters.instruction_bytes = 0;
  parameters.memory_bytes = 4096;
  const auto input = numbers(64);
  const tests::StreamRun run = tests::run_kernel(
      "ld.global.u32 %r4, [%rd1];\nadd.u32 %r4, %r4, 1;\nst.global.u32 [%rd2], %r4;\nexit;\n", input, parameters);
  CHECK(run.passes.size() == 1);
  CHECK(run.counts().strips == 4);
  CHECK(run.counts().instructions == 4 * 13);
  CHECK(run.counts().lane_instructions == 64 * 13);
  CHECK(run.counts().cycles[Cycles::run] == 4 * 13);
  CHECK(run.counts().cycles[Cycles::starve] == 4);  // 16 threads start in a cycle
  CHECK(sum(run.counts().cycles.values) == 4 * 13 + 4);
  CHECK(run.counts().memory_traffic == 2 * 64 * 4);
  CHECK(run.output.back() == 64);
}

TEST_CASE("a node that repeats in place needs fewer kernel switches than a feedback arc", "[stream][thesis]") {
  const auto input = numbers(2048);
  StreamProcessorParameters parameters;
  const tests::StreamRun feedback = tests::run_kernel(count_down, input, parameters);
  parameters.graph.in_place = true;
  const tests::StreamRun in_place = tests::run_kernel(count_down, input, parameters);
  CHECK(feedback.output == counted_down(input));
  CHECK(in_place.output == counted_down(input));
  CHECK(in_place.counts().lane_instructions == feedback.counts().lane_instructions);
  CHECK(4 * in_place.counts().switches < feedback.counts().switches);
}

TEST_CASE("records are counted on each arc that they take", "[stream]") {
  // The input is the numbers 0 to 15, four times: 4 * (1 + 1 + 2 + ... + 15) iterations. Records of HEAD have two words
  // and an address.
  StreamProcessorParameters parameters;
  const auto records = [&](const std::string& from, const std::string& to) {
    std::vector<std::uint64_t> found;
    for (const Traffic& arc : tests::run_kernel(count_down, numbers(64), parameters).traffic) {
      if (arc.from != from || arc.to != to) continue;
      found = {arc.records, arc.bytes / arc.records};
    }
    return found;
  };
  using Counts = std::vector<std::uint64_t>;
  CHECK(records("", "B0") == Counts{64, 8});
  CHECK(records("B0", "HEAD") == Counts{64, 16});
  CHECK(records("HEAD", "HEAD again") == Counts{484 - 64, 16});
  CHECK(records("HEAD again", "HEAD") == Counts{484 - 64, 16});
  parameters.graph.in_place = true;
  CHECK(records("B0", "HEAD") == Counts{64, 16});
  CHECK(records("HEAD", "HEAD again").empty());
}

TEST_CASE("expanding records use a stack of stream registers that spills to memory", "[stream][thesis]") {
  StreamProcessorParameters parameters;
  parameters.registers.words = 256;
  parameters.registers.count = 4;
  const Statistics totals = totals_of_tree(parameters);
  const auto& registers = totals.of<StreamRegistersStatistics>();
  CHECK(registers.pushes > 0);
  CHECK(registers.spills > 0);
  CHECK(registers.fills > 0);
  CHECK(registers.spill_bytes > 0);
  CHECK(registers.occupied <= 4 * totals.of<StreamProcessorStatistics>().passes);
  CHECK(registers.used <= 256 * registers.occupied);
}

TEST_CASE("a stack takes the registers of empty streams if these give their places first", "[stream]") {
  StreamProcessorParameters parameters;
  parameters.registers.words = 256;
  parameters.registers.count = 4;
  const auto deepest_first = totals_of_tree(parameters).of<StreamRegistersStatistics>();
  parameters.registers.replacement = StreamRegistersReplacement::empty_first;
  const auto empty_first = totals_of_tree(parameters).of<StreamRegistersStatistics>();
  CHECK(empty_first.pushes == deepest_first.pushes);
  CHECK(empty_first.spills < deepest_first.spills);
  CHECK(empty_first.spill_bytes < deepest_first.spill_bytes);
  CHECK(empty_first.occupied > deepest_first.occupied);
  CHECK(empty_first.used > deepest_first.used);
}

TEST_CASE("a stream register holds two strips of records, 2 W R words", "[stream][thesis]") {
  StreamProcessorParameters parameters;
  const auto input = numbers(256);
  parameters.registers.words = 2 * 16 * 4;  // records of at most four words
  CHECK(tests::run_kernel(count_down, input, parameters).output == counted_down(input));
  parameters.registers.words = 2 * 16 * 4 - 1;
  CHECK_THROWS_WITH(
      tests::run_kernel(count_down, input, parameters),
      Catch::Contains("stream_processor.registers.words") && Catch::Contains("HEAD") && Catch::Contains("128"));
}

TEST_CASE("a machine that cannot run a kernel refuses it before the run", "[stream]") {
  const auto input = numbers(32);
  StreamProcessorParameters parameters;
  parameters.registers.count = 2;
  parameters.graph.merging = StreamingGraphMerging::none;
  CHECK_THROWS_WITH(
      tests::run_kernel(count_down, input, parameters),
      Catch::Contains("stream_processor.registers.count") && Catch::Contains("HEAD") && Catch::Contains("writes 2"));
  parameters = {};
  parameters.lanes = 12;
  CHECK_THROWS_WITH(tests::run_kernel(count_down, input, parameters), Catch::Contains("8 or 16"));
  parameters.lanes = 8;
  CHECK_THROWS_WITH(tests::run_kernel(count_down, input, parameters),
                    Catch::Contains("stream_processor.network.ports"));
}

TEST_CASE("the error for a cycle whose streams are full names its nodes and their records", "[stream]") {
  // The number of records grows, and no arc of the cycle is a stack.
  std::string without_stack = tree;
  for (auto place = without_stack.find(".stack"); place != std::string::npos; place = without_stack.find(".stack")) {
    without_stack.erase(place, 6);
  }
  StreamProcessorParameters parameters;
  parameters.registers.words = 256;
  const std::vector<std::uint32_t> input(64, 64);
  CHECK_THROWS_WITH(tests::run_kernel(without_stack, input, parameters),
                    Catch::Contains("cannot go on") && Catch::Contains("SPLIT: 85 records wait") &&
                        Catch::Contains("SPLIT has room for 0 of 85"));
}

TEST_CASE("a loop accepts at most as many records as fit its smallest stream", "[stream]") {
  StreamProcessorParameters parameters;
  parameters.registers.words = 2 * 16 * 4;
  const std::vector<std::uint32_t> input(4096, 15);
  CHECK(tests::run_kernel(count_down, input, parameters).output == counted_down(input));
}

TEST_CASE("errors of a kernel name the thread, not the lane of the stream processor", "[stream]") {
  std::vector<std::uint32_t> input = numbers(128);
  CHECK_THROWS_WITH(
      tests::run_kernel("setp.ne.u32 %p1, %r1, 77;\n@%p1 exit;\nmov.u64 %rd9, 64;\nld.global.u32 %r4, [%rd9];\nexit;\n",
                        input),
      Catch::Contains("block 2, warp 0, lane 13"));
}

TEST_CASE("two runs of one launch have equal counts", "[stream]") {
  const auto input = numbers(1000 / 32 * 32);
  const tests::StreamRun first = tests::run_kernel(count_down, input);
  const tests::StreamRun second = tests::run_kernel(count_down, input);
  CHECK(first.passes == second.passes);
  CHECK(first.counts().cycles.values == second.counts().cycles.values);
}

}  // namespace reconverge
