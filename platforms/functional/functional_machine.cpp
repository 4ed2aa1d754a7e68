#include "platforms/functional/functional_machine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"
#include "models/execution/operations/members.hpp"

namespace reconverge {

using kernel::Opcode;

namespace {

// Warps may wait for what others of their block write, so none runs on for ever while the others stand.
constexpr std::uint32_t turn_instructions = 1U << 16;
constexpr std::uint64_t instructions_between_questions = turn_instructions;
// Rounds in which nothing happens, before somebody looks why.
constexpr std::uint32_t patience = 16;

/// Without the scheme nobody does what such an instruction is for.
void check_extensions(const kernel::Program& program) {
  for (const kernel::Instruction& instruction : program.instructions) {
    if (instruction.opcode != Opcode::extension) continue;  // loads and stores are what they are anywhere
    const kernel::ExtensionInstruction& extension = program.extensions[instruction.extension];
    if (extension.value != nullptr) continue;
    throw InputError({program.file, instruction.line, 0},
                     fmt::format("'{}' needs its scheme, and this machine has none", extension.mnemonic),
                     "run the kernel on a GPU that has it");
  }
}

}  // namespace

bool FunctionalMachine::run(const Launch& launch, const KeepGoing& keep_going) {
  keep_going_ = keep_going ? &keep_going : nullptr;
  next_question_ = instructions_between_questions;
  check_extensions(*launch.program);
  const ProgramImage& image = images_.try_emplace(launch.program, *launch.program, memory_).first->second;
  const std::uint32_t warps = launch.warps_per_block();
  registers_.assign(std::size_t{warps} * launch.program->register_rows, Row{});
  slots_.assign(warps, Slot{});
  for (std::uint32_t i = 0; i < warps; ++i) slots_[i].warp.slot = i;
  setup_.begin(launch, image, memory_, {reinterpret_cast<std::byte*>(registers_.data()), 0, 1, 0}, warps, 1);
  for (Slot& slot : slots_) setup_.attach(slot.warp);

  InstructionCounts counts;
  try {
    for (std::uint64_t block = 0; block < launch.grid.count(); ++block) {
      start_block(launch, block);
      run_block(launch, image, counts);
    }
  } catch (const Stopped&) {
    return false;
  }
  instructions_ += counts;
  return true;
}

void FunctionalMachine::ask(const InstructionCounts& counts) {
  if (counts.warp_instructions < next_question_) return;
  next_question_ = counts.warp_instructions + instructions_between_questions;
  if (!(*keep_going_)({})) throw Stopped{};
}

void FunctionalMachine::run_block(const Launch& launch, const ProgramImage& image, InstructionCounts& counts) {
  watch_.stop();
  std::uint32_t idle_rounds = 0;
  // Each round takes every warp to its next barrier, to its end, or to the end of its turn.
  for (bool moved = true; moved;) {
    moved = false;
    bool changed = false;
    for (Slot& slot : slots_) {
      if (slot.warp.live == 0 || slot.waiting) continue;
      const LaneMask live = slot.warp.live;
      run_warp(image, slot, counts);
      if (keep_going_ != nullptr) ask(counts);
      moved = true;
      changed |= take_change(slot.warp) || slot.waiting || slot.warp.live != live;
    }
    idle_rounds = changed ? 0 : idle_rounds + 1;
    if (changed) watch_.stop();
    if (moved && idle_rounds >= patience) look_for_circles(launch);
  }
  if (std::any_of(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.warp.live != 0; })) {
    report_deadlock(launch);
  }
}

void FunctionalMachine::look_for_circles(const Launch& launch) {
  const bool all = std::all_of(slots_.begin(), slots_.end(), [&](const Slot& slot) {
    return slot.warp.live == 0 || slot.waiting || watch_.circles(slot.warp);
  });
  if (!all) return watch_.watch(slots_.size(), watch_.on());
  std::vector<const Warp*> warps;
  for (const Slot& slot : slots_) {
    if (slot.warp.live != 0 && !slot.waiting) warps.push_back(&slot.warp);
  }
  throw ExecutionError(describe_livelock(*launch.program, warps) + barriers_.describe_waiting());
}

void FunctionalMachine::start_block(const Launch& launch, std::uint64_t block) {
  setup_.clear_shared(0);
  std::uint32_t thread = 0;
  std::vector<Warp*> warps;
  for (Slot& slot : slots_) {
    warps.push_back(&slot.warp);
    slot.waiting = false;
    slot.warp.context.position = {static_cast<std::uint32_t>(block), slot.warp.slot};
    LaneMask lanes = 0;
    for (unsigned lane = 0; lane < warp_size && thread < launch.threads_per_block(); ++lane, ++thread) {
      setup_.set_thread(slot.warp, lane, block, thread);
      lanes |= lane_bit(lane);
    }
    slot.warp.path = slot.stack.start(lanes, 0);
    slot.warp.live = lanes;
  }
  barriers_.begin(std::move(warps));
}

