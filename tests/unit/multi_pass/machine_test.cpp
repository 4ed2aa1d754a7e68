// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "models/core/error.hpp"
#include "platforms/machines/multi_pass/multi_pass_machine.hpp"
#include "tests/unit/multi_pass/hand_made.hpp"

namespace reconverge {

namespace {

/// A machine with buffers of input numbers and of iteration counts, which the example program writes.
struct Device {
  explicit Device(const MultiPassParameters& parameters, const std::vector<std::uint32_t>& counts)
      : machine(parameters), threads(static_cast<std::uint32_t>(counts.size())) {
    input = machine.memory().upload("input", std::span<const std::uint32_t>(counts));
    output = machine.memory().allocate("output", counts.size() * 4);
  }
  Launch launch(DeviceAddress to) const {
    const std::array<Argument, 2> arguments{input, to};
    return make_launch(program, {threads / 32}, {32}, arguments);
  }
  std::vector<std::uint32_t> words() {
    const auto all = machine.memory().view_as<std::uint32_t>(output);
    return {all.begin(), all.end()};
  }

  SimulationContext context;
  kernel::Program program = tests::example_program();
  MultiPassMachine machine;
  std::uint32_t threads;
  DeviceAddress input = 0;
  DeviceAddress output = 0;
};

std::vector<std::uint32_t> counts_to_seven(std::size_t threads) {
  std::vector<std::uint32_t> counts(threads);
  for (std::size_t i = 0; i < threads; ++i) counts[i] = static_cast<std::uint32_t>(i % 8);
  return counts;
}

}  // namespace

TEST_CASE("a second launch on the machine has the same counts, which are added", "[multi_pass]") {
  const std::vector<std::uint32_t> counts = counts_to_seven(256);
  Device device({}, counts);
  CHECK(device.machine.run(device.launch(device.output)));
  CHECK(device.words() == counts);
  const MultiPassStatistics first = device.machine.totals().of<MultiPassStatistics>();
  CHECK(device.machine.run(device.launch(device.output)));
  MultiPassStatistics second = device.machine.totals().of<MultiPassStatistics>();
  second -= first;
  CHECK(second == first);  // including cycles
  CHECK(first.threads == 256);
  CHECK(device.machine.threads_done() == 512);
  CHECK(device.machine.instructions().thread_instructions == 2 * first.lane_instructions);
}

TEST_CASE("threads are counted on each edge between kernels", "[multi_pass]") {
  Device device({}, counts_to_seven(256));
  device.machine.run(device.launch(device.output));
  std::uint64_t began = 0;
  std::uint64_t moved = 0;
  for (const Traffic& arc : device.machine.traffic()) {
    (arc.from.empty() ? began : moved) += arc.records;
    if (!arc.from.empty()) CHECK(arc.bytes >= 8 * arc.records);
  }
  CHECK(began == 256);
  // Each thread that passes a guard has arrived on an edge.
  CHECK(began + moved == device.machine.totals().of<MultiPassStatistics>().completed);
}

TEST_CASE("arguments that point to the same buffer require another partition", "[multi_pass]") {
  Device device({}, counts_to_seven(64));
  CHECK(arguments_distinct(device.launch(device.output), device.machine.memory()));
  CHECK_FALSE(arguments_distinct(device.launch(device.input), device.machine.memory()));
  CHECK(arguments_distinct(device.launch(DeviceAddress{0}), device.machine.memory()));
  const kernel::Partition& apart = device.machine.partition_of(device.program, true);
  CHECK(&device.machine.partition_of(device.program, true) == &apart);
  CHECK(&device.machine.partition_of(device.program, false) != &apart);
  // In place: each word is read in an earlier pass than the pass that writes it.
  device.machine.run(device.launch(device.input));
  const auto words = device.machine.memory().view_as<std::uint32_t>(device.input);
  CHECK(std::vector<std::uint32_t>(words.begin(), words.end()) == counts_to_seven(64));
}

TEST_CASE("a launch can be stopped between passes", "[multi_pass]") {
  MultiPassParameters parameters;
  parameters.pass_cycles = 1'000'000;
  Device device(parameters, counts_to_seven(64));
  CHECK_FALSE(device.machine.run(device.launch(device.output), [](const LaunchProgress& progress) {
    CHECK(progress.blocks == 2);
    return progress.cycles < 2'000'000;
  }));
  CHECK_THROWS_AS(device.machine.run(device.launch(device.output)), ExecutionError);
}

TEST_CASE("the machine's parameters set the options of partitions", "[multi_pass]") {
  MultiPassParameters parameters;
  parameters.memory_bytes = 48;
  parameters.partition.merging = PartitionMerging::cheap;
  parameters.partition.bipartization = PartitionBipartization::greedy;
  parameters.partition.bypassing = false;
  parameters.partition.outputs = 4;
  parameters.partition.output_words = 2;
  parameters.partition.constants = false;
  parameters.atomics = true;
  const kernel::PartitionOptions options = partition_options(parameters);
  CHECK(options.merging == kernel::PartitionOptions::Merging::cheap);
  CHECK(options.bipartization == kernel::PartitionOptions::Bipartization::greedy);
  CHECK_FALSE(options.bypassing);
  CHECK(options.outputs == 4);
  CHECK(options.output_words == 2);
  CHECK_FALSE(options.constants);
  CHECK(options.atomics);
  CHECK(options.bytes_per_instruction == 0.5);  // 48 bytes for 96 lanes
}

}  // namespace reconverge
