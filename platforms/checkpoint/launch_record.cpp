// SPDX-License-Identifier: Apache-2.0
#include "platforms/checkpoint/launch_record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"
#include "models/core/state_archive.hpp"

namespace reconverge {

namespace {

using launch::LaunchResult;

/// Identifies a launch of a run.
std::string name_of(const Launch& launch) {
  const auto text = [](Dim3 size) { return fmt::format("{}x{}x{}", size.x, size.y, size.z); };
  return fmt::format("{} with {} blocks of {}", launch.program->name, text(launch.grid), text(launch.block));
}

void archive(StateArchive& state, InstructionProfile& profile) {
  state(profile.lanes, profile.elsewhere);
  for (ProfiledInstruction& one : profile.instructions) {
    state(one.executions, one.threads, one.divergent, one.targets, one.lines, one.lost);
  }
}

void archive(StateArchive& state, LaunchResult& result, const kernel::Program& program) {
  RunHistory& history = result.history;
  state(result.instructions, result.runs, history.interval, history.cycles, history.samples);
  bool profiled = result.profile.has_value();
  state(profiled);
  if (profiled && !result.profile) result.profile = empty_profile(program);
  if (profiled) archive(state, *result.profile);
  if (result.counters) state(*result.counters);
  std::uint64_t parts = result.parts.size();
  std::uint64_t arcs = result.traffic.size();
  state(parts, arcs);
  result.parts.resize(parts);
  result.traffic.resize(arcs);
  for (PartRuns& part : result.parts) state(part.name, part.runs, part.records);
  for (Traffic& arc : result.traffic) state(arc.from, arc.to, arc.records, arc.bytes);
}

}  // namespace

std::string record_of(launch::Session& session, const Launch& launch, LaunchResult result, const PageDigests& before) {
  const std::span<std::byte> memory = session.memory().used();
  StateArchive state;
  std::string name = name_of(launch);
  std::uint64_t bytes = memory.size();
  std::vector<std::uint64_t> pages = before.changed(memory);
  state(name, bytes);
  archive(state, result, *launch.program);
  state(pages);
  for (const std::uint64_t page : pages) state.raw(page_of(memory, page).data(), page_of(memory, page).size());
  return state.bytes();
}

LaunchResult restore_launch(launch::Session& session, const Launch& launch, std::string record) {
  session.device().skip(launch);
  const std::span<std::byte> memory = session.memory().used();
  StateArchive state(std::move(record));
  std::string name;
  std::uint64_t bytes = 0;
  state(name, bytes);
  if (name != name_of(launch) || bytes != memory.size()) {
    throw InputError({},
                     fmt::format("the stored launch is {} with {} bytes of memory, and this one is {} with {} bytes",
                                 name, bytes, name_of(launch), memory.size()),
                     "the run must be the same as the one that stored it");
  }
  LaunchResult result;
  result.machine = &session.kind();
  result.completed = true;
  if (Statistics counters = session.device().totals(); !counters.empty()) result.counters = std::move(counters);
  std::vector<std::uint64_t> pages;
  archive(state, result, *launch.program);
  state(pages);
  for (const std::uint64_t page : pages) {
    if (page * PageDigests::page_bytes >= memory.size()) throw InputError({}, "the stored pages are damaged");
    state.raw(page_of(memory, page).data(), page_of(memory, page).size());
  }
  return result;
}

}  // namespace reconverge
