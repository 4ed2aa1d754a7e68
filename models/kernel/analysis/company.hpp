// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Operations whose result or progress depends on the other lanes that are present.

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// Votes, shuffles, matches, reductions, elections, activemask, matrices.
inline bool asks_for_lanes(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::vote:
    case Opcode::shfl:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::elect:
    case Opcode::activemask:
    case Opcode::mma:
    case Opcode::ldmatrix:
    case Opcode::stmatrix:
    case Opcode::movmatrix:
      return true;
    default:
      return false;
  }
}

/// The forms without a member mask among these: they apply to the lanes that are present.
inline bool asks_who_is_there(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::activemask:
      return true;
    case Opcode::vote:
      return !instruction.source[1].present();
    case Opcode::shfl:
      return !instruction.source[3].present();
    default:
      return false;
  }
}

/// Barriers, and operations that name the lanes that must arrive.
inline bool waits_for_lanes(const Instruction& instruction) {
  return instruction.opcode == Opcode::bar || (asks_for_lanes(instruction) && !asks_who_is_there(instruction));
}

/// Accesses that must be visible to other threads, or must observe accesses of other threads.
inline bool is_volatile(const Instruction& instruction) {
  return (instruction.opcode == Opcode::ld || instruction.opcode == Opcode::st) &&
         static_cast<CacheOperator>(instruction.variant) == CacheOperator::volatile_;
}

/// Loads that may read what another thread writes concurrently: the loads among the strong operations of the PTX memory
/// model.
inline bool is_strong_load(const Instruction& instruction) {
  if (instruction.opcode != Opcode::ld) return false;
  switch (static_cast<CacheOperator>(instruction.variant)) {
    case CacheOperator::volatile_:
    case CacheOperator::relaxed:
    case CacheOperator::acquire:
    case CacheOperator::mmio:
      return true;
    default:
      return false;
  }
}

/// Operations through which lanes observe each other: all of the above, and accesses of shared memory.
inline bool needs_company(const Instruction& instruction) {
  return asks_for_lanes(instruction) || instruction.opcode == Opcode::bar || instruction.opcode == Opcode::mbarrier ||
         instruction.space == Space::shared || instruction.opcode == Opcode::bulk_copy || is_volatile(instruction);
}

}  // namespace reconverge::kernel
