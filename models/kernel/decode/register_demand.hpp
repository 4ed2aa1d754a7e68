// SPDX-License-Identifier: Apache-2.0
#pragma once
/// How many registers of the register file a thread needs.

#include <cstdint>

#include "models/kernel/draft.hpp"

namespace reconverge::kernel {

/// 32-bit registers of a thread, on a machine whose arithmetic reads one operand of each instruction from a constant
/// bank that holds the parameters of the kernel: `c[bank][offset]` in the instruction sets of NVIDIA's machines (CUDA
/// Binary Utilities, "Instruction Set Reference"; for parameters, PTX ISA, "Kernel Function Parameters" and the cmem[0]
/// that `ptxas -v` reports). A value that is set once, to such a constant, takes registers only for instructions that
/// need it in a register: for an address, for data of memory and exchanges, or in addition to another constant.
/// Constants are parameters and variables of constant memory at fixed places, and copies of these; immediates,
/// addresses of variables, and arithmetic on only these. At most `register_rows`, the registers of all values.
/// `draft.program.blocks` must be filled.
std::uint32_t registers_needed(const Draft& draft, std::uint32_t register_rows);

}  // namespace reconverge::kernel
