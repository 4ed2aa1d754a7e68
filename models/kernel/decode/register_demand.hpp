// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The number of registers of the register file that a thread needs.

#include <cstdint>

#include "models/kernel/draft.hpp"

namespace reconverge::kernel {

/// 32-bit registers of a thread, on a machine whose arithmetic instructions can read one operand from a constant bank.
/// The bank contains the kernel's parameters: `c[bank][offset]` in the instruction sets of NVIDIA's machines (CUDA
/// Binary Utilities, "Instruction Set Reference"; for parameters, PTX ISA, "Kernel Function Parameters" and the cmem[0]
/// that `ptxas -v` reports). A value that is set once, to such a constant, needs registers only for instructions that
/// require it in a register: as an address, as data of memory accesses and exchanges, or in addition to another
/// constant. Constants are parameters and variables of constant memory at fixed locations, and copies of these;
/// immediates; addresses of variables; and arithmetic on only these. The result is at most `register_rows`, the
/// registers of all values. `draft.program.blocks` must be filled.
std::uint32_t registers_needed(const Draft& draft, std::uint32_t register_rows);

}  // namespace reconverge::kernel
