// SPDX-License-Identifier: Apache-2.0
#include "platforms/profile/profiler.hpp"

#include <algorithm>

#include "models/protocols/branch_sides.hpp"

namespace reconverge {

namespace {

void add_threads(std::vector<BranchTarget>& targets, kernel::Pc pc, LaneMask lanes) {
  // Nearly all branches have two targets.
  const auto known = std::ranges::find(targets, pc, &BranchTarget::pc);
  if (known != targets.end()) {
    known->threads += count_lanes(lanes);
  } else {
    targets.push_back({pc, count_lanes(lanes)});
  }
}

}  // namespace

void Profiler::issued(const IssueNote& note) {
  ProfiledInstruction& one = at(note.place.pc);
  const unsigned lanes = count_lanes(note.lanes);
  if (note.alone) profile_.lanes = 1;
  one.executions += note.alone ? lanes : 1;
  one.threads += lanes;
}

void Profiler::branched(const BranchNote& note) {
  ProfiledInstruction& one = at(note.place.pc);
  unsigned places = 0;
  for_each_side(note, [&](kernel::Pc pc, LaneMask lanes) {
    add_threads(one.targets, pc, lanes);
    ++places;
  });
  if (places > 1 && !note.alone) ++one.divergent;
}

void Profiler::slots_lost(const LostSlotsNote& note) {
  const bool placed = note.place.pc < profile_.instructions.size();
  (placed ? at(note.place.pc).lost : profile_.elsewhere)[note.cause] += note.slots;
}

void Profiler::line_taken(const LineNote& note) {
  LineCounts& lines = at(note.place.pc).lines;
  lines.cache = note.cache;
  ++lines.lines;
  lines.hits += note.outcome == CacheOutcome::hit ? 1 : 0;
  lines.misses += note.outcome == CacheOutcome::miss ? 1 : 0;
  lines.merges += note.outcome == CacheOutcome::merge ? 1 : 0;
}

}  // namespace reconverge
