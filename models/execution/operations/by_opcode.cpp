// SPDX-License-Identifier: Apache-2.0
#include "models/execution/operations/by_opcode.hpp"

#include "models/execution/operations/lanewise.hpp"

namespace reconverge::operations {

namespace {

using kernel::Opcode;

void no_effect(const Instruction& /*instruction*/, ExecutionContext& /*context*/, LaneMask /*lanes*/) {}

/// A fence that other blocks observe.
void order_memory(const Instruction& /*instruction*/, ExecutionContext& context, LaneMask /*lanes*/) {
  context.order_accesses();
}

Operation select_arithmetic(const Instruction& instruction) {
  return kernel::is_float(instruction.type) ? select_float(instruction) : select_integer(instruction);
}

}  // namespace

Operation select_by_opcode(const Instruction& instruction) {
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
      return select_move(instruction);
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
      return select_packed(instruction);
    case Opcode::video:
      return select_video(instruction);
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
      return select_logic(instruction);
    case Opcode::set:
    case Opcode::setp:
    case Opcode::testp:
      return select_compare(instruction);
    case Opcode::cvt:
      return select_convert(instruction);
    case Opcode::cvt_pack:
    case Opcode::cvt_fp8:
      return select_pack_conversion(instruction);
    case Opcode::ld:
    case Opcode::st:
      return select_memory(instruction);
    case Opcode::bulk_copy:
      return select_bulk_copy(instruction);
    case Opcode::tex:
      return select_texture(instruction);
    case Opcode::atom:
    case Opcode::red:
      return select_atomic(instruction);
    case Opcode::mbarrier:
      return select_mbarrier(instruction);
    case Opcode::vote:
    case Opcode::shfl:
    case Opcode::activemask:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::elect:
      return select_warp(instruction);
    case Opcode::mma:
    case Opcode::ldmatrix:
    case Opcode::stmatrix:
    case Opcode::movmatrix:
      return select_matrix(instruction);
    case Opcode::brx:
    case Opcode::call:
    case Opcode::ret:
    case Opcode::trap:
      return select_control(instruction);
    case Opcode::extension:
      return select_extension(instruction);
    case Opcode::host:
      return select_host(instruction);
    default:
      return nullptr;
  }
}

}  // namespace reconverge::operations
