// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Binds the operands of an instruction to the slots of an operation: registers to values, and other operands to
/// constants and special rows.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/kernel/decode/call_frame.hpp"
#include "models/kernel/decode/constant_pool.hpp"
#include "models/kernel/decode/symbols.hpp"
#include "models/kernel/draft.hpp"

namespace reconverge::kernel {

/// An operation during decoding: the instruction and the values of its operands.
struct Work {
  Instruction instruction;
  InstructionValues values;
};

/// The class of a register that holds `type`.
ValueClass class_of(DataType type);

/// The row of the special register `name`, if it has one.
std::optional<SpecialRow> special_row_named(std::string_view name);

class OperandBinder {
 public:
  enum class Fit : std::uint8_t {
    exact,  ///< the register has the size of the type
    wider   ///< or a larger one, as ld, st and cvt allow
  };

  OperandBinder(const FunctionSource& source, Draft& draft, ConstantPool& constants, CallFrame& frame)
      : module_(source.module),
        function_(source.function),
        draft_(draft),
        symbols_(source.symbols),
        constants_(constants),
        frame_(frame) {}

  void enter(std::uint32_t scope) { scope_ = scope; }
  std::uint32_t scope() const { return scope_; }

  /// Operations that must come before the operation whose operands were bound: sums of registers and constants,
  /// addresses on the stack, and predicates that are constants.
  std::vector<Work> take_prelude() { return std::exchange(prelude_, {}); }

  void guard(Work& work, const SyntaxInstruction& syntax);
  void destination(Work& work, unsigned slot, const SyntaxOperand& operand, DataType type, Fit fit = Fit::exact);
  void source(Work& work, unsigned slot, const SyntaxOperand& operand, DataType type, Fit fit = Fit::exact);
  /// source[0], `offset` and `wide_address`. An address in the parameter block turns ld into ld_param.
  void address(Work& work, const SyntaxOperand& operand);
  /// A generic address as a value, with `wide_address`.
  void generic_address(Work& work, unsigned slot, const SyntaxOperand& operand);
  /// An address in shared memory as a value of 32 or 64 bits.
  void shared_address(Work& work, unsigned slot, const SyntaxOperand& operand);
  /// The operands of ld (destination[0...]) or st (source[first...]); sets `source_type` to b64 for wide registers of
  /// narrow types.
  void memory_data(Work& work, const SyntaxOperand& operand, bool is_load, unsigned first);
  /// A register of a video instruction, or the part of it that `operand` names; `offset` says which (video.hpp).
  void part(Work& work, bool is_destination, unsigned slot, const SyntaxOperand& operand);
  /// source[0] and source[1] of tex: `[name, {x}]`, or a register in place of the name.
  void texture(Work& work, const SyntaxOperand& operand);
  /// The condition code CC.CF: one predicate of the kernel.
  void carry(Work& work, bool is_destination, unsigned slot);
  /// The cache policy that .L2::cache_hint requires, and that is allowed only with it; null: no policy is written.
  void policy(const SyntaxInstruction& syntax, const SyntaxOperand* operand);
  /// Checks an operand that has no effect.
  void check(const SyntaxOperand& operand, DataType type);
  /// Throws for operands that exclude each other.
  void check_form(const Work& work, const SyntaxInstruction& syntax) const;
  void constant(Work& work, unsigned slot, std::uint64_t bits, bool wide, Position position);

  /// Throws for a special register that the module's target does not have.
  void require_target(const SyntaxOperand& special);

  /// The truth value of the integer `operand`.
  bool predicate_of(const SyntaxOperand& operand) const;

  /// The start of the frame.
  ValueId stack_pointer();
  /// source[0] and `offset` of an access to the frame.
  void frame_address(Work& work, FramePlace place, std::int64_t addend);

  /// The value of a register operand.
  void place(Work& work, bool is_destination, unsigned slot, ValueId value);
  ValueId new_value(ValueClass value_class);
  ValueClass class_of_value(ValueId value) const { return draft_.values[value]; }

  Symbol find(std::string_view name) const { return symbols_.find(name, scope_); }
  /// The type that the register `operand` is declared with; none if it is not a register.
  DataType declared_type(const SyntaxOperand& operand) const;
  /// The integer value of `operand`. Throws InputError, naming `what`, if it is not an integer.
  std::int64_t integer(const SyntaxOperand& operand, std::string_view what) const;

  [[noreturn]] void refuse(Position position, std::string_view message, std::string_view hint = {}) const;
  [[noreturn]] void refuse_unknown(const SyntaxOperand& operand) const;
  /// Throws for `name+4`.
  void refuse_offset(const SyntaxOperand& operand, std::string_view hint = "compute the sum with add") const;

 private:
  ValueId value_of(const Symbol& symbol);
  /// Only the kernel may use registers and local variables of the module.
  void check_owner(const Symbol& symbol, Position position) const;
  void predicate_constant(Work& work, unsigned slot, const SyntaxOperand& operand);
  /// A value that is the sum of another value, of 32 or 64 bits, and a constant.
  ValueId sum(ValueId value, std::uint64_t addend, Position position);
  /// Throws InputError unless the function may name the register and it fits `type`.
  void check_register(const SyntaxOperand& operand, const Symbol& symbol, DataType type, Fit fit) const;
  /// Binds a register that was checked.
  void bind_register(Work& work, bool is_destination, unsigned slot, const SyntaxOperand& operand,
                     const Symbol& symbol);
  void bind_name(Work& work, unsigned slot, const SyntaxOperand& operand, DataType type, Fit fit);
  std::uint64_t literal_bits(const SyntaxOperand& operand, DataType type) const;
  void check_extent(const SyntaxOperand& base, const VariableDeclaration& variable, std::int64_t offset,
                    const Instruction& instruction) const;
  std::uint32_t parameter_offset(std::string_view name) const;
  void parameter_address(Work& work, const SyntaxOperand& operand, const VariableDeclaration& parameter);
  /// The address of `place` plus the offset that `operand` names.
  void address_on_stack(Work& work, unsigned slot, FramePlace place, const SyntaxOperand& operand, bool wide);

  const Module& module_;
  const Function& function_;
  Draft& draft_;
  const SymbolTable& symbols_;
  ConstantPool& constants_;
  CallFrame& frame_;
  std::vector<Work> prelude_;
  std::uint32_t scope_ = 1;
  std::map<std::pair<const RegisterDeclaration*, std::uint32_t>, ValueId> value_ids_;
  ValueId carry_ = no_value;
};

}  // namespace reconverge::kernel
