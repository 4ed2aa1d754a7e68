// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Calls and returns. Arguments and results go through local memory (see call_frame.hpp), the return address through
/// the link register, which a function saves in a register. Saving registers over calls is a separate pass
/// (stack_frames.hpp).

#include <algorithm>
#include <span>
#include <vector>

#include "models/kernel/decode/operand_binder.hpp"

namespace reconverge::kernel {

/// Functions of the module that the program needs, in the order in which they were found. The entry is first.
class FunctionQueue {
 public:
  void need(const Function& function) {
    if (std::find(functions_.begin(), functions_.end(), &function) == functions_.end()) functions_.push_back(&function);
  }
  const std::vector<const Function*>& functions() const { return functions_; }

 private:
  std::vector<const Function*> functions_;
};

class CallLowering {
 public:
  CallLowering(const FunctionSource& source, Draft& draft, OperandBinder& binder, CallFrame& frame,
               FunctionQueue& functions)
      : function_(source.function),
        draft_(draft),
        symbols_(source.symbols),
        binder_(binder),
        frame_(frame),
        functions_(functions) {}

  /// The prologue of a function: it saves its return address, and reads parameters that are registers.
  std::vector<Work> prologue();

  /// `call` with its arguments and results; `work` has its guard. `callee` is set to the called function, or to nullptr
  /// for a call through a pointer. Throws InputError if callee, arguments and results do not match.
  std::vector<Work> call(const SyntaxInstruction& syntax, Work work, const Function*& callee);

  /// `ret` of a function; `work` has its guard.
  std::vector<Work> leave(Work work);

 private:
  void copy_argument(const SyntaxOperand& written, const VariableDeclaration& formal, std::uint32_t offset,
                     std::vector<Work>& into);
  void copy_result(const SyntaxOperand& written, const VariableDeclaration& formal, std::uint32_t offset,
                   std::vector<Work>& into);
  void copy(FramePlace from, FramePlace to, const VariableDeclaration& variable, std::vector<Work>& into);
  /// Moves a register or number to the frame, and back; a predicate is a word there, 1 or 0.
  void store(const SyntaxOperand& from, DataType type, FramePlace to, std::vector<Work>& into);
  void load(const SyntaxOperand& to, DataType type, FramePlace from, std::vector<Work>& into);
  /// The same for all elements of `formal`, in order.
  void store_all(std::span<const SyntaxOperand> from, const VariableDeclaration& formal, FramePlace to,
                 std::vector<Work>& into);
  void load_all(std::span<const SyntaxOperand> to, const VariableDeclaration& formal, FramePlace from,
                std::vector<Work>& into);
  Work access(Opcode opcode, DataType type, FramePlace place);
  FramePlace home_of(const SyntaxOperand& written, const VariableDeclaration& formal);
  void check_counts(const SyntaxInstruction& syntax, const CallOperands& operands, const Prototype& prototype) const;
  std::vector<Work> host_call(const SyntaxInstruction& syntax, Work work, const Function& function);
  void host_argument(const SyntaxOperand& written, const VariableDeclaration& formal, unsigned slot, Work& work,
                     std::vector<Work>& before);
  void host_result(const SyntaxOperand& written, const VariableDeclaration& formal, Work& work,
                   std::vector<Work>& after);
  ValueId link();
  /// A register, vector register or number, not a .param variable.
  bool is_value(const SyntaxOperand& written) const;
  /// Its elements. Throws InputError if `formal` has a different number of elements.
  std::vector<SyntaxOperand> values_of(const SyntaxOperand& written, const VariableDeclaration& formal) const;

  const Function& function_;
  Draft& draft_;
  const SymbolTable& symbols_;
  OperandBinder& binder_;
  CallFrame& frame_;
  FunctionQueue& functions_;
  ValueId way_back_ = no_value;
};

}  // namespace reconverge::kernel
