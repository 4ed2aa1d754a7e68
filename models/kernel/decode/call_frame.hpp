// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The frame of a function, that is, the local memory of one call, and the passing of arguments. A frame contains, in
/// this order: the arguments from the caller, the results of the function, local variables, and registers saved over
/// calls. The caller writes arguments to the end of its frame, where the callee's frame will begin. The entry's frame
/// begins at zero.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "models/kernel/decode/symbols.hpp"

namespace reconverge::kernel {

/// An offset in a frame, or after its end, where the frame of a callee begins.
struct FramePlace {
  std::uint32_t offset = 0;
  bool beyond = false;
};

/// Offsets from the start of a frame.
struct CallLayout {
  std::vector<std::uint32_t> parameters;  ///< by index
  std::vector<std::uint32_t> results;
  std::uint32_t bytes = 0;
};

CallLayout lay_out(const Prototype& prototype);

/// .param variables of a body that only one call uses: their scope contains, after the declaration, no other call or
/// label. They are allocated directly where the callee expects them, at these offsets; other variables are copied
/// there.
using PassedVariables = std::unordered_map<const VariableDeclaration*, std::uint32_t>;

PassedVariables passed_variables(const Function& function, const SymbolTable& symbols);

/// The prototype of `call`, looked up from `scope`; nullptr if it is not declared.
const Prototype* prototype_of(const SyntaxInstruction& call, std::uint32_t scope, const Function& function,
                              const SymbolTable& symbols);

class CallFrame {
 public:
  CallFrame(const Function& function, const Module& module, PassedVariables passed);

  /// The location of a parameter or result of the function.
  std::uint32_t incoming(const VariableDeclaration& variable) const { return places_.at(&variable); }
  /// The location of a variable of the body, allocated when it is first named. Throws InputError if the frame becomes
  /// larger than 1 GiB.
  FramePlace place(const VariableDeclaration& variable);

  std::uint32_t bytes() const { return bytes_; }
  std::uint32_t alignment() const { return alignment_; }

 private:
  const Module& module_;
  std::unordered_map<const VariableDeclaration*, std::uint32_t> places_;
  std::uint32_t bytes_ = 0;
  std::uint32_t alignment_ = 16;
  PassedVariables passed_;
};

/// `call (results), callee, (arguments), prototype;`
struct CallOperands {
  std::span<const SyntaxOperand> results;
  const SyntaxOperand* callee = nullptr;
  std::span<const SyntaxOperand> arguments;
  const SyntaxOperand* prototype = nullptr;  ///< of an indirect call
};

/// Separates the operands of `call`; `callee` is null if they do not have the form of a call.
CallOperands call_operands(const SyntaxInstruction& call);

}  // namespace reconverge::kernel
