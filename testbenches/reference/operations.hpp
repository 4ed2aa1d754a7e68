// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The result of each instruction for one thread, after the PTX ISA manual: source bits in, result bits out. Nothing
/// here depends on warps, masks or rows.

#include <array>
#include <cstdint>
#include <map>

#include "models/kernel/program.hpp"

namespace reconverge::reference {

/// Source operands, in the order of `Instruction::source`. Predicates are 0 or 1, with negation applied.
using Sources = std::array<std::uint64_t, 7>;

/// Arithmetic on integers: add sub mul mad div rem abs neg min max mul24 mad24 sad dp4a dp2a.
std::uint64_t integer_result(const kernel::Instruction& instruction, const Sources& source);

/// The condition code of add, sub or mad: the carry of a sum; for a difference, whether there is no borrow.
bool carry_out(const kernel::Instruction& instruction, const Sources& source);

/// Scalar video instructions.
std::uint64_t video_result(const kernel::Instruction& instruction, const Sources& source);

/// Logic and bits: and or xor not cnot shl shr popc clz brev bfe bfi bfind prmt lop3 shf bmsk szext fns. `type` may be
/// pred.
std::uint64_t logic_result(const kernel::Instruction& instruction, const Sources& source);

/// Arithmetic on floats and pairs of them, and testp. Approximate operations give the correctly rounded result; NaNs
/// made by an operation are canonical.
std::uint64_t float_result(const kernel::Instruction& instruction, const Sources& source);

/// cvt. The result is extended to 64 bits according to the signedness of the destination's type.
std::uint64_t converted(const kernel::Instruction& instruction, const Sources& source);

/// cvt.pack, and conversions of pairs of 8-bit floats.
std::uint64_t pack_converted(const kernel::Instruction& instruction, const Sources& source);

/// setp and set: whether a compares to b, without the further predicate; for pairs, the low halves.
bool compares(const kernel::Instruction& instruction, kernel::DataType type, std::uint64_t a, std::uint64_t b);

/// slct: whether c >= 0.
bool selects_first(const kernel::Instruction& instruction, std::uint64_t c);

/// The value that an atomic operation stores in shared or global memory. `b` and `c` as in atom.cas d, [a], b, c.
std::uint64_t atomic_result(const kernel::Instruction& instruction, bool shared, std::uint64_t memory, std::uint64_t b,
                            std::uint64_t c);

/// Warp operations: operations that need values of other threads.
bool between_threads(kernel::Opcode opcode);
/// Among these, mma and the instructions that move its fragments.
bool takes_matrices(kernel::Opcode opcode);

/// The inputs of one operation from the threads of a warp: the value of source[0], by lane, of the lanes that take
/// part.
using WarpValues = std::map<unsigned, std::uint64_t>;

struct WarpResult {
  std::uint64_t value = 0;
  bool predicate = false;  ///< of destination[1]
};

/// match, redux, elect: the result for the thread in `lane`.
WarpResult warp_result(const kernel::Instruction& instruction, const WarpValues& values, unsigned lane);

/// Throws InputError: the interpreter does not support the instruction.
[[noreturn]] void unknown_instruction(const kernel::Instruction& instruction);

}  // namespace reconverge::reference
