// SPDX-License-Identifier: Apache-2.0
#include "platforms/trace/warp_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/core/lane_mask.hpp"
#include "models/execution/launch.hpp"
#include "models/protocols/branch_sides.hpp"

namespace reconverge::trace {

namespace {

constexpr std::string_view heading = "{:>10} {:>3} {:>4} {:>6} {:>5} {:>5} {:>10} {:>2} {:<7} {}\n";
constexpr std::string_view row = "{:>10} {:>3} {:>4} {:>6} {:>5} {:>5} {:#010x} {:>2} {:<7} {}\n";

}  // namespace

WarpLog::WarpLog(CycleWindow window, std::vector<std::string> outcomes, Sink sink)
    : window_{window.first, std::min<Cycle>(window.last, never)},
      outcomes_(std::move(outcomes)),
      sink_(std::move(sink)) {
  sink_(log_mark);
  sink_(fmt::format(heading, "cycle", "sm", "warp", "block", "pc", "line", "lanes", "n", "event", "what"));
}

void WarpLog::launch_started(const Launch& launch, Cycle cycle) {
  program_ = launch.program;
  source_lines_.clear();
  for (const kernel::Instruction& instruction : program_->instructions) source_lines_.push_back(instruction.line);
  launch_ = fmt::format("# cycle {}: {} begins, {} blocks of {} threads\n", cycle, program_->name, launch.grid.count(),
                        launch.threads_per_block());
}

void WarpLog::end_waits() {
  for (std::uint32_t sm = 0; sm < slots_.size(); ++sm) {
    for (std::uint32_t slot = 0; slot < slots_[sm].size(); ++slot) end_wait({sm, slot}, slots_[sm][slot]);
  }
}

void WarpLog::launch_ended(Cycle end) {
  end_waits();
  slots_.clear();
  if (launch_.empty()) sink_(fmt::format("# cycle {}: {} ends\n", end, program_->name));
  launch_.clear();
}

WarpLog::Slot& WarpLog::slot_of(std::uint32_t sm, std::uint32_t slot) {
  if (slots_.size() <= sm) slots_.resize(sm + 1);
  std::vector<Slot>& slots = slots_[sm];
  if (slots.size() <= slot) slots.resize(slot + 1);
  return slots[slot];
}

void WarpLog::threads_started(const ThreadsNote& note) {
  Slot& slot = slot_of(note.place.sm, note.place.slot);
  const auto created_in = std::exchange(slot.created_in, std::nullopt);
  if (note.live == note.lanes) {
    end_wait(note.place, slot);
    slot.path = note.lanes;
    slot.block.reset();
    // Threads of the grid begin at the program's start.
    if (!created_in && note.place.pc == 0) slot.block = note.position.block;
  } else {
    slot.block.reset();  // others in the slot may belong to another block
  }
  std::string text = "in a warp that runs";
  if (created_in) {
    text = fmt::format("threads that waited in part {}", *created_in);
  } else if (slot.block) {
    const std::uint32_t first = note.position.warp * warp_size;
    text = fmt::format("block {}, threads {} to {}", *slot.block, first, first + count_lanes(note.lanes) - 1);
  } else if (note.live == note.lanes) {
    text = "threads that others created";
  }
  put(note.cycle, note.place, note.lanes, "start", text);
}

void WarpLog::threads_ended(const ThreadsNote& note) {
  Slot& slot = slot_of(note.place.sm, note.place.slot);
  slot.path &= ~note.lanes;
  const std::string left = note.live == 0 ? "the warp has ended" : fmt::format("{:#010x} go on", note.live);
  put(note.cycle, note.place, note.lanes, "end", left);
}

void WarpLog::issued(const IssueNote& note) {
  Slot& slot = slot_of(note.place.sm, note.place.slot);
  end_wait(note.place, slot);
  slot.last = note;
  const std::string row_of_rays = std::exchange(slot.row, {});
  const LaneMask before = std::exchange(slot.path, note.path);
  if (!window_.holds(note.cycle)) return;
  empty_ = false;
  if (!row_of_rays.empty()) put(note.cycle, note.place, note.path, "row", row_of_rays);
  if (!note.alone && before != note.path) follow(note, before);
  put(note.cycle, note.place, note.lanes, "issue", program_->text[note.place.pc]);
}

void WarpLog::follow(const IssueNote& note, LaneMask before) {
  const LaneMask joined = note.path & ~before;
  const LaneMask left = before & ~note.path;
  if (joined == 0) {
    put(note.cycle, note.place, note.path, "run", fmt::format("{:#010x} wait", left));
  } else if (left == 0 && before != 0) {
    put(note.cycle, note.place, note.path, "meet", fmt::format("{:#010x} and {:#010x}", before, joined));
  } else {
    put(note.cycle, note.place, note.path, "switch",
        before == 0 ? std::string("the lanes that ran have ended") : fmt::format("{:#010x} wait", left));
  }
}

std::string WarpLog::sides_of(const BranchNote& note) const {
  std::string text;
  for_each_side(note, [&](kernel::Pc pc, LaneMask lanes) {
    text += fmt::format("{}{:#010x} to ", text.empty() ? "" : ", ", lanes);
    text += pc < source_lines_.size() ? fmt::format("pc {} (line {})", pc, source_lines_[pc]) : std::string("the end");
  });
  return text;
}

void WarpLog::branched(const BranchNote& note) {
  const Slot& slot = slot_of(note.place.sm, note.place.slot);
  if (note.alone || !window_.holds(slot.last.cycle)) return;
  unsigned sides = 0;
  for_each_side(note, [&](kernel::Pc /*pc*/, LaneMask /*lanes*/) { ++sides; });
  if (sides > 1) put(slot.last.cycle, note.place, note.path, "diverge", sides_of(note));
}

void WarpLog::slots_lost(const LostSlotsNote& note) {
  if (note.place.pc == kernel::no_pc) return;
  Slot& slot = slot_of(note.place.sm, note.place.slot);
  const Cycle end = note.from + note.cycles;
  const bool goes_on = slot.wait && slot.wait->cause == note.cause && slot.wait->pc == note.place.pc;
  if (goes_on && slot.wait->end == note.from) {
    slot.wait->end = end;
    return;
  }
  end_wait(note.place, slot);
  slot.wait = Wait{note.cause, note.place.pc, note.from, end};
}

void WarpLog::end_wait(const WarpPlace& place, Slot& slot) {
  if (!slot.wait) return;
  const Wait wait = *std::exchange(slot.wait, std::nullopt);
  const Cycle begin = std::max(wait.begin, window_.first);
  const Cycle end = std::min(wait.end, window_.last + 1);
  if (begin >= end) return;
  put(begin, {place.sm, place.slot, wait.pc}, slot.path, "wait",
      fmt::format("{} cycles: {}", end - begin, outcomes_[static_cast<std::size_t>(wait.cause)]));
}

void WarpLog::threads_spawned(const SpawnNote& note) {
  const Slot& slot = slot_of(note.sm, note.slot);
  put(slot.last.cycle, slot.last.place, slot.last.lanes, "spawn",
      fmt::format("threads that wait in part {}", note.part));
}

void WarpLog::spawned_begin(const SpawnNote& note) { slot_of(note.sm, note.slot).created_in = note.part; }

void WarpLog::row_taken(const RowNote& note) {
  slot_of(note.sm, note.slot).row = note.row ? fmt::format("has row {} of rays", *note.row) : "has no row of rays";
}

void WarpLog::put(Cycle cycle, const WarpPlace& place, LaneMask lanes, std::string_view event, std::string_view text) {
  if (!window_.holds(cycle)) return;
  if (!launch_.empty()) sink_(std::exchange(launch_, {}));
  const auto number_or_none = [](std::optional<std::uint64_t> number) {
    return number ? fmt::format_int(*number).str() : std::string("-");
  };
  const bool placed = place.pc < source_lines_.size();
  const auto line = placed ? std::optional<std::uint64_t>(source_lines_[place.pc]) : std::nullopt;
  sink_(fmt::format(row, cycle, place.sm, place.slot, number_or_none(slot_of(place.sm, place.slot).block),
                    number_or_none(placed ? std::optional<std::uint64_t>(place.pc) : std::nullopt),
                    number_or_none(line), lanes, count_lanes(lanes), event, text));
}

}  // namespace reconverge::trace
