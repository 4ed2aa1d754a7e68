// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Finds the row of the instruction table that an instruction matches, and decodes its modifiers.

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/kernel/decode/instruction_table.hpp"
#include "models/kernel/program.hpp"
#include "models/kernel/syntax/syntax.hpp"

namespace reconverge::kernel {

/// One operand of a rule, ready for binding.
struct OperandRule {
  enum class Kind : std::uint8_t {
    type,
    source_type,
    wide_type,
    predicate,
    explicit_type,
    memory,
    vector,
    offset,
    barrier,
    label,
    table,
    part,      ///< `%r1.b0`
    texture,   ///< `[name, {%r1}]`
    fragment,  ///< of a matrix: `{%r1, %r2}`
    policy,    ///< of caches: present if a modifier requires it
    carry      ///< the condition code: implicit
  };
  Kind kind = Kind::type;
  DataType type = DataType::none;  ///< explicit_type
  bool destination = false;
  bool optional = false;
  bool pair = false;     ///< `d|p`; `optional` then applies only to p
  bool checked = false;  ///< checked, but not bound to a slot

  bool written() const { return kind != Kind::carry; }
  /// Whether the instruction may have one operand fewer.
  bool may_be_left_out() const { return optional && !pair; }
};

struct ModifierGroup {
  enum class Role : std::uint8_t {
    skip,
    type,
    space,
    rounding,
    comparison,
    boolean,
    half,
    atomic,
    cache,
    variant,
    bits,
    vector,
    flag
  };
  Role role = Role::skip;
  bool optional = false;
  unsigned number = 0;  ///< variant: of the first choice; bits: the lowest bit
  std::vector<std::string_view> choices;
};

/// A parsed row of the table.
struct CompiledRule {
  const InstructionRule* rule = nullptr;
  std::vector<ModifierGroup> groups;
  std::vector<OperandRule> operands;
};

/// All parsed rows, by mnemonic.
class Matcher {
 public:
  /// The only instance, made at first use: it parses the table of all instructions.
  static const Matcher& of_table();

  /// The rule of `syntax`; the fields that its modifiers set are written to `instruction`. Throws InputError, with the
  /// possible forms, if there is none.
  const CompiledRule& match(const SyntaxInstruction& syntax, std::string_view file, Instruction& instruction) const;

 private:
  Matcher();
  [[noreturn]] void refuse(const SyntaxInstruction& syntax, std::string_view file) const;

  std::unordered_map<std::string_view, std::vector<CompiledRule>> rules_;
};

}  // namespace reconverge::kernel
