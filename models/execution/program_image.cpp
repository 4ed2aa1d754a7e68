// SPDX-License-Identifier: Apache-2.0
#include "models/execution/program_image.hpp"

#include <algorithm>

#include "models/execution/block_barriers.hpp"
#include "models/execution/module_variables.hpp"
#include "models/execution/operations/members.hpp"

namespace reconverge {

namespace {

using kernel::Bank;
using kernel::Instruction;
using kernel::Opcode;
using kernel::Operand;
using kernel::OperationClass;

class DependencyList {
 public:
  explicit DependencyList(std::uint32_t register_rows) : register_rows_(register_rows) {}

  void write(Operand operand, bool wide) {
    add(operand);
    if (operand.present() && operand.bank() == Bank::reg && wide) note(operand.row() + 1);
  }
  void end_of_destinations() { dependencies_.written = dependencies_.count; }
  void add(Operand operand) {
    if (!operand.present()) return;
    if (operand.bank() == Bank::reg) note(operand.row());
    if (operand.bank() == Bank::predicate) note(register_rows_ + operand.row());
  }
  Dependencies take(std::size_t always_ready) {
    for (std::size_t i = dependencies_.count; i < Dependencies::capacity; ++i) {
      dependencies_.registers[i] = static_cast<std::uint16_t>(always_ready);
    }
    return dependencies_;
  }

 private:
  void note(std::uint32_t number) {
    const auto known = dependencies_.all();
    if (std::find(known.begin(), known.end(), number) != known.end()) return;
    dependencies_.registers.at(dependencies_.count++) = static_cast<std::uint16_t>(number);
  }

  std::uint32_t register_rows_;
  Dependencies dependencies_;
};

void add_rows(Operand operand, bool wide, RowList& rows) {
  if (!operand.present() || operand.bank() != Bank::reg) return;
  rows.push(operand.row());
  if (wide) rows.push(operand.row() + 1);
}

RegisterRows rows_of(const Instruction& instruction) {
  RegisterRows rows;
  for (unsigned i = 0; i < instruction.destination.size(); ++i) {
    add_rows(instruction.destination[i], instruction.wide_destination(i), rows.written);
  }
  for (unsigned i = 0; i < instruction.source.size(); ++i) {
    add_rows(instruction.source[i], instruction.wide_source(i), rows.read);
  }
  return rows;
}

// Both rows of a written pair are recorded: its upper row may have been, or become, a separate register. For a pair
// that is read, the lower row suffices, since the two rows of a pair are always written together.
Dependencies dependencies_of(const kernel::Program& program, const Instruction& instruction) {
  DependencyList list(program.register_rows);
  for (unsigned i = 0; i < instruction.destination.size(); ++i) {
    list.write(instruction.destination[i], instruction.wide_destination(i));
  }
  list.end_of_destinations();
  for (const Operand operand : instruction.source) list.add(operand);
  list.add(instruction.guard);
  if (kernel::uses_registers(program, instruction)) {
    for (const std::uint16_t row : program.extension_registers) list.add(Operand(Bank::reg, row));
  }
  return list.take(program.register_rows + program.predicates);
}

Flow flow_of(const kernel::Program& program, const Instruction& instruction) {
  const bool own = instruction.extension != kernel::no_extension;
  if (own && program.extensions[instruction.extension].told) return Flow::extension;
  switch (instruction.opcode) {
    case Opcode::bra:
      return Flow::branch;
    case Opcode::brx:
      return Flow::indirect;
    case Opcode::call:
      return Flow::call;
    case Opcode::ret:
      return Flow::leave;
    case Opcode::exit:
      return Flow::exit;
    default:
      return BlockBarriers::is_block_barrier(instruction) ? Flow::barrier : Flow::on;
  }
}

std::uint8_t kind_of(const Instruction& instruction) {
  if (instruction.operation_class == OperationClass::alu) return is_float(instruction.type) ? 0 : 1;
  if (instruction.operation_class != OperationClass::matrix) return 0;
  if (instruction.type == kernel::DataType::f64) return 2;
  return instruction.source[1].present() ? 0 : 1;
}

DecodedInstruction decode(const kernel::Program& program, const Instruction& instruction, Operation operation) {
  DecodedInstruction decoded;
  decoded.instruction = &instruction;
  decoded.operation = operation;
  if (instruction.guard.present()) decoded.guard.row = instruction.guard.row();
  if (instruction.guard_negated) decoded.guard.inverted = all_lanes;
  decoded.operation_class = instruction.operation_class;
  decoded.flow = flow_of(program, instruction);
  decoded.memory = instruction.operation_class == OperationClass::load ||
                   instruction.operation_class == OperationClass::store ||
                   instruction.operation_class == OperationClass::atomic;
  decoded.kind = kind_of(instruction);
  decoded.exchange = is_exchange(instruction);
  decoded.asks = decoded.exchange || decoded.flow == Flow::extension || decoded.flow == Flow::barrier;
  decoded.asynchronous = decoded.flow == Flow::extension && program.extensions[instruction.extension].asynchronous;
  decoded.dependencies = dependencies_of(program, instruction);
  decoded.rows = rows_of(instruction);
  return decoded;
}

Step step_of(const DecodedInstruction& decoded) {
  const bool in_lanes =
      decoded.operation_class != OperationClass::control && decoded.operation_class != OperationClass::warp;
  return {in_lanes ? decoded.operation : nullptr, decoded.guard};
}

}  // namespace

ProgramImage::ProgramImage(const kernel::Program& program, DeviceMemory& memory)
    : program_(&program), first_reads_(program), constants_(program.constant_rows) {
  const std::vector<Operation> operations = select_operations(program);
  steps_.reserve(operations.size());
  decoded_.reserve(operations.size());
  for (std::size_t pc = 0; pc < operations.size(); ++pc) {
    decoded_.push_back(decode(program, program.instructions[pc], operations[pc]));
    steps_.push_back(step_of(decoded_.back()));
  }
  for (const kernel::Constant& constant : program.constants) set_constant(constant, constant.bits);
  const std::vector<DeviceAddress> globals = place_variables(program, memory);
  for (const kernel::AddressConstant& address : program.address_constants) {
    set_constant(program.constants[address.constant], address_bits(program, address, globals));
  }
}

void ProgramImage::set_constant(const kernel::Constant& constant, std::uint64_t bits) {
  constants_[constant.row].words.fill(static_cast<std::uint32_t>(bits));
  if (constant.wide) constants_[constant.row + 1].words.fill(static_cast<std::uint32_t>(bits >> 32U));
}

}  // namespace reconverge
