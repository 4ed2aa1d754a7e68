// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/core/error.hpp"
#include "models/execution/module_variables.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/configuration/configuration.hpp"
#include "platforms/launch/keys.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/machines/machines.hpp"

namespace reconverge::launch {

GpuParameters load_platform(const std::filesystem::path& file, std::span<const std::string> overrides) {
  ExperimentParameters parameters;
  configuration::load(with_kinds(experiment_block), &parameters, file, overrides, section_keys());
  return parameters.gpu;
}

LaunchResult& LaunchResult::operator+=(const LaunchResult& later) {
  completed = later.completed;
  instructions += later.instructions;
  printed += later.printed;
  if (counters) *counters += *later.counters;
  for (const Traffic& arc : later.traffic) {
    const auto known =
        std::ranges::find_if(traffic, [&](const Traffic& one) { return one.from == arc.from && one.to == arc.to; });
    if (known == traffic.end()) {
      traffic.push_back(arc);
      continue;
    }
    known->records += arc.records;
    known->bytes += arc.bytes;
  }
  for (const PartRuns& part : later.parts) {
    const auto known = std::ranges::find(parts, part.name, &PartRuns::name);
    if (known == parts.end()) {
      parts.push_back(part);
      continue;
    }
    known->runs += part.runs;
    known->records += part.records;
  }
  if (profile) *profile += *later.profile;
  if (later.history.interval != 0) history.append(later.history);
  if (later.sample && sample) {
    *sample += *later.sample;
  } else if (later.sample) {
    sample = later.sample;
  }
  runs += later.runs;
  return *this;
}

Session::Session(std::string_view machine, const Platform& platform, Kinds kinds)
    : Session(find_machine(machine, kinds.machines), platform, kinds.schemes) {}

Session::Session(const MachineKind& machine, const Platform& platform, SchemeList schemes)
    : kind_(&machine),
      platform_(platform),
      schemes_(schemes),
      extensions_(extensions_of(schemes)),
      machine_(machine.make(platform, schemes)) {}

Session::~Session() = default;

const kernel::Program& Session::load(const std::filesystem::path& file, std::string_view entry) {
  return programs_.emplace_back(kernel::load_program(file, entry, extensions_));
}

DeviceMemory& Session::memory() { return machine_->memory(); }

void Session::stop_after(Cycle cycles) { machine_->stop_after(cycles); }

DeviceAddress Session::variable(const kernel::Program& program, std::string_view name) {
  auto known = modules_.find(program.file);
  if (known == modules_.end()) known = modules_.emplace(program.file, kernel::load_variables(program.file)).first;
  return place_variable(known->second, name, memory());
}

std::span<std::byte> Session::variable_of_size(const kernel::Program& program, std::string_view name,
                                               std::uint64_t bytes) {
  const std::span<std::byte> all = memory().view(variable(program, name));
  if (all.size() == bytes) return all;
  throw InputError({program.file, 0, 0},
                   fmt::format("variable '{}' has {} bytes, the host's values have {}", name, all.size(), bytes),
                   "give as many values of its type as it has");
}

LaunchResult Session::run(const kernel::Program& program, Dim3 grid, Dim3 block,
                          std::initializer_list<Argument> arguments, std::uint32_t dynamic_shared_bytes) {
  return run(make_launch(program, grid, block, {arguments.begin(), arguments.size()}, dynamic_shared_bytes));
}

LaunchResult Session::run(const Launch& launch, const KeepGoing& keep_going) {
  if (!launch.print) {
    std::string printed;
    Launch listening = launch;
    listening.print = [&](std::string_view text) { printed += text; };
    LaunchResult result = run(listening, keep_going);
    result.printed = std::move(printed);
    return result;
  }
  return sampling_.every > 1 ? run_blocks(launch, keep_going) : run_on_machine(launch, keep_going, nullptr);
}

LaunchResult Session::run_part(const Launch& launch, const KeepGoing& keep_going, const sampling::Work& work) {
  sampling::Sampler sampler(*machine_, work);
  return run_on_machine(launch, keep_going, &sampler);
}

LaunchResult Session::run_on_machine(const Launch& launch, const KeepGoing& keep_going, sampling::Sampler* sampler) {
  const Statistics before = machine_->totals();
  const InstructionCounts executed = machine_->instructions();
  const auto watched = [&](const LaunchProgress& progress) {
    sampler->note();
    return !keep_going || keep_going(progress);
  };
  LaunchResult result;
  result.machine = kind_;
  RecordedRun run = run_recorded(*machine_, launch, sampler != nullptr ? KeepGoing(watched) : keep_going, recording_);
  result.completed = run.completed;
  result.profile = std::move(run.profile);
  result.history = std::move(run.history);
  result.instructions = machine_->instructions().since(executed);
  Statistics counters = machine_->totals().since(before);
  if (!counters.empty()) result.counters = std::move(counters);
  result.traffic = machine_->traffic();
  result.parts = machine_->parts();
  if (sampler != nullptr && run.completed) result.sample = sampler->estimate(*result.counters, result.instructions);
  return result;
}

void Session::sample(const SamplingParameters& sampling) {
  if (!kind_->traits.sms)
    throw ParameterError("sample.every", fmt::format("the machine is {}, which has no SMs", kind_->name),
                         "leave it out");
  sampling_ = sampling;
  untimed_ = machine_without_time(platform_, memory(), schemes_);
}

LaunchResult Session::run_blocks(const Launch& launch, const KeepGoing& keep_going) {
  Launch part = launch;
  part.selection = sampling::selection_of(sampling_, machine_->blocks_at_once(launch));
  const sampling::Work work = sampling::work_of(part, *machine_);
  std::string in_full =
      launch.cooperative ? "its blocks wait for each other" : sampling::in_full_because(*launch.program);
  if (in_full.empty() && !work.is_large_enough()) in_full = work.too_small();
  if (!in_full.empty()) {
    LaunchResult result = run_on_machine(launch, keep_going, nullptr);
    result.in_full = std::move(in_full);
    return result;
  }
  LaunchProgress so_far;
  LaunchResult result = run_part(
      part,
      [&](const LaunchProgress& progress) {
        so_far = {progress.cycles, progress.blocks_ended, work.whole};
        return !keep_going || keep_going(so_far);
      },
      work);
  if (!result.completed) return result;
  Launch others = launch;
  others.selection = part.selection.others();
  result.completed = untimed_->run(others, [&](const LaunchProgress& progress) {
    return !keep_going || keep_going({so_far.cycles, work.simulated + progress.blocks_ended, work.whole});
  });
  return result;
}

}  // namespace reconverge::launch
