// SPDX-License-Identifier: Apache-2.0
#include "models/execution/operations/operation.hpp"

#include <fmt/format.h>

#include "models/core/error.hpp"
#include "models/execution/operations/lanewise.hpp"

namespace reconverge {

namespace {

using kernel::Instruction;
using kernel::Opcode;

void no_effect(const Instruction& /*instruction*/, ExecutionContext& /*context*/, LaneMask /*lanes*/) {}

/// A fence that other blocks observe.
void order_memory(const Instruction& /*instruction*/, ExecutionContext& context, LaneMask /*lanes*/) {
  context.order_accesses();
}

Operation select_arithmetic(const Instruction& instruction) {
  return kernel::is_float(instruction.type) ? operations::select_float(instruction)
                                            : operations::select_integer(instruction);
}

Operation select_known(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::nop:
      return &no_effect;
    case Opcode::membar:
      return instruction.variant == 0 ? &no_effect : &order_memory;  // 0: for threads of the block, or for a proxy
    case Opcode::mov:
    case Opcode::selp:
    case Opcode::slct:
    case Opcode::pack:
    case Opcode::unpack:
    case Opcode::cvta:
    case Opcode::isspacep:
    case Opcode::ld_param:
    case Opcode::read_special:
      return operations::select_move(instruction);
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::fma:
    case Opcode::div:
    case Opcode::rem:
    case Opcode::abs:
    case Opcode::neg:
    case Opcode::min:
    case Opcode::max:
    case Opcode::mul24:
    case Opcode::mad24:
    case Opcode::sad:
    case Opcode::rcp:
    case Opcode::sqrt:
    case Opcode::rsqrt:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::ex2:
    case Opcode::lg2:
    case Opcode::tanh:
    case Opcode::copysign:
      return select_arithmetic(instruction);
    case Opcode::dp4a:
    case Opcode::dp2a:
      return operations::select_packed(instruction);
    case Opcode::video:
      return operations::select_video(instruction);
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_:
    case Opcode::cnot:
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::popc:
    case Opcode::clz:
    case Opcode::brev:
    case Opcode::bfe:
    case Opcode::bfi:
    case Opcode::bfind:
    case Opcode::prmt:
    case Opcode::lop3:
    case Opcode::shf:
    case Opcode::bmsk:
    case Opcode::szext:
    case Opcode::fns:
      return operations::select_logic(instruction);
    case Opcode::set:
    case Opcode::setp:
    case Opcode::testp:
      return operations::select_compare(instruction);
    case Opcode::cvt:
      return operations::select_convert(instruction);
    case Opcode::cvt_pack:
    case Opcode::cvt_fp8:
      return operations::select_pack_conversion(instruction);
    case Opcode::ld:
    case Opcode::st:
      return operations::select_memory(instruction);
    case Opcode::bulk_copy:
      return operations::select_bulk_copy(instruction);
    case Opcode::tex:
      return operations::select_texture(instruction);
    case Opcode::atom:
    case Opcode::red:
      return operations::select_atomic(instruction);
    case Opcode::mbarrier:
      return operations::select_mbarrier(instruction);
    case Opcode::vote:
    case Opcode::shfl:
    case Opcode::activemask:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::elect:
      return operations::select_warp(instruction);
    case Opcode::mma:
    case Opcode::ldmatrix:
    case Opcode::stmatrix:
    case Opcode::movmatrix:
      return operations::select_matrix(instruction);
    case Opcode::brx:
    case Opcode::call:
    case Opcode::ret:
    case Opcode::trap:
      return operations::select_control(instruction);
    case Opcode::extension:
      return operations::select_extension(instruction);
    case Opcode::host:
      return operations::select_host(instruction);
    default:
      return nullptr;
  }
}

/// Instructions that act on the warp, not on its lanes.
bool without_function(const kernel::Program& program, const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::bra:
    case Opcode::exit:
    case Opcode::bar:
      return true;
    case Opcode::extension:
      return !program.extensions[instruction.extension].has_value();
    default:
      return false;
  }
}

}  // namespace

Operation select_operation(const kernel::Program& program, const Instruction& instruction) {
  if (without_function(program, instruction)) return nullptr;
  if (Operation operation = select_known(instruction)) return operation;
  const auto pc = static_cast<std::size_t>(&instruction - program.instructions.data());
  throw InputError({program.file, instruction.line, 0}, fmt::format("the lanes cannot execute '{}'", program.text[pc]),
                   "see the table of supported instructions in models/kernel/README.md");
}

std::string thread_name(const ExecutionContext& context, unsigned lane) {
  ThreadPosition position = context.position;
  if (context.names != nullptr) {
    const std::uint32_t thread = context.names->threads[lane] % context.names->block_threads;
    position = {context.names->threads[lane] / context.names->block_threads, thread / warp_size};
    lane = thread % warp_size;
  }
  return fmt::format("block {}, warp {}, lane {}", position.block, position.warp, lane);
}

std::vector<Operation> select_operations(const kernel::Program& program) {
  std::vector<Operation> operations;
  operations.reserve(program.instructions.size());
  for (const Instruction& instruction : program.instructions)
    operations.push_back(select_operation(program, instruction));
  return operations;
}

}  // namespace reconverge
