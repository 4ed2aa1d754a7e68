// SPDX-License-Identifier: Apache-2.0
// Every parameter below `gpu` has an effect, and every counter counts in some run.
//
// The test changes each parameter of the narrow machine until some counter of a run changes. The table below lists
// parameters that have an effect only with certain values of others (such as the latency of fixed-latency memory).

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <variant>

#include "models/core/error.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "tests/microbench/narrow_machine.hpp"

namespace reconverge::tests {
namespace {

/// Parameters that have an effect only with these values of other parameters.
const std::map<std::string, Overrides, std::less<>> company{
    {"fixed_latency.latency", {"memory=fixed_latency"}},
    {"sm.scheduler.active_warps", {"sm.scheduler.policy=two_level"}},
    {"sm.lanes.fp64_sharing", {"sm.lanes.sharing=sub_core"}},
    {"sm.lanes.integer_interval", {"sm.lanes.integer_units=1"}},
    {"sm.lanes.integer_latency", {"sm.lanes.integer_units=1"}},
    {"sm.lanes.integer_opcode_latency", {"sm.lanes.grouping=opcodes"}},
    {"sm.lanes.integer_opcode_interval", {"sm.lanes.grouping=opcodes"}},
    {"sm.lanes.single_opcode_latency", {"sm.lanes.grouping=opcodes"}},
    {"sm.lanes.single_opcode_interval", {"sm.lanes.grouping=opcodes"}},
    {"sm.lanes.double_opcode_latency", {"sm.lanes.grouping=opcodes"}},
    {"sm.lanes.double_opcode_interval", {"sm.lanes.grouping=opcodes"}},
    {"sm.texture_cache.fragments", {"sm.texture_cache.answers=in_order"}},
    {"sm.fetch.ways", {"sm.fetch.capacity=512 B"}},
    {"sm.fetch.prefetch", {"sm.fetch.capacity=512 B"}},
    {"sm.instruction_cache.latency", {"sm.fetch.capacity=512 B"}},
    {"sm.l1.banks", {"sm.load_store.units=4"}},
    {"sm.texture_cache.banks", {"sm.load_store.units=4"}},
    {"sm.constant_cache.banks", {"sm.load_store.units=4"}},
    {"sm.carve_outs", {"sm.l1.capacity=34 KiB", "sm.carve_outs=[16]"}},
    {"sm.load_store.address_latency", {"sm.load_store.address_interval=4"}},
    {"sm.load_store.address_queue", {"sm.load_store.address_interval=4"}},
    {"dram.t_ccd_l", {"dram.bank_groups=2", "dram.t_ccd_l=100"}},
    {"dram.bank_groups", {"dram.t_ccd_l=100"}},
    {"dram.t_refi", {"dram.t_refi=1000", "dram.t_rfc=100"}},
    {"dram.t_rfc", {"dram.t_refi=1000", "dram.t_rfc=100"}},
    {"sm.constant_l15.ways", {"sm.constant_l15.capacity=512 B"}},
    {"sm.constant_l15.hit_latency", {"sm.constant_l15.capacity=512 B"}},
    {"sm.load_store.constant_latency", {"sm.constant_cache.capacity=0 B"}},
    {"sm.load_store.pipeline", {"sm.operand_collector.units=0"}},
    {"sm.load_store.shared_wide", {"sm.scheme=thread_block_compaction"}},
    {"sm.load_store.return_bytes", {"sm.scheme=thread_block_compaction"}},
    {"sm.load_store.shared_atomic_cycles", {"sm.scheme=thread_block_compaction"}},
    {"sm.load_store.shared_atomic_interval", {"sm.scheme=thread_block_compaction"}},
    {"sm.dynamic_ray_shuffling.backup_rows", {"sm.scheme=dynamic_ray_shuffling"}},
    {"sm.dynamic_ray_shuffling.extra_bank",
     {"sm.scheme=dynamic_ray_shuffling", "sm.dynamic_ray_shuffling.backup_rows=8"}},
    {"sm.dynamic_ray_shuffling.swap_buffers", {"sm.scheme=dynamic_ray_shuffling"}},
    {"sm.dynamic_ray_shuffling.ray_registers", {"sm.scheme=dynamic_ray_shuffling"}},
    {"sm.dynamic_ray_shuffling.control_latency", {"sm.scheme=dynamic_ray_shuffling"}},
    {"sm.dynamic_ray_shuffling.report_latency", {"sm.scheme=dynamic_ray_shuffling"}},
    {"sm.dynamic_ray_shuffling.choice_latency", {"sm.scheme=dynamic_ray_shuffling"}},
    {"sm.dynamic_ray_shuffling.table_reads", {"sm.scheme=dynamic_ray_shuffling"}},
    {"sm.dynamic_ray_shuffling.ideal", {"sm.scheme=dynamic_ray_shuffling"}},
    {"sm.dynamic_ray_shuffling.stacks", {"sm.scheme=dynamic_ray_shuffling"}},
    {"sm.dynamic_microkernel.state_bytes", {"sm.scheme=dynamic_microkernel"}},
    {"sm.dynamic_microkernel.fifo", {"sm.scheme=dynamic_microkernel", "sm.warp_slots=9"}},
    {"sm.dynamic_microkernel.on_chip", {"sm.scheme=dynamic_microkernel"}},
    {"sm.dynamic_microkernel.bank_conflicts", {"sm.scheme=dynamic_microkernel"}},
    {"sm.raytrace.warps", {"sm.scheme=raytrace"}},
    {"sm.raytrace.port_bytes", {"sm.scheme=raytrace"}},
    {"sm.raytrace.setup_latency", {"sm.scheme=raytrace"}},
    {"sm.raytrace.box_latency", {"sm.scheme=raytrace"}},
    {"sm.raytrace.box_units", {"sm.scheme=raytrace"}},
    {"sm.raytrace.triangle_latency", {"sm.scheme=raytrace"}},
    {"sm.raytrace.triangle_units", {"sm.scheme=raytrace"}},
    {"sm.raytrace.node_cache.capacity", {"sm.scheme=raytrace"}},
    {"sm.raytrace.node_cache.line", {"sm.scheme=raytrace"}},
    {"sm.raytrace.node_cache.ways", {"sm.scheme=raytrace"}},
    {"sm.raytrace.node_cache.hit_latency", {"sm.scheme=raytrace"}},
    {"sm.raytrace.node_cache.mshrs", {"sm.scheme=raytrace"}},
    {"sm.raytrace.node_cache.merges", {"sm.scheme=raytrace"}},
    {"sm.thread_block_compaction.warp_interval", {"sm.scheme=thread_block_compaction"}},
};

/// All lanes read two words of shared and two of global memory, and execute an atomic in shared memory. Then threads of
/// all warps vote on one path of a branch.
constexpr const char* votes = R"(
.version 6.0
.target sm_60
.address_size 64
.visible .entry votes(.param .u64 buffer, .param .u32 count, .param .u32 size)
{
.reg .pred %p;
.reg .b32 %r<3>;
.reg .b64 %a;
.shared .align 8 .b8 pair[8];
ld.shared.v2.u32 {%r1, %r2}, [pair];
ld.param.u64 %a, [buffer];
ld.global.v2.u32 {%r1, %r2}, [%a];
atom.shared.add.u32 %r1, [pair], %r2;
mov.u32 %r0, %tid.x;
shr.u32 %r1, %r0, 5;
add.u32 %r0, %r0, %r1;
and.b32 %r0, %r0, 1;
setp.eq.u32 %p, %r0, 0;
@%p bra END;
vote.ballot.b32 %r2, %p;
END: ret;
}
)";

/// Whether the parameter or counter is tested elsewhere. Some need loads on divergent paths and threads that wait for
/// each other, as in tests/contract/convergence_barrier_test.cpp and subwarp_interleaving_test.cpp, or spawns of two
/// warps in the same cycle, as in spawn_test.cpp. Memory outside is in
/// tests/unit/platforms/launch/external_memory_test.cpp.
bool moves_in_other_tests(std::string_view name) {
  constexpr std::array parts{"external.",
                             "external_memory.",
                             "sm.convergence_barrier.",
                             "sm.subwarp_interleaving.",
                             "slots.divergence_wait",
                             "slots.divergence_move",
                             "slots.subwarps_blocked",
                             "slots.subwarps_stalled",
                             "slots.subwarp_move",
                             "slots.spawn_port"};
  return std::ranges::any_of(parts, [&](const char* part) { return name.find(part) != std::string_view::npos; });
}

/// The counters of small launches: dependent threads, independent threads, and matrices; also rays if hardware moves or
/// traces rays, and votes if it moves threads.
class Workload {
 public:
  const std::vector<std::uint64_t>& counters(const Overrides& overrides) {
    const auto known = known_.find(overrides);
    if (known != known_.end()) return known->second;
    return known_.emplace(overrides, launch(narrow_machine(overrides))).first->second;
  }
  /// Names of counters that were zero in all runs.
  std::set<std::string> silent() const {
    std::set<std::string> names;
    for (const auto& [name, count] : events_) {
      if (count == 0 && !moves_in_other_tests(name)) names.insert(name);
    }
    return names;
  }

