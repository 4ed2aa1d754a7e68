// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The function for an instruction, in two copies of all operations: compiled as the rest of the program, and for
/// AVX-512. CMakeLists.txt makes the second copy from the same sources, in which `select_by_opcode` has the other name.

#include "models/execution/operations/operation.hpp"

namespace reconverge::operations {

/// nullptr if the lanes cannot execute the instruction.
Operation select_by_opcode(const kernel::Instruction& instruction);
Operation select_by_opcode_avx512(const kernel::Instruction& instruction);

}  // namespace reconverge::operations
