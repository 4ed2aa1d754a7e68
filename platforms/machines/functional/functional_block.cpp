// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/functional/functional_block.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"
#include "models/execution/operations/members.hpp"
#include "models/kernel/analysis/waiting_rounds.hpp"

namespace reconverge {

using kernel::Opcode;

namespace {

// A warp may wait for a value that another warp writes, so each warp runs for a limited time before the next warp's
// turn, and for a shorter time in rounds that may wait.
constexpr std::uint32_t turn_instructions = 1U << 16;
constexpr std::uint32_t turn_rounds = 64;

/// Backward branches.
std::vector<bool> find_rounds(const kernel::Program& program) {
  std::vector<bool> rounds(program.instructions.size(), false);
  for (std::uint32_t block = 0; block < program.blocks.size(); ++block) {
    const auto& successors = program.blocks[block].successors;
    if (std::ranges::any_of(successors, [&](std::uint32_t successor) { return successor <= block; })) {
      rounds[program.blocks[block].end - 1] = true;
    }
  }
  return rounds;
}

}  // namespace

FunctionalProgram::FunctionalProgram(const kernel::Program& program, DeviceMemory& memory, ForwardProgress kind)
    : image(program, memory),
      progress(kind),
      rounds(kind == ForwardProgress::lanes ? find_rounds(program) : kernel::find_waiting_rounds(program)) {}

FunctionalBlock::FunctionalBlock(const Launch& launch, const FunctionalProgram& program, DeviceMemory& memory,
                                 std::uint32_t place)
    : launch_(launch),
      image_(program.image),
      rounds_(program.rounds),
      registers_(std::size_t{launch.warps_per_block()} * launch.program->register_rows),
      slots_(launch.warps_per_block()),
      place_(place) {
  setup_.begin(launch, image_, memory, {reinterpret_cast<std::byte*>(registers_.data()), 0, 1, 0}, {slots_.size(), 1});
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    slots_[i].warp.slot = i;
    slots_[i].paths = make_paths(program.progress);
    setup_.attach(slots_[i].warp);
  }
}

void FunctionalBlock::start(std::uint64_t block, SmObserver* observer) {
  watch_.stop();
  setup_.clear_shared(0);
  std::uint32_t thread = 0;
  std::vector<Warp*> warps;
  for (Slot& slot : slots_) {
    warps.push_back(&slot.warp);
    slot.warp.context.clock = 0;  // counts instructions of the warp
    slot.warp.context.position = {static_cast<std::uint32_t>(block), slot.warp.slot};
    const unsigned threads = std::min(warp_size, launch_.threads_per_block() - thread);
    setup_.set_threads(slot.warp, 0, threads, block, thread);
    thread += threads;
    const LaneMask lanes = all_lanes >> (warp_size - threads);
    slot.warp.live = lanes;
    slot.paths->start(slot.warp);
    if (observer != nullptr) {
      observer->threads_started({{place_, slot.warp.slot, 0}, lanes, lanes, slot.warp.context.position, 0});
    }
  }
  barriers_.begin(std::move(warps));
}

bool FunctionalBlock::run_round(InstructionCounts& counts, SmObserver* observer, const std::function<void()>& asked) {
  observer_ = observer;
  bool moved = false;
  bool changed = false;
  for (Slot& slot : slots_) {
    if (slot.warp.live == 0 || slot.warp.at_barrier) continue;
    const LaneMask live = slot.warp.live;
    run_warp(slot, counts);
    if (asked) asked();
    moved = true;
    changed |= take_change(slot.warp) || slot.warp.at_barrier || slot.warp.live != live;
  }
  if (!moved && !ended()) {
    throw ExecutionError(
        fmt::format("kernel '{}' is in a deadlock: no warp can move{}", image_.program().name, describe_waiting()),
        Fault::standstill);
  }
  return changed;
}

bool FunctionalBlock::ended() const {
  return std::ranges::none_of(slots_, [](const Slot& slot) { return slot.warp.live != 0; });
}

void FunctionalBlock::watch(bool on) {
  if (on) {
    watch_.watch(slots_.size(), watch_.on());
  } else {
    watch_.stop();
  }
}

bool FunctionalBlock::goes_nowhere() const {
  return std::ranges::all_of(slots_, [this](const Slot& slot) {
    return slot.warp.live == 0 || slot.warp.at_barrier || watch_.circles(slot.warp);
  });
}

void FunctionalBlock::add_running(std::vector<RunningWarp>& warps) const {
  for (const Slot& slot : slots_) {
    if (slot.warp.live != 0 && !slot.warp.at_barrier) warps.push_back({&slot.warp, slot.paths->places(slot.warp)});
  }
}

std::string FunctionalBlock::describe_waiting() const {
  std::string text = barriers_.describe_waiting();
  for (const Slot& slot : slots_) {
    if (!slot.warp.at_barrier) continue;
    for (const Path& place : slot.paths->places(slot.warp)) {
      text += fmt::format("\n  block {} warp {} lanes {:#010x} at {}, an exchange that not all of its lanes reach",
                          slot.warp.context.position.block, slot.warp.context.position.warp, place.lanes,
                          kernel::place_of(image_.program(), place.pc));
    }
  }
  return text;
}

