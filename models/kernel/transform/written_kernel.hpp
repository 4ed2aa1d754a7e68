// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A kernel in source form: the virtual registers that each PTX instruction reads and writes, and the control flow
/// between instructions. Passes that write PTX use this form; programs that run are decoded further (decode/).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/kernel/analysis/liveness.hpp"
#include "models/kernel/decode/symbols.hpp"
#include "models/kernel/program.hpp"
#include "models/kernel/syntax/syntax.hpp"

namespace reconverge::kernel {

/// A value that a thread carries from one instruction to another.
struct WrittenValue {
  enum class Kind : std::uint8_t {
    reg,       ///< a virtual register
    special,   ///< a special register that only threads of the grid have: %tid, %ctaid
    carry,     ///< the condition code CC.CF
    argument,  ///< a .param variable of a call
    arrays     ///< address of the thread's local arrays in global memory, which only threads of the grid compute
  };
  Kind kind = Kind::reg;
  std::string_view name;  ///< in PTX spelling
  DataType type = DataType::none;
  const RegisterDeclaration* declaration = nullptr;  ///< reg
  std::uint32_t number = 0;                          ///< reg: in its range
  Position position = {};                            ///< where it is first named

  bool predicate() const { return type == DataType::pred; }
  unsigned bytes() const { return bytes_of(type); }
};

/// A place where an instruction reads a special register that only threads of the grid have.
struct SpecialUse {
  std::uint32_t instruction = 0;
  ValueId value = no_value;
  std::string_view text;  ///< in the source; empty if the source does not contain its name
};

/// Instructions are indexed as in Function::instructions; one past the last is the implicit return at the end of the
/// body. `operations` contains only the fields for control flow and state spaces: opcode, type, space, guard, target.
class WrittenKernel {
 public:
  /// Throws InputError for an instruction that is not in the table. Both arguments must outlive it.
  WrittenKernel(const Module& module, const Function& function);
  WrittenKernel(const WrittenKernel&) = delete;
  WrittenKernel& operator=(const WrittenKernel&) = delete;

  /// Adds a value that these instructions read and no instruction sets. Returns its number.
  ValueId add_value(const WrittenValue& value, const std::vector<bool>& readers);

  const Module& module() const { return module_; }
  const Function& function() const { return function_; }

  std::vector<Instruction> operations;
  std::vector<Accesses> accesses;
  std::vector<std::vector<Pc>> tables;  ///< of brx, by Instruction::target
  std::vector<BasicBlock> blocks;       ///< over indices of instructions
  std::vector<WrittenValue> values;     ///< by ValueId
  std::vector<SpecialUse> special_uses;
  std::vector<std::uint32_t> statement_of;  ///< by instruction; one past the last for the implicit return

  /// The instructions in source form.
  const SyntaxInstruction& written(std::uint32_t instruction) const { return function_.instructions[instruction]; }
  bool is_written(std::uint32_t instruction) const { return instruction < function_.instructions.size(); }
  /// PTX line of an instruction; for the implicit return, the line of the instruction before it.
  std::uint32_t line_of(std::uint32_t instruction) const;

  Symbol find(std::string_view name, std::uint32_t scope) const { return symbols_.find(name, scope); }
  std::uint32_t scope_of_statement(std::uint32_t statement) const { return symbols_.scope_of_statement()[statement]; }
  std::uint32_t scope_of(std::uint32_t instruction) const;
  /// Whether `name` refers to this register in `scope`.
  bool names_value(std::uint32_t scope, const WrittenValue& value) const;

  [[noreturn]] void refuse(Position position, std::string_view message, std::string_view hint) const;

 private:
  friend class AccessReader;

  const Module& module_;
  const Function& function_;
  ModuleSymbols module_symbols_;
  SymbolTable symbols_;
};

}  // namespace reconverge::kernel
