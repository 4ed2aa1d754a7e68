// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/scalar_interpreter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "models/core/error.hpp"
#include "models/core/lane_mask.hpp"
#include "models/execution/module_variables.hpp"

namespace reconverge {

using kernel::BarrierMode;
using kernel::Instruction;
using kernel::Opcode;
using reference::ThreadState;

ScalarCounts ScalarInterpreter::run(const Launch& launch) {
  launch_ = &launch;
  program_ = launch.program;
  constants_.assign(program_->constant_rows, 0);
  for (const kernel::Constant& constant : program_->constants) {
    constants_[constant.row] = static_cast<std::uint32_t>(constant.bits);
    if (constant.wide) constants_[constant.row + 1] = static_cast<std::uint32_t>(constant.bits >> 32);
  }
  ScalarCounts counts;
  const std::vector<DeviceAddress> globals = place_variables(*program_, memory_);
  for (const kernel::AddressConstant& address : program_->address_constants) {
    const kernel::Constant& constant = program_->constants[address.constant];
    const std::uint64_t bits = address_bits(*program_, address, globals);
    constants_[constant.row] = static_cast<std::uint32_t>(bits);
    if (constant.wide) constants_[constant.row + 1] = static_cast<std::uint32_t>(bits >> 32);
  }
  for (std::uint64_t block = 0; block < launch.grid.count(); ++block) {
    run_block(block);
    for (const Thread& thread : threads_) {
      ++counts.threads;
      counts.thread_instructions += thread.instructions;
      counts.per_thread.push_back(thread.instructions);
    }
  }
  return counts;
}

void ScalarInterpreter::run_block(std::uint64_t block) {
  barriers_ = {};
  shared_.assign(program_->shared_bytes + launch_->dynamic_shared_bytes, std::byte{0});
  threads_.clear();
  for (std::uint32_t i = 0; i < launch_->threads_per_block(); ++i) {
    threads_.push_back(reference::start_thread(*launch_, block, i));
  }
  do {
    for (Thread& thread : threads_) {
      if (thread.state == ThreadState::running) advance(thread);
    }
  } while (release_waiting());
  const auto stuck = std::find_if(threads_.begin(), threads_.end(),
                                  [](const Thread& thread) { return thread.state != ThreadState::ended; });
  if (stuck != threads_.end()) fail(*stuck, "deadlock: the thread waits for others that never come");
}

void ScalarInterpreter::advance(Thread& thread) {
  // A thread may wait for a value that another writes, so each runs for a limited number of steps before the others.
  constexpr std::uint64_t turn_steps = 1U << 16;
  for (std::uint64_t turn = 0; thread.state == ThreadState::running && turn != turn_steps; ++turn) {
    const Instruction& instruction = program_->instructions[thread.pc];
    if (++thread.steps > step_limit_) fail(thread, "endless loop");
    const bool warp_barrier =
        instruction.opcode == Opcode::bar && static_cast<BarrierMode>(instruction.variant) == BarrierMode::warp_sync;
    if (reference::between_threads(instruction.opcode) || warp_barrier) {
      thread.state = ThreadState::at_exchange;
      return;
    }
    const bool passes = passes_guard(thread, instruction);
    // The guard of a branch is its condition: the branch is executed in either case.
    if (passes || instruction.opcode == Opcode::bra) ++thread.instructions;
    if (!passes) {
      ++thread.pc;
      continue;
    }
    if (instruction.space == kernel::Space::spawn && instruction.target != kernel::no_pc) {
      spawn(thread, instruction);
      ++thread.pc;
      continue;
    }
    switch (instruction.opcode) {
      case Opcode::bra:
      case Opcode::brx:
      case Opcode::call:
      case Opcode::ret:
        jump(thread, instruction);
        break;
      case Opcode::exit:
        if (thread.child == kernel::no_pc)
          thread.state = ThreadState::ended;
        else
          reference::begin_child(thread);
        break;
      case Opcode::bar:
        arrive(thread, instruction);
        ++thread.pc;
        break;
      case Opcode::trap:
        fail(thread, "trap");
      default:
        execute(thread, instruction);
        ++thread.pc;
        break;
    }
  }
}

void ScalarInterpreter::jump(Thread& thread, const Instruction& instruction) const {
  if (instruction.opcode == Opcode::bra) {
    thread.pc = instruction.target;
    return;
  }
  if (instruction.opcode == Opcode::ret) {
    thread.pc = static_cast<kernel::Pc>(source(thread, instruction, 0));
    return;
  }
  if (instruction.opcode == Opcode::call) {
    const std::uint64_t pointer = source(thread, instruction, 0);
    write_destination(thread, instruction, 0, thread.pc + 1);
    thread.pc = instruction.target != kernel::no_pc ? instruction.target : function_behind(thread, pointer);
    return;
  }
  const auto& table = program_->branch_tables[instruction.target];
  const std::uint64_t index = source(thread, instruction, 0);
  if (index >= table.size()) fail(thread, "index beyond the branch table");
  thread.pc = table[index];
}

void ScalarInterpreter::spawn(Thread& thread, const Instruction& instruction) const {
  if (thread.child != kernel::no_pc) fail(thread, "the thread has spawned already: it may do so once");
  thread.child = instruction.target;
  thread.child_state = static_cast<std::uint32_t>(source(thread, instruction, 1));
}

kernel::Pc ScalarInterpreter::function_behind(const Thread& thread, std::uint64_t pointer) const {
  for (std::size_t i = 1; i < program_->functions.size(); ++i) {
    if (program_->functions[i].address == pointer) return program_->functions[i].first;
  }
  fail(thread, fmt::format("call of {:#x}, which is no function", pointer));
}

bool ScalarInterpreter::release_waiting() {
  const bool running = std::any_of(threads_.begin(), threads_.end(),
                                   [](const Thread& thread) { return thread.state == ThreadState::running; });
  bool moves = release_barriers() || running;
  const auto each_warp = [&](bool stranded) {
    for (std::size_t first = 0; first < threads_.size(); first += warp_size) {
      moves |= run_exchange(first, std::min<std::size_t>(first + warp_size, threads_.size()), stranded);
    }
  };
  each_warp(false);
  // If no other thread can continue, exchanges that name no members are between the threads that are present.
  if (!moves) each_warp(true);
  return moves;
}

bool ScalarInterpreter::passes_guard(const Thread& thread, const Instruction& instruction) const {
  return !instruction.guard.present() || thread.predicates[instruction.guard.row()] != instruction.guard_negated;
}

std::uint64_t ScalarInterpreter::read(const Thread& thread, kernel::Operand operand, bool wide) const {
  if (!operand.present()) return 0;
  const unsigned row = operand.row();
  switch (operand.bank()) {
    case kernel::Bank::predicate:
      return thread.predicates[row] ? 1 : 0;
    case kernel::Bank::special:
      return thread.special[row];
    case kernel::Bank::reg:
      return thread.words[row] | (wide ? std::uint64_t{thread.words[row + 1]} << 32 : 0);
    default:
      return constants_[row] | (wide ? std::uint64_t{constants_[row + 1]} << 32 : 0);
  }
}

std::uint64_t ScalarInterpreter::source(const Thread& thread, const Instruction& instruction, unsigned index) const {
  const kernel::Operand operand = instruction.source[index];
  const std::uint64_t value = read(thread, operand, instruction.wide_source(index));
  const bool inverted = (instruction.negated_sources >> index & 1U) != 0;
  return inverted ? value ^ 1U : value;
}

reference::Sources ScalarInterpreter::sources(const Thread& thread, const Instruction& instruction) const {
  reference::Sources values{};
  for (unsigned i = 0; i < values.size(); ++i) values[i] = source(thread, instruction, i);
  return values;
}

void ScalarInterpreter::write(Thread& thread, kernel::Operand operand, bool wide, std::uint64_t value) {
  if (!operand.present()) return;
  if (operand.bank() == kernel::Bank::predicate) {
    thread.predicates[operand.row()] = (value & 1U) != 0;
    return;
  }
  thread.words[operand.row()] = static_cast<std::uint32_t>(value);
  if (wide) thread.words[operand.row() + 1] = static_cast<std::uint32_t>(value >> 32);
}

void ScalarInterpreter::write_destination(Thread& thread, const Instruction& instruction, unsigned index,
                                          std::uint64_t value) {
  write(thread, instruction.destination[index], instruction.wide_destination(index), value);
}

void ScalarInterpreter::fail(const Thread& thread, const std::string& what) const {
  const auto at = [&](kernel::SpecialRow row) { return thread.special[static_cast<std::size_t>(row)]; };
  using kernel::SpecialRow;
  throw ExecutionError(fmt::format("{}: {} in kernel '{}' (block {} {} {}, thread {} {} {})",
                                   kernel::place_of(*program_, thread.pc), what, program_->name,
                                   at(SpecialRow::ctaid_x), at(SpecialRow::ctaid_y), at(SpecialRow::ctaid_z),
                                   at(SpecialRow::tid_x), at(SpecialRow::tid_y), at(SpecialRow::tid_z)));
}

namespace reference {

void unknown_instruction(const Instruction& instruction) {
  throw InputError(
      {{}, instruction.line, 0},
      fmt::format("the scalar interpreter does not know this form of '{}'", kernel::name_of(instruction.opcode)),
      "see testbenches/reference");
}

}  // namespace reference

}  // namespace reconverge