void FunctionalBlock::release(const std::vector<BlockBarriers::Released>& released) {
  for (const BlockBarriers::Released& one : released) slots_[one.warp->slot].paths->release(*one.warp, one.lanes);
}

void FunctionalBlock::run_warp(Slot& slot, InstructionCounts& counts) {
  Warp& warp = slot.warp;
  slot.rounds = 0;
  for (std::uint32_t left = turn_instructions; left != 0 && warp.live != 0 && !warp.at_barrier;) {
    left -= run_lanes(warp, left, counts);
    if (warp.path.pc == warp.path.stop) {
      slot.paths->stop(warp);
    } else if (left != 0) {
      run_control(slot, counts);
      left = slot.rounds == turn_rounds ? 0 : left - 1;
    }
  }
}

std::uint32_t FunctionalBlock::run_lanes(Warp& warp, std::uint32_t most, InstructionCounts& counts) {
  ExecutionContext& context = warp.context;
  const bool seen = watch_.on() || observer_ != nullptr;
  const kernel::Pc first = warp.path.pc;
  const LaneMask active = warp.path.lanes;
  const Step* step = image_.steps() + first;
  const kernel::Instruction* instruction = &image_.instruction(first);
  const std::uint32_t end = std::min(most, warp.path.stop - first);
  std::uint32_t done = 0;
  std::uint64_t threads = 0;
  for (; done != end && step->operation != nullptr; ++done, ++step, ++instruction) {
    const LaneMask lanes = step->guard.pass(context.predicates, active);
    if (seen) {
      warp.path.pc = first + done;
      if (watch_.on()) watch_.look(warp);
      if (observer_ != nullptr) note_issue(warp, lanes);
    }
    threads += count_lanes(lanes);
    ++context.clock;
    if (lanes != 0) step->operation(*instruction, context, lanes);
  }
  warp.path.pc = first + done;
  counts.warp_instructions += done;
  counts.thread_instructions += threads;
  return done;
}

void FunctionalBlock::note_issue(const Warp& warp, LaneMask lanes) {
  observer_->issued({{place_, warp.slot, warp.path.pc}, lanes, false, 0, warp.path.lanes});
}

void FunctionalBlock::note_branch(const Warp& warp, LaneMask taken, const Targets& targets) {
  observer_->branched({{place_, warp.slot, warp.path.pc}, warp.path.lanes, taken, targets});
}

void FunctionalBlock::run_control(Slot& slot, InstructionCounts& counts) {
  Warp& warp = slot.warp;
  ExecutionContext& context = warp.context;
  const kernel::Instruction& instruction = image_.instruction(warp.path.pc);
  if (!slot.paths->enter(warp, instruction)) return;
  const LaneMask lanes = image_.steps()[warp.path.pc].guard.pass(context.predicates, warp.path.lanes);
  if (watch_.on()) watch_.look(warp);
  const LaneMask executing = instruction.opcode == Opcode::bra ? warp.path.lanes : lanes;
  ++counts.warp_instructions;
  ++context.clock;
  counts.thread_instructions += count_lanes(executing);
  if (observer_ != nullptr) note_issue(warp, executing);
  if (const Operation operation = image_.decoded(warp.path.pc).operation; operation != nullptr && lanes != 0) {
    context.active = warp.path.lanes;
    context.live = warp.live;
    if (instruction.operation_class == kernel::OperationClass::warp) require_members(instruction, context, lanes);
    operation(instruction, context, lanes);
  }
  switch (instruction.opcode) {
    case Opcode::bra:
    case Opcode::brx:
    case Opcode::call: {
      const Targets targets(instruction, context.targets);
      if (observer_ != nullptr) note_branch(warp, lanes, targets);
      if (instruction.opcode == Opcode::call) {
        return slot.paths->call(warp, lanes, targets);
      }
      const bool round = rounds_[warp.path.pc];
      slot.paths->branch(warp, instruction, lanes, targets);
      if (!round) return;
      ++slot.rounds;
      return slot.paths->end_round(warp);
    }
    case Opcode::ret:
      return slot.paths->leave(warp, lanes, Targets(instruction, context.targets));
    case Opcode::exit:
      warp.live &= ~lanes;
      slot.paths->exit(warp, lanes);
      if (lanes != 0) release(barriers_.threads_ended());
      return;
    default:
      break;
  }
  ++warp.path.pc;
  const bool barrier = BlockBarriers::is_block_barrier(instruction) && lanes != 0;
  if (barrier && BlockBarriers::waits(instruction)) {
    slot.paths->wait(warp, instruction, lanes);
  } else if (warp.path.pc == warp.path.stop) {
    slot.paths->stop(warp);
  }
  if (barrier) {
    release(barriers_.arrive(warp, instruction, lanes));
  } else if (instruction.opcode == Opcode::bar && lanes != 0) {
    context.live = warp.live;
    require_members(instruction, context, lanes);
  }
}

}  // namespace reconverge
