// SPDX-License-Identifier: Apache-2.0
#pragma once
/// mma and wmma, as steps that one pipe executes. A step multiplies 16 (or 8) rows of A by 8 columns of B, with a depth
/// of 128 bits of a row, and adds C: m16n8k8 of f16, m16n8k16 of 8 bits, m8n8k4 of f64. This equals one operation of
/// Turing's tensor cores (HMMA.1688, or two of IMMA.8816); deeper and wider shapes consist of several steps.
///
/// Fragments of mma have the register layout of the PTX ISA. For wmma, the PTX ISA specifies no layout; the layout here
/// is the one that the steps need, and surplus registers of f16 fragments with 8 registers repeat the others.

#include <vector>

#include "models/kernel/decode/lowering.hpp"

namespace reconverge::kernel {

/// mma, wmma.mma, wmma.load and wmma.store. `work` has its modifiers and its guard; the result is in program order.
/// Throws InputError for fragments whose size does not match the shape.
std::vector<Work> lower_matrix(const SyntaxInstruction& syntax, const Work& work, OperandBinder& binder);

/// The part of a matrix in one register of a fragment. Lane 4 g + t has the elements of line `outer` + g from `inner` +
/// t * (elements per register) on. Lines run along k; for accumulators, along the dimension of their two elements.
struct FragmentPlace {
  unsigned outer = 0;
  unsigned inner = 0;
};

/// The layout of a matrix in a wmma fragment.
struct FragmentShape {
  std::vector<FragmentPlace> places;  ///< by register
  DataType type = DataType::b32;      ///< of a register
  unsigned bits = 16;                 ///< of an element
  unsigned elements = 2;              ///< in a register
  unsigned spread = 2;                ///< elements of a line from one lane to the next
  bool lines_in_memory = true;        ///< a line is contiguous in memory; otherwise its elements are a stride apart
  unsigned stride = 16;               ///< in elements, if none is written
  std::size_t registers = 0;          ///< number of registers in the PTX text of the fragment
};

/// The loads (or stores) of a fragment: one access for each of a lane's elements.
std::vector<Work> move_fragment(const FragmentShape& shape, const SyntaxInstruction& syntax, const Work& work,
                                OperandBinder& binder, bool is_load);

/// The registers in braces. Throws InputError if there are not `count`.
std::vector<SyntaxOperand> fragment(const SyntaxOperand& operand, std::size_t count, const OperandBinder& binder);

}  // namespace reconverge::kernel
