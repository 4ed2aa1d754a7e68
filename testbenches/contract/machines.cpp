// SPDX-License-Identifier: Apache-2.0
#include "testbenches/contract/machines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "models/core/simulation_context.hpp"
#include "platforms/machines/functional/functional_machine.hpp"
#include "platforms/machines/gpu/gpu.hpp"
#include "platforms/machines/multi_pass/multi_pass_machine.hpp"
#include "platforms/machines/stream_processor/stream_machine.hpp"
#include "testbenches/reference/scalar_interpreter.hpp"

namespace reconverge::contract {

namespace {

/// Uploads buffers, runs, downloads buffers: the same for any machine that has a memory().
template <typename Run>
std::vector<std::byte> with_buffers(DeviceMemory& memory, const Case& test_case, Run&& run) {
  const DeviceAddress input = memory.upload("input", std::span<const std::uint32_t>(test_case.input));
  const DeviceAddress output = memory.allocate("output", test_case.output_bytes);
  const DeviceAddress sums = memory.allocate("sums", sum_words * 4);
  const std::array<Argument, 3> arguments{input, output, sums};
  Launch launch =
      make_launch(test_case.program, test_case.grid, test_case.block, arguments, test_case.dynamic_shared_bytes);
  launch.cooperative = test_case.cooperative;
  run(launch);
  std::vector<std::byte> result;
  for (const DeviceAddress buffer : {output, sums}) {
    const auto bytes = memory.view(buffer);
    result.insert(result.end(), bytes.begin(), bytes.end());
  }
  return result;
}

void one_block_fits(GpuParameters& parameters, const Case& test_case) {
  const std::uint64_t warps = (test_case.block.count() + warp_size - 1) / warp_size;
  parameters.sm.register_file.registers =
      std::max<std::uint64_t>(1024, warps * test_case.program.register_rows * warp_size);
  parameters.sm.shared_memory = test_case.program.shared_bytes + test_case.dynamic_shared_bytes;
  parameters.sm.block_slots = 1;
}

void tiny_caches(GpuParameters& parameters, const Case& /*test_case*/) {
  parameters.sms = 2;
  parameters.sm.l1.capacity = 1024;
  parameters.sm.l1.ways = 1;
  parameters.sm.l1.mshrs = 1;
  parameters.sm.texture_cache.capacity = 512;
  parameters.sm.texture_cache.ways = 1;
  parameters.sm.texture_cache.mshrs = 1;
  parameters.sm.constant_cache.capacity = 64;
  parameters.sm.constant_cache.ways = 1;
  parameters.sm.constant_cache.mshrs = 1;
  parameters.sm.constant_cache.merges = 1;
  parameters.l2.capacity = 16384;
  parameters.l2.ways = 1;
  parameters.l2.slices = 1;
  parameters.dram.channels = 1;
}

/// As in GPGPU-Sim 3.2.1: one fetch, one operand collector, pipes by opcode, textures in order.
void one_front_end(GpuParameters& parameters, const Case& /*test_case*/) {
  parameters.sms = 2;
  SmParameters& sm = parameters.sm;
  sm.fetch.sharing = InstructionFetchSharing::sm;
  sm.fetch.refill = InstructionFetchRefill::empty;
  sm.fetch.group = 2;
  sm.instruction_cache.capacity = 2048;
  sm.operand_collector.sharing = OperandCollectorSharing::sm;
  sm.operand_collector.units = 6;
  sm.operand_collector.special_units = 8;
  sm.operand_collector.memory_units = 2;
  sm.operand_collector.unit_reads = 1;
  sm.operand_collector.latches = 2;
  sm.operand_collector.banks = 16;
  sm.lanes.grouping = LanesGrouping::opcodes;
  sm.lanes.alu_units = 2;
  sm.lanes.branch_decided = LanesBranchDecided::issue;
  sm.lanes.branch_latency = 1;
  sm.texture_cache.answers = TextureCacheAnswers::in_order;
  sm.texture_cache.fragments = 8;
  parameters.l2.clock_divider = 2;
  parameters.l2.rop_latency = 20;
}

void set_schedulers(GpuParameters& parameters, std::uint64_t sms, std::uint64_t count, std::uint64_t dispatch,
                    WarpSchedulerPolicy policy) {
  parameters.sms = sms;
  parameters.sm.scheduler.count = count;
  parameters.sm.scheduler.dispatch = dispatch;
  parameters.sm.scheduler.policy = policy;
}

}  // namespace

std::vector<std::uint32_t> random_words() {
  std::vector<std::uint32_t> words(input_words);
  std::uint64_t state = 0;
  for (auto& word : words) {  // splitmix64, Steele, Lea and Flood 2014
    state += 0x9e3779b97f4a7c15;
    std::uint64_t mixed = state;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    word = static_cast<std::uint32_t>(mixed ^ mixed >> 31);
  }
  return words;
}

Outcome run_scalar(const Case& test_case, std::uint64_t step_limit) {
  ScalarInterpreter interpreter(step_limit);
  Outcome outcome;
  outcome.memory = with_buffers(interpreter.memory(), test_case, [&](const Launch& launch) {
    outcome.thread_instructions = interpreter.run(launch).thread_instructions;
  });
  return outcome;
}

Outcome run_functional(const Case& test_case, const FunctionalParameters& parameters) {
  FunctionalMachine machine(parameters);
  Outcome outcome;
  outcome.memory = with_buffers(machine.memory(), test_case, [&](const Launch& launch) {
    machine.run(launch);
    outcome.thread_instructions = machine.instructions().thread_instructions;
  });
  return outcome;
}

TimedOutcome run_timed(const Case& test_case, const GpuParameters& parameters, SchemeList kinds, unsigned threads) {
  const SimulationContext context;
  Gpu gpu("gpu", parameters, kinds);
  gpu.use_threads(threads);
  TimedOutcome outcome;
  outcome.memory = with_buffers(gpu.memory(), test_case, [&](const Launch& launch) { gpu.run(launch); });
  outcome.totals = gpu.totals();
  const auto& by_lanes = outcome.totals.of<WarpSchedulerStatistics>().active_lanes;
  for (std::size_t lanes = 0; lanes < by_lanes.size(); ++lanes) outcome.thread_instructions += lanes * by_lanes[lanes];
  return outcome;
}

namespace {

TimedOutcome run_without_warps(const Case& test_case, Machine& machine) {
  TimedOutcome outcome;
  outcome.memory = with_buffers(machine.memory(), test_case, [&](const Launch& launch) { machine.run(launch); });
  outcome.totals = machine.totals();
  outcome.thread_instructions = machine.instructions().thread_instructions;
  return outcome;
}

}  // namespace

TimedOutcome run_on(const Case& test_case, const MachineKind& machine, SchemeList kinds) {
  const SimulationContext context;
  return run_without_warps(test_case, *machine.make({}, kinds));
}

TimedOutcome run_streams(const Case& test_case, const StreamProcessorParameters& parameters) {
  const SimulationContext context;
  StreamMachine machine(parameters);
  return run_without_warps(test_case, machine);
}

TimedOutcome run_passes(const Case& test_case, const MultiPassParameters& parameters) {
  const SimulationContext context;
  MultiPassMachine machine(parameters);
  return run_without_warps(test_case, machine);
}

std::span<const Shape> shapes() {
  using Policy = WarpSchedulerPolicy;
  const auto schedulers = [](std::uint64_t sms, std::uint64_t count, std::uint64_t dispatch, Policy policy) {
    return [=](GpuParameters& parameters, const Case&) { set_schedulers(parameters, sms, count, dispatch, policy); };
  };
  static const std::array<Shape, 12> all{{
      {"1 SM, 4 schedulers of 2", schedulers(1, 4, 2, Policy::greedy_then_oldest)},
      {"1 SM, 1 scheduler of 1", schedulers(1, 1, 1, Policy::greedy_then_oldest)},
      {"1 SM, 1 scheduler of 2, round robin", schedulers(1, 1, 2, Policy::loose_round_robin)},
      {"3 SMs, 4 schedulers of 2, round robin", schedulers(3, 4, 2, Policy::loose_round_robin)},
      {"3 SMs, 4 schedulers of 1", schedulers(3, 4, 1, Policy::greedy_then_oldest)},
      {"3 SMs, registers and shared memory for one block",
       [](GpuParameters& parameters, const Case& test_case) {
         parameters.sms = 3;
         one_block_fits(parameters, test_case);
       }},
      {"2 SMs, tiny caches", tiny_caches},
      {"1 SM, warp slots for one block",
       [](GpuParameters& parameters, const Case& test_case) {
         parameters.sms = 1;
         parameters.sm.warp_slots = (test_case.block.count() + warp_size - 1) / warp_size;
       }},
      {"2 SMs, warps start one by one, 2 of a scheduler active",
       [](GpuParameters& parameters, const Case&) {
         set_schedulers(parameters, 2, 4, 1, Policy::two_level);
         parameters.sm.scheduler.active_warps = 2;
         parameters.sm.launch_unit = SmLaunchUnit::warp;
       }},
      {"2 SMs, sub-cores with their own caches, no collectors, memory of one latency",
       [](GpuParameters& parameters, const Case&) {
         set_schedulers(parameters, 2, 4, 1, Policy::oldest_first);
         parameters.sm.lanes.sharing = LanesSharing::sub_core;
         parameters.sm.fetch.capacity = 1024;
         parameters.sm.fetch.ways = 2;
         parameters.sm.operand_collector.units = 0;
         parameters.memory = GpuMemory::fixed_latency;
       }},
      {"2 SMs, one fetch and one operand collector each", one_front_end},
      {"2 SMs, one pipeline each, texture misses in order",
       [](GpuParameters& parameters, const Case&) {
         set_schedulers(parameters, 2, 1, 1, Policy::loose_round_robin);
         parameters.sm.operand_collector.units = 0;
         parameters.sm.load_store.queue = 1;
         parameters.sm.load_store.pipeline = LoadStorePipeline::shared;
         parameters.sm.load_store.coalescing = LoadStoreCoalescing::half_warp_segments;
         parameters.sm.texture_cache.answers = TextureCacheAnswers::misses_in_order;
       }},
  }};
  return all;
}

GpuParameters parameters_of(const Shape& shape, std::string_view scheme, const Case& test_case) {
  GpuParameters parameters;
  parameters.sm.scheme = {std::string(scheme)};
  shape.apply(parameters, test_case);
  return parameters;
}

std::vector<std::uint64_t> counters(const Statistics& totals) {
  std::vector<std::uint64_t> all;
  totals.visit([&](const auto& /*path*/, const StatisticsView& statistics) {
    statistics.visit([&](const StatisticDescription& /*statistic*/, std::span<const std::uint64_t> values) {
      all.insert(all.end(), values.begin(), values.end());
    });
  });
  return all;
}

std::string difference(const std::vector<std::byte>& expected, const std::vector<std::byte>& found) {
  if (expected.size() != found.size()) return fmt::format("{} bytes expected, {} found", expected.size(), found.size());
  const auto word = [](const std::vector<std::byte>& bytes, std::size_t index) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + 4 * index, 4);
    return value;
  };
  std::string text;
  std::size_t count = 0;
  for (std::size_t i = 0; i < expected.size() / 4; ++i) {
    const std::uint32_t a = word(expected, i);
    const std::uint32_t b = word(found, i);
    if (a == b) continue;
    if (++count <= 8) text += fmt::format("  word {}: expected {:#010x}, found {:#010x}\n", i, a, b);
  }
  return count == 0 ? text : fmt::format("{} words differ\n{}", count, text);
}

ByLanes by_lanes(const Statistics& totals) {
  ByLanes result;
  const auto& counts = totals.of<WarpSchedulerStatistics>().active_lanes;
  for (unsigned lanes = 0; lanes < counts.size(); ++lanes) {
    if (counts[lanes] != 0) result[lanes] = counts[lanes];
  }
  return result;
}

}  // namespace reconverge::contract
