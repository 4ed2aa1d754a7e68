// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The syntax tree of a PTX module: the text with its positions, before names are resolved.

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/error.hpp"
#include "models/kernel/opcode.hpp"

namespace reconverge::kernel {

/// Line and column, counted from one.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// An operand as written. Views point into Module::source.
struct SyntaxOperand {
  enum class Kind : std::uint8_t {
    name,      ///< register, variable, parameter or label; `integer` is the n of `+n`
    integer,   ///< `integer`, two's complement
    single,    ///< 0f...: the bits in `integer`
    floating,  ///< 0d... or decimal: the bits of the double in `integer`
    address,   ///< [x+n]: elements[0] is a name or an integer, `integer` is n; [x, y]: elements[1] is y
    vector,    ///< {a, b}
    list,      ///< (a, b) of a call
    pair       ///< d|p
  };
  Kind kind = Kind::name;
  bool negated = false;  ///< !p
  bool minus = false;    ///< -%r1, for vmad
  Position position;
  std::string_view name;
  std::int64_t integer = 0;
  std::vector<SyntaxOperand> elements;
};

constexpr std::uint32_t no_source = ~0U;

/// `.loc 1 10 2`, and the location at which its function was inlined.
struct SourcePlace {
  std::uint32_t file = 0;  ///< number of a .file
  std::uint32_t line = 0;
  std::uint32_t inlined_at = no_source;  ///< index of an earlier element of Module::sources
};

/// `@!%p ld.global.u32 %r1, [%rd1];`
struct SyntaxInstruction {
  Position position;
  std::string_view text;  ///< as written, guard included, without the semicolon
  std::string_view guard;
  Position guard_position;
  bool guard_negated = false;
  std::string_view mnemonic;                ///< `ld`
  std::vector<std::string_view> modifiers;  ///< `global`, `u32`, in order
  std::vector<SyntaxOperand> operands;
  std::uint32_t source = no_source;  ///< the preceding .loc: index into Module::sources
};

/// `.reg .b32 %r<52>, %x;` becomes one for each name, `.reg .v2 .f32 %v;` one for each part.
struct RegisterDeclaration {
  Position position;
  std::string_view name;
  DataType type = DataType::none;
  std::uint32_t count = 0;  ///< size of a range %r<count>; 0: a single register
};

/// One value of an initialiser: a number, or an address `name+4`, `generic(name)+4`, `0xFF00(name)`.
struct InitialValue {
  std::uint64_t element = 0;
  SyntaxOperand value;     ///< Kind::name: the address of a variable or function
  bool generic = false;    ///< generic(name)
  std::uint64_t mask = 0;  ///< the bits of the address that this element contains, shifted right; zero: all
};

/// A variable or parameter: `.global .align 4 .b8 name[16] = {1, 2};`
struct VariableDeclaration {
  Position position;
  Space space = Space::none;
  std::string_view name;
  DataType type = DataType::none;
  unsigned vector_width = 1;
  std::uint64_t elements = 1;
  bool array = false;
  std::vector<std::uint64_t> extents;  ///< of an array, and of its vectors; the first is 0 if it is not given
  bool external = false;               ///< .extern; a shared array without a size is the dynamic shared memory
  std::uint32_t alignment = 0;
  bool texture = false;          ///< .texref
  std::string_view opaque_type;  ///< surfref or samplerref, which are not supported; empty: neither
  std::vector<InitialValue> initial;
  std::vector<std::string_view> parts;  ///< the registers of a vector register that is passed to a function

  /// A predicate that is passed to a function occupies a word of the frame.
  unsigned bytes_of_element() const { return type == DataType::pred ? 4 : bytes_of(type); }
  std::uint64_t bytes() const { return std::uint64_t{bytes_of_element()} * vector_width * elements; }
};

/// The arguments and results of an indirect call: `name: .callprototype (.param .b32 _) _ (.param .b64 _);`
struct Prototype {
  std::vector<VariableDeclaration> results;
  std::vector<VariableDeclaration> parameters;
};

/// One step of a body, in order.
struct Statement {
  enum class Kind : std::uint8_t {
    instruction,
    label,
    branch_targets,
    call_targets,
    prototype,
    scope_begin,
    scope_end,
    registers,
    variable
  };
  Kind kind = Kind::instruction;
  Position position;
  std::uint32_t index = 0;  ///< instruction, registers, variable, prototype: index into the function's vectors
  std::string_view label;   ///< label, branch_targets, call_targets, prototype
  std::vector<std::string_view> targets;  ///< branch_targets, call_targets
};

/// A performance directive of a kernel: `.maxntid 256, 1, 1`.
struct PerformanceDirective {
  std::string_view name;
  Position position;
  std::vector<std::uint32_t> values;
};

/// .entry or .func with its body; a declaration has none.
struct Function {
  Position position;
  std::string_view name;
  bool entry = false;
  bool defined = false;
  Prototype prototype;
  std::vector<PerformanceDirective> directives;
  std::vector<Statement> statements;
  std::vector<SyntaxInstruction> instructions;
  std::vector<RegisterDeclaration> registers;
  std::vector<VariableDeclaration> variables;
  std::vector<Prototype> prototypes;
  /// The unsupported directive because of which kernels that need the function cannot run. Its body is not parsed.
  std::optional<InputError> refused;
};

/// A module. It owns the text that all views of the tree refer to.
/// `.alias name, function;`
struct Alias {
  std::string_view name;
  std::string_view function;
  Position position;  ///< of the name
};

struct Module {
  std::shared_ptr<const std::string> source;
  std::string file;
  std::string_view version;
  std::string_view target;
  bool doubles_are_singles = false;  ///< .target ..., map_f64_to_f32
  unsigned address_size = 64;
  bool address_size_given = false;
  std::vector<VariableDeclaration> variables;
  std::vector<RegisterDeclaration> registers;  ///< per thread, visible in all functions
  std::vector<Function> functions;
  std::vector<Alias> aliases;
  std::map<std::uint32_t, std::string_view> source_files;  ///< .file, by number
  std::vector<SourcePlace> sources;                        ///< .loc, in order
  std::deque<std::string> made_names;                      ///< names of vector parts and of ranges, for views
};

/// Position in the form of InputError.
inline SourceLocation locate(std::string_view file, Position position) {
  return {std::string(file), position.line, position.column};
}

}  // namespace reconverge::kernel
