// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Converts the syntax tree to operations: looks up names, checks types, and puts immediates and addresses into
/// constants.

#include <span>

#include "models/kernel/decode/matcher.hpp"
#include "models/kernel/decode/symbols.hpp"
#include "models/kernel/draft.hpp"
#include "models/kernel/extension.hpp"
#include "models/kernel/syntax/syntax.hpp"

namespace reconverge::kernel {

/// Decodes the entry `function` of `module`. Each PTX instruction becomes one operation, but for these cases:
/// - cvt and ld.param between registers of 64 bits and narrower types go through a 32-bit step in between;
/// - predicate logic with a constant operand, and mov.pred of a constant, become the simpler operation; for other
///   instructions, a preceding comparison computes the constant predicate;
/// - mov.v2 and mov.v4 become one mov for each element, ld.v8 and st.v8 two accesses of four elements;
/// - mov of a one-row special register into 64 bits becomes a cvt;
/// - cp.async becomes a load and a store;
/// - mma and wmma become steps, and accesses of each lane (matrix_forms.hpp);
/// - a body whose last instruction is not a return gets a ret.
/// Throws InputError for unsupported PTX, with the position of the operand at fault.
Draft decode(const Module& module, const Function& function, std::span<const ExtensionInstruction> extensions);

/// Decodes the kernels of a module one after another; data that they share is computed once. The module must outlive
/// it.
class ModuleDecoder {
 public:
  /// Throws InputError like ModuleSymbols.
  explicit ModuleDecoder(const Module& module) : module_(module), symbols_(module) {}

  /// Like the function decode().
  Draft decode(const Function& function, std::span<const ExtensionInstruction> extensions) const;

 private:
  const Module& module_;
  ModuleSymbols symbols_;
};

/// A program with only the variables of `module` in global and constant memory, without texture references.
Program decode_variables(const Module& module);

}  // namespace reconverge::kernel
