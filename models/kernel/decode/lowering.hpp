// SPDX-License-Identifier: Apache-2.0
#pragma once
/// PTX instructions that become a different operation, or several operations.

#include <vector>

#include "models/kernel/decode/operand_binder.hpp"

namespace reconverge::kernel {

// `work` has its modifiers and its guard, but no operands; the result is in program order. All functions throw
// InputError for operands that do not fit.

/// mov: a copy, pack, unpack, read_special, or a cvt of a one-row special register to 64 bits.
std::vector<Work> lower_mov(const SyntaxInstruction& syntax, Work work, OperandBinder& binder);

/// Changes the destination of `read`, an operation for the mov `syntax`, to a new value, and returns the mov that
/// copies it to the written register under the guard.
Work postponed_write(const SyntaxInstruction& syntax, InstructionValues& read, OperandBinder& binder);

/// cvt, with intermediate steps if it reads or writes a narrow type in a 64-bit register: the lanes convert between
/// whole rows and whole pairs of rows.
std::vector<Work> lower_cvt(const SyntaxInstruction& syntax, Work work, OperandBinder& binder);

/// cp.async, as a load from global memory and a store to shared memory.
std::vector<Work> lower_copy(const SyntaxInstruction& syntax, const Work& work, OperandBinder& binder);

/// cp.async.bulk: the copy, and the mbarrier.complete_tx that waits for its bytes.
std::vector<Work> lower_bulk_copy(const SyntaxInstruction& syntax, const Work& work, OperandBinder& binder);

/// and, or, xor of a predicate with a constant, as the simpler operation; empty if it is none of these.
std::vector<Work> lower_predicate_constant(const SyntaxInstruction& syntax, Work work, OperandBinder& binder);

/// ld_param, with its operands, of a narrow type into 64-bit registers: the load, and a cvt for each part.
std::vector<Work> lower_parameter_load(Work work, OperandBinder& binder);

}  // namespace reconverge::kernel
