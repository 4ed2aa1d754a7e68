#include "platforms/functional/functional_machine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"

namespace reconverge {

using kernel::Opcode;

namespace {

[[noreturn]] void trap(const Warp& warp, const kernel::Instruction& instruction) {
  const auto& program = *warp.context.program;
  throw ExecutionError(fmt::format("{}:{}: trap in kernel '{}' (block {}, warp {})", program.file, instruction.line,
                                   program.name, warp.context.position.block, warp.context.position.warp));
}

}  // namespace

FunctionalCounts FunctionalMachine::run(const Launch& launch) {
  const ProgramImage& image = images_.try_emplace(launch.program, *launch.program, memory_).first->second;
  const std::uint32_t warps = launch.warps_per_block();
  registers_.assign(std::size_t{warps} * launch.program->register_rows, Row{});
  slots_.assign(warps, Slot{});
  for (std::uint32_t i = 0; i < warps; ++i) slots_[i].warp.slot = i;
  setup_.begin(launch, image, memory_, {reinterpret_cast<std::byte*>(registers_.data()), 0, 1, 0}, warps, 1);
  for (Slot& slot : slots_) setup_.attach(slot.warp);

  FunctionalCounts counts;
  for (std::uint64_t block = 0; block < launch.grid.count(); ++block) {
    start_block(launch, block);
    // Each round takes every warp to its next barrier, or to its end.
    for (bool running = true; running;) {
      running = false;
      for (Slot& slot : slots_) {
        if (slot.warp.live == 0) continue;
        run_warp(image, slot, counts);
        running = running || slot.warp.live != 0;
      }
    }
  }
  return counts;
}

void FunctionalMachine::start_block(const Launch& launch, std::uint64_t block) {
  setup_.clear_shared(0);
  std::uint32_t thread = 0;
  for (Slot& slot : slots_) {
    slot.warp.context.position = {static_cast<std::uint32_t>(block), slot.warp.slot};
    LaneMask lanes = 0;
    for (unsigned lane = 0; lane < warp_size && thread < launch.threads_per_block(); ++lane, ++thread) {
      setup_.set_thread(slot.warp, lane, block, thread);
      lanes |= lane_bit(lane);
    }
    slot.stack.start(slot.warp, lanes, 0);
  }
}

void FunctionalMachine::run_warp(const ProgramImage& image, Slot& slot, FunctionalCounts& counts) {
  Warp& warp = slot.warp;
  ExecutionContext& context = warp.context;
  while (warp.live != 0) {
    const kernel::Instruction& instruction = image.instruction(warp.pc);
    const LaneMask lanes = guarded_lanes(instruction, context, warp.active);
    ++counts.warp_instructions;
    counts.thread_instructions += count_lanes(instruction.opcode == Opcode::bra ? warp.active : lanes);
    if (const Operation operation = image.operation(warp.pc)) {
      if (lanes != 0) {
        context.active = warp.active;
        operation(instruction, context, lanes);
      }
    } else {
      switch (instruction.opcode) {
        case Opcode::bra:
          if (observer_) observer_(warp.pc, warp.active, lanes);
          slot.stack.branch(warp, instruction, lanes);
          continue;
        case Opcode::exit:
        case Opcode::ret:
          slot.stack.exit(warp, lanes);
          continue;
        case Opcode::trap:
          if (lanes != 0) trap(warp, instruction);
          break;
        default:
          break;
      }
    }
    if (++warp.pc == warp.reconvergence) slot.stack.reconverge(warp);
    const bool warp_only = static_cast<kernel::BarrierMode>(instruction.variant) == kernel::BarrierMode::warp_sync;
    if (instruction.opcode == Opcode::bar && !warp_only && lanes != 0) return;
  }
}

}  // namespace reconverge