 private:
  std::vector<std::uint64_t> launch(const GpuParameters& parameters) {
    std::vector<std::uint64_t> counters = count(run_medley(parameters));
    const std::vector<std::uint64_t> more = count(run_alone(parameters));
    counters.insert(counters.end(), more.begin(), more.end());
    const std::vector<std::uint64_t> of_matrices = count(run({"pipes", "matrix", 2, 64}, 1, parameters).totals);
    counters.insert(counters.end(), of_matrices.begin(), of_matrices.end());
    if (has_scheme(parameters.sm, "dynamic_ray_shuffling")) {
      const std::vector<std::uint64_t> of_rays = count(run_rays(parameters).totals);
      counters.insert(counters.end(), of_rays.begin(), of_rays.end());
    }
    if (has_scheme(parameters.sm, "dynamic_microkernel")) {
      const std::vector<std::uint64_t> of_spawns = count(run_spawns(parameters).totals);
      counters.insert(counters.end(), of_spawns.begin(), of_spawns.end());
    }
    if (has_scheme(parameters.sm, "raytrace")) {
      const std::vector<std::uint64_t> of_traces = count(run_traces(parameters).totals);
      counters.insert(counters.end(), of_traces.begin(), of_traces.end());
    }
    if (has_scheme(parameters.sm, "thread_block_compaction")) {
      Microbench bench{"votes", "votes", 4, 96};
      bench.text = votes;
      const std::vector<std::uint64_t> of_votes = count(run(bench, 1, parameters).totals);
      counters.insert(counters.end(), of_votes.begin(), of_votes.end());
    }
    return counters;
  }

