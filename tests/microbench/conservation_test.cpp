// SPDX-License-Identifier: Apache-2.0
// Counters of different blocks for the same events agree on every machine: each block receives what others send.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "blocks/dynamic_ray_shuffling.hpp"
#include "models/core/error.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "tests/microbench/narrow_machine.hpp"
#include "tests/microbench/ray_kernel.hpp"

namespace reconverge::tests {
namespace {

template <typename Statistics>
std::uint64_t reads(const Statistics& cache) {
  return cache.hits + cache.misses + cache.merges;
}

/// Checks the counters of a launch of `threads` threads.
void check_conservation(const Statistics& totals, const GpuParameters& parameters, std::uint64_t threads) {
  const auto& l1 = totals.of<L1CacheStatistics>();
  const auto& l2 = totals.of<L2CacheStatistics>();
  const auto& dram = totals.of<DramStatistics>();
  const auto& texture = totals.of<TextureCacheStatistics>();
  const auto& constant = totals.of<ConstantCacheStatistics>();
  // From the load/store unit to the L1 caches.
  CHECK(totals.of<LoadStoreStatistics>().line_requests == reads(l1) + l1.writes + reads(texture) + reads(constant));
  if (parameters.sm.texture_cache.capacity == 0) CHECK(texture == TextureCacheStatistics{});
  if (parameters.sm.constant_cache.capacity == 0) CHECK(constant == ConstantCacheStatistics{});
  // From the L1 caches to the next level: at least all misses and write-backs.
  const std::uint64_t least = l1.misses + l1.write_backs + texture.misses + constant.misses;
  const std::uint64_t most = least + l1.writes + totals.of<InstructionCacheStatistics>().misses;
  if (parameters.memory == GpuMemory::hierarchy) {
    CHECK(totals.of<CrossbarStatistics>().requests >= least);
    CHECK(totals.of<CrossbarStatistics>().requests <= most);
    CHECK(totals.of<CrossbarStatistics>().replies == totals.of<CrossbarStatistics>().requests);
    // From the crossbar to the L2 cache.
    CHECK(totals.of<CrossbarStatistics>().requests == l2.hits + l2.misses + l2.merges + l2.writes);
    CHECK(l2.sector_misses <= l2.misses);
    // From the L2 cache to memory.
    CHECK(dram.row_hits + dram.row_misses + dram.row_conflicts == dram.reads + dram.writes);
    CHECK(dram.bursts * parameters.dram.burst_bytes >= l2.bytes_from_memory + l2.bytes_to_memory);
    if (parameters.dram.burst_bytes <= 32) {
      CHECK(dram.bursts * parameters.dram.burst_bytes == l2.bytes_from_memory + l2.bytes_to_memory);
    }
    CHECK(dram.busy_cycles == dram.bursts * parameters.dram.burst_cycles);
  } else {
    const auto& memory = totals.of<FixedLatencyMemoryStatistics>();
    CHECK(memory.reads + memory.writes + memory.atomics >= least);
    CHECK(memory.reads + memory.writes + memory.atomics <= most);
  }
  // Threads and issue slots.
  CHECK(totals.of<SmStatistics>().threads_launched == threads);
  const auto& slots = totals.of<WarpSchedulerStatistics>().slots.values;
  CHECK(std::accumulate(slots.begin(), slots.end(), std::uint64_t{0}) ==
        totals.of<GpuStatistics>().cycles * parameters.sms * parameters.sm.scheduler.count *
            parameters.sm.scheduler.dispatch);
}

/// Whether the machine can run the ray kernel, which needs at least two ray registers.
bool runs_rays(const SmParameters& sm) {
  return has_scheme(sm, "dynamic_ray_shuffling") && sm.schemes.of<DynamicRayShufflingParameters>().ray_registers >= 2;
}

void check_rays(const GpuParameters& parameters) {
  const Measurement measurement = run_rays(parameters);
  const auto& [cycles, totals, words] = measurement;
  check_conservation(totals, parameters, std::uint64_t{ray_blocks} * ray_block_threads);
  const std::size_t registers = parameters.sm.schemes.of<DynamicRayShufflingParameters>().ray_registers;
  for (std::uint32_t i = 0; i < rays_of_narrow_machine; ++i) {
    if (words[first_ray_word + i] == result_of_ray(i, registers)) continue;
    FAIL_CHECK("ray " << i << " was lost or mixed with another ray");
    break;
  }
  const DynamicRayShufflingStatistics& shuffling = totals.of<DynamicRayShufflingStatistics>();
  CHECK(shuffling.control_reads == shuffling.stalls + shuffling.kept_rows + shuffling.renamings + shuffling.exits);
  // A wait has at most one stall in each cycle.
  CHECK(shuffling.waiting_cycles >= shuffling.stalls);
  CHECK((shuffling.waiting_cycles == 0) == (shuffling.stalls == 0));
  CHECK(shuffling.register_reads == shuffling.register_writes);
  CHECK(shuffling.register_reads % registers == 0);
  if (!parameters.sm.schemes.of<DynamicRayShufflingParameters>().ideal) {
    CHECK(shuffling.register_reads >= shuffling.swaps * registers);
    CHECK(shuffling.register_reads <= 2 * shuffling.swaps * registers);
  } else {
    CHECK(shuffling.register_reads == 0);
  }
}

constexpr unsigned seeds = 60;

/// Random values for about one parameter in six: small, or close to the current value.
Overrides random_overrides(std::mt19937& random, bool narrow) {
  GpuParameters parameters;
  const auto configuration = narrow ? narrow_configuration({}, parameters)
                                    : configuration::load_defaults(with_schemes(gpu_block), &parameters);
  Overrides overrides;
  for (const configuration::Entry& entry : configuration.entries()) {
    const ParameterDescription& parameter = *entry.parameter;
    ParameterValue now = parse_value(parameter, entry.value);
    if (random() % 6 == 0) {
      if (parameter.type == ParameterType::choice) {
        now = random() % parameter.choices.size();
      } else if (parameter.type == ParameterType::names) {
        now = std::vector<std::string>{std::string(parameter.choices[random() % parameter.choices.size()])};
      } else if (parameter.type == ParameterType::flag) {
        now = !std::get<bool>(now);
      } else if (parameter.type == ParameterType::counts) {
        for (std::uint64_t& each : std::get<std::vector<std::uint64_t>>(now)) each = 1 + random() % 40;
      } else if (parameter.type == ParameterType::text) {
        constexpr std::array lists{"add alu 30 8", "mul fp64 9 3, add.f64 multiply 7 2",
                                   "setp special 3 1, mul matrix 5 5"};
        now = std::string(lists[random() % lists.size()]);
      } else {
        const auto least = std::get<std::uint64_t>(parse_value(parameter, parameter.minimum));
        const auto greatest = std::get<std::uint64_t>(parse_value(parameter, parameter.maximum));
        const auto value = std::get<std::uint64_t>(now);
        const std::uint64_t candidates[] = {least, value / 2, value * 2, least + 1, value + 1 + random() % 5};
        // Most sizes that are not powers of two are incompatible with other parameters.
        const unsigned choices = parameter.type == ParameterType::bytes ? 3 : 5;
        now = std::clamp(candidates[random() % choices], least, greatest);
      }
    }
    overrides.push_back(entry.path + "=" + format_value(parameter, now));
  }
  return overrides;
}

}  // namespace

TEST_CASE("every request is answered, and every level receives all requests of the level above") {
  const std::string change =
      GENERATE(as<std::string>{}, "sms=2", "sm.l1.capacity=0 B", "sm.texture_cache.capacity=0 B",
               "sm.constant_cache.capacity=0 B", "sm.l1.write_policy=write_through",
               "sm.l1.local_write_miss=no_write_allocate", "sm.load_store.coalescing=lines",
               "sm.load_store.coalescing=half_warp_segments", "l2.capacity=0 B", "l2.write_policy=write_through",
               "l2.sector=128 B", "dram.policy=fcfs", "dram.clock=2 GHz", "crossbar.clock=333 MHz", "sm.scheme=mimd",
               "sm.scheme=thread_block_compaction", "sm.scheduler.policy=loose_round_robin",
               "sm.texture_cache.answers=in_order", "l2.clock_divider=3", "l2.rop_latency=40 cycles",
               "sm.operand_collector.sharing=sm", "sm.fetch.refill=empty", "sm.scheduler.policy=greedy_then_youngest",
               "sm.load_store.address_interval=4 cycles", "sm.load_store.interval=2 cycles",
               "sm.load_store.one_array=true", "sm.l1.bank_bytes=64", "dram.bank_groups=2", "dram.t_refi=1000 cycles");
  const bool independent = GENERATE(false, true);
  CAPTURE(change, independent);
  const GpuParameters parameters = narrow_machine({change});
  const Statistics totals = independent ? run_alone(parameters) : run_medley(parameters);
  check_conservation(totals, parameters, (independent ? 16 : 8) * 96);
}

TEST_CASE("rays that hardware moves have the results that they have without moves") {
  const std::string change =
      GENERATE(as<std::string>{}, "backup_rows=8", "extra_bank=true", "swap_buffers=18", "ray_registers=2",
               "ray_registers=18", "ideal=true", "backup_rows=1", "control_latency=50 cycles",
               "report_latency=50 cycles", "choice_latency=200 cycles", "table_reads=3", "stacks=row");
  const std::string other = GENERATE(as<std::string>{}, "sms=1", "sm.operand_collector.units=0", "memory=fixed_latency",
                                     "sm.launch_unit=warp", "sm.scheduler.policy=two_level", "sm.warp_slots=3");
  CAPTURE(change, other);
  check_rays(narrow_machine({"sm.scheme=dynamic_ray_shuffling", "sm.dynamic_ray_shuffling." + change, other}));
}

TEST_CASE("random machines finish all work, answer every request and are reproducible") {
  unsigned machines = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    std::mt19937 random(seed);
    const Overrides overrides = random_overrides(random, seed % 4 != 0);
    CAPTURE(seed, overrides);
    try {
      const GpuParameters parameters = narrow_machine(overrides);
      const Statistics medley = run_medley(parameters);
      check_conservation(medley, parameters, 8 * 96);
      check_conservation(run_alone(parameters), parameters, 16 * 96);
      if (runs_rays(parameters.sm)) check_rays(parameters);
      CHECK(run_medley(parameters).of<GpuStatistics>() == medley.of<GpuStatistics>());
      ++machines;
    } catch (const InputError&) {
      // The parameters are incompatible, or a thread block does not fit the machine.
    }
  }
  CHECK(machines > seeds / 4);
}

}  // namespace reconverge::tests
