// SPDX-License-Identifier: Apache-2.0
// match, redux and elect, from the list of threads that take part.

#include <algorithm>

#include "testbenches/reference/bits.hpp"
#include "testbenches/reference/operations.hpp"

namespace reconverge::reference {

namespace {

using kernel::AtomicOperation;
using kernel::Instruction;
using kernel::MatchMode;
using kernel::Opcode;

WarpResult matched(const Instruction& instruction, const WarpValues& values, unsigned lane) {
  const std::uint64_t own = values.at(lane);
  std::uint64_t same = 0;
  for (const auto& [other, value] : values) same |= std::uint64_t{value == own} << other;
  if (static_cast<MatchMode>(instruction.variant) == MatchMode::any) return {same, false};
  const bool all = std::all_of(values.begin(), values.end(), [&](const auto& one) { return one.second == own; });
  return {all ? same : 0, all};
}

std::uint64_t reduced(const Instruction& instruction, const WarpValues& values) {
  const unsigned width = width_of(instruction.type);
  const auto number = [&](std::uint64_t bits) {
    return kernel::is_signed(instruction.type) ? signed_value(bits, width)
                                               : static_cast<std::int64_t>(low_bits(bits, width));
  };
  std::int64_t result = number(values.begin()->second);
  for (auto one = std::next(values.begin()); one != values.end(); ++one) {
    const std::int64_t value = number(one->second);
    switch (instruction.atomic) {
      case AtomicOperation::add:
        result += value;
        break;
      case AtomicOperation::min:
        result = std::min(result, value);
        break;
      case AtomicOperation::max:
        result = std::max(result, value);
        break;
      case AtomicOperation::and_:
        result &= value;
        break;
      case AtomicOperation::or_:
        result |= value;
        break;
      case AtomicOperation::xor_:
        result ^= value;
        break;
      default:
        unknown_instruction(instruction);
    }
  }
  return low_bits(static_cast<std::uint64_t>(result), width);
}

}  // namespace

bool between_threads(Opcode opcode) {
  return opcode == Opcode::vote || opcode == Opcode::shfl || opcode == Opcode::match || opcode == Opcode::redux ||
         opcode == Opcode::elect || takes_matrices(opcode);
}

bool takes_matrices(Opcode opcode) {
  return opcode == Opcode::mma || opcode == Opcode::ldmatrix || opcode == Opcode::stmatrix ||
         opcode == Opcode::movmatrix;
}

WarpResult warp_result(const Instruction& instruction, const WarpValues& values, unsigned lane) {
  switch (instruction.opcode) {
    case Opcode::match:
      return matched(instruction, values, lane);
    case Opcode::redux:
      return {reduced(instruction, values), false};
    case Opcode::elect: {
      const unsigned leader = values.begin()->first;
      return {leader, lane == leader};
    }
    default:
      unknown_instruction(instruction);
  }
}

}  // namespace reconverge::reference