  std::vector<std::uint64_t> count(const Statistics& totals) {
    std::vector<std::uint64_t> counters;
    totals.visit([&](std::string_view block, const StatisticsView& statistics) {
      statistics.visit([&](const StatisticDescription& statistic, std::span<const std::uint64_t> values) {
        const std::string name = std::string(block) + "." + std::string(statistic.name);
        for (std::size_t bin = 0; bin < values.size(); ++bin) {
          counters.push_back(values[bin]);
          // Of numbered bins at least one must count; a named bin is a separate counter.
          events_[statistic.bin_names.empty() ? name : name + "." + bin_name(statistic, bin)] += values[bin];
        }
      });
    });
    return counters;
  }

  std::map<Overrides, std::vector<std::uint64_t>> known_;
  std::map<std::string, std::uint64_t> events_;
};

/// Legal values other than `now`; the first are most likely to have an effect.
std::vector<std::string> other_values(const ParameterDescription& parameter, const ParameterValue& now) {
  std::vector<ParameterValue> values;
  if (parameter.type == ParameterType::choice) {
    for (std::uint64_t choice = 0; choice < parameter.choices.size(); ++choice) values.emplace_back(choice);
  } else if (parameter.type == ParameterType::names) {
    for (const std::string_view name : parameter.choices) {
      values.emplace_back(std::vector<std::string>{std::string(name)});
    }
  } else if (parameter.type == ParameterType::flag) {
    values.emplace_back(!std::get<bool>(now));
  } else if (const auto* number = std::get_if<std::uint64_t>(&now)) {
    const auto least = std::get<std::uint64_t>(parse_value(parameter, parameter.minimum));
    const auto greatest = std::get<std::uint64_t>(parse_value(parameter, parameter.maximum));
    for (const std::uint64_t value : {*number * 2, *number / 2, *number + 1, *number * 16, *number + 1024, least}) {
      if (value >= least && value <= greatest) values.emplace_back(value);
    }
  } else if (const auto* numbers = std::get_if<std::vector<std::uint64_t>>(&now)) {
    std::vector<std::uint64_t> doubled = *numbers;
    for (std::uint64_t& each : doubled) each *= 2;
    values.emplace_back(doubled);
  } else if (parameter.name == "opcodes") {
    values.emplace_back(std::string("add alu 30 8"));
  } else {
    FAIL("no other value for a parameter of type " << to_string(parameter.type));
  }
  std::vector<std::string> texts;
  for (const ParameterValue& value : values) {
    if (value != now) texts.push_back(format_value(parameter, value));
  }
  return texts;
}

/// Whether some other value of the parameter changes some counter. For a choice or names, every other value must.
bool moves_something(Workload& workload, const std::string& path) {
  const auto others = company.find(path);
  const Overrides base = others != company.end() ? others->second : Overrides{};
  GpuParameters parameters;
  const auto configuration = narrow_configuration(base, parameters);
  const auto* entry = configuration.find(path);
  REQUIRE(entry != nullptr);
  const auto values = other_values(*entry->parameter, parse_value(*entry->parameter, entry->value));
  REQUIRE_FALSE(values.empty());
  const std::vector<std::uint64_t> before = workload.counters(base);
  const auto moves = [&](const std::string& value) {
    Overrides changed = base;
    changed.push_back(path + "=" + value);
    try {
      return workload.counters(changed) != before;
    } catch (const InputError&) {
      return false;  // the value is incompatible with the machine
    }
  };
  const ParameterType type = entry->parameter->type;
  if (type == ParameterType::choice || type == ParameterType::names) {
    return std::all_of(values.begin(), values.end(), moves);
  }
  return std::any_of(values.begin(), values.end(), moves);
}

}  // namespace

TEST_CASE("every parameter of the machine changes some counter, and every counter counts in some run") {
  Workload workload;
  GpuParameters parameters;
  const auto configuration = configuration::load_defaults(with_schemes(gpu_block), &parameters);
  REQUIRE(configuration.entries().size() > 80);
  for (const configuration::Entry& entry : configuration.entries()) {
    CAPTURE(entry.path, entry.parameter->text);
    if (entry.path.ends_with(".implementation")) continue;           // no effect on counters: tests/cosim
    if (entry.path == "sm.dynamic_microkernel.lut_lines") continue;  // only limits which programs run
    if (entry.path == "cold_launches") continue;                // affects the second launch: tests/unit/sm/gpu_test.cpp
    if (entry.path == "sm.load_store.texture_lanes") continue;  // affects texture fetches: read_only_caches_test.cpp
    if (entry.path == "memory") continue;                       // external has none here; company has fixed_latency
    if (moves_in_other_tests(entry.path)) continue;
    CHECK(moves_something(workload, entry.path));
  }
  CHECK(workload.silent() == std::set<std::string>{});
}

}  // namespace reconverge::tests