void FunctionalMachine::release(const std::vector<BlockBarriers::Released>& released) {
  for (const BlockBarriers::Released& one : released) slots_[one.warp->slot].waiting = false;
}

void FunctionalMachine::report_deadlock(const Launch& launch) const {
  throw ExecutionError(fmt::format("kernel '{}' is in a deadlock: no warp can move{}", launch.program->name,
                                   barriers_.describe_waiting()));
}

void FunctionalMachine::run_warp(const ProgramImage& image, Slot& slot, InstructionCounts& counts) {
  Warp& warp = slot.warp;
  for (std::uint32_t left = turn_instructions; left != 0 && warp.live != 0 && !slot.waiting;) {
    left -= run_lanes(image, warp, left, counts);
    if (warp.path.pc == warp.path.stop) {
      slot.stack.reconverge(warp.path);
    } else if (left != 0) {
      run_control(image, slot, counts);
      --left;
    }
  }
}

std::uint32_t FunctionalMachine::run_lanes(const ProgramImage& image, Warp& warp, std::uint32_t most,
                                           InstructionCounts& counts) {
  ExecutionContext& context = warp.context;
  const bool watching = watch_.on();
  const kernel::Pc first = warp.path.pc;
  const LaneMask active = warp.path.lanes;
  const Step* step = image.steps() + first;
  const kernel::Instruction* instruction = &image.instruction(first);
  const std::uint32_t end = std::min(most, warp.path.stop - first);
  std::uint32_t done = 0;
  std::uint64_t threads = 0;
  for (; done != end && step->operation != nullptr; ++done, ++step, ++instruction) {
    if (watching) {
      warp.path.pc = first + done;
      watch_.look(warp);
    }
    const LaneMask lanes = step->guard.pass(context.predicates, active);
    threads += count_lanes(lanes);
    if (lanes != 0) step->operation(*instruction, context, lanes);
  }
  warp.path.pc = first + done;
  counts.warp_instructions += done;
  counts.thread_instructions += threads;
  return done;
}

void FunctionalMachine::run_control(const ProgramImage& image, Slot& slot, InstructionCounts& counts) {
  Warp& warp = slot.warp;
  ExecutionContext& context = warp.context;
  const kernel::Instruction& instruction = image.instruction(warp.path.pc);
  const LaneMask lanes = image.steps()[warp.path.pc].guard.pass(context.predicates, warp.path.lanes);
  if (watch_.on()) watch_.look(warp);
  ++counts.warp_instructions;
  counts.thread_instructions += count_lanes(instruction.opcode == Opcode::bra ? warp.path.lanes : lanes);
  if (const Operation operation = image.decoded(warp.path.pc).operation; operation != nullptr && lanes != 0) {
    context.active = warp.path.lanes;
    context.live = warp.live;
    if (instruction.operation_class == kernel::OperationClass::warp) require_members(instruction, context, lanes);
    operation(instruction, context, lanes);
  }
  switch (instruction.opcode) {
    case Opcode::bra:
    case Opcode::brx:
      if (observer_) observer_(warp.path.pc, warp.path.lanes, lanes);
      slot.stack.branch(warp.path, instruction, lanes, Targets(instruction, context.targets));
      return;
    case Opcode::call:
      slot.stack.call(warp.path, lanes, Targets(instruction, context.targets));
      return;
    case Opcode::ret:
      slot.stack.leave(warp.path, lanes);
      return;
    case Opcode::exit:
      warp.live &= ~lanes;
      slot.stack.exit(warp.path, lanes);
      if (lanes != 0) release(barriers_.threads_ended());
      return;
    default:
      break;
  }
  if (++warp.path.pc == warp.path.stop) slot.stack.reconverge(warp.path);
  if (instruction.opcode != Opcode::bar || lanes == 0) return;
  context.live = warp.live;
  if (!BlockBarriers::is_block_barrier(instruction)) {
    require_members(instruction, context, lanes);
    return;
  }
  if (BlockBarriers::waits(instruction)) {
    require_whole_warp(warp, instruction, lanes);
    slot.waiting = true;
  }
  release(barriers_.arrive(warp, instruction, lanes));
}

}  // namespace reconverge
