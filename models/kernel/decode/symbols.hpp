// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Names of a kernel: scopes, registers, variables, parameters and labels.

#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/kernel/draft.hpp"
#include "models/kernel/syntax/syntax.hpp"

namespace reconverge::kernel {

/// The meaning of a name.
struct Symbol {
  enum class Kind : std::uint8_t {
    none,
    reg,
    variable,
    parameter,  ///< of the function, or its result
    label,
    branch_targets,
    call_targets,
    prototype,
    function
  };
  Kind kind = Kind::none;
  std::uint32_t scope = 0;                           ///< the scope that contains it
  const RegisterDeclaration* declaration = nullptr;  ///< reg
  std::uint32_t number = 0;                          ///< reg: in its range
  const VariableDeclaration* variable = nullptr;     ///< variable, parameter
  const Statement* statement = nullptr;              ///< label, branch_targets, call_targets, prototype
  const Function* function = nullptr;                ///< function: its definition, if there is one
};

/// Variables and functions of a module, which must outlive it.
class ModuleSymbols {
 public:
  /// Throws InputError if a variable is defined twice.
  explicit ModuleSymbols(const Module& module);

  Symbol find(std::string_view name) const;
  const std::unordered_map<std::string_view, Symbol>& names() const { return names_; }

 private:
  std::unordered_map<std::string_view, Symbol> names_;
  std::unordered_map<std::string_view, const RegisterDeclaration*> ranges_;  // %r<8>, by the name without the number
};

/// The scopes of one function, over the names of its module. All must outlive it.
class SymbolTable {
 public:
  /// Throws InputError if a name is declared twice in a scope.
  SymbolTable(const Module& module, const ModuleSymbols& module_symbols, const Function& function);

  /// Scope of each statement of the function, by its index; scope 1 is the body, 0 the module.
  const std::vector<std::uint32_t>& scope_of_statement() const { return scope_of_statement_; }

  /// The innermost declaration of `name` that is visible from `scope`; Kind::none if there is none.
  Symbol find(std::string_view name, std::uint32_t scope) const;

  /// Candidates for a misspelt name, for messages: the names that are visible from `scope`, sorted.
  std::vector<std::string_view> names(std::uint32_t scope) const;

 private:
  struct Scope {
    std::uint32_t parent = 0;  // 0: the module
    std::unordered_map<std::string_view, Symbol> names;
    std::unordered_map<std::string_view, const RegisterDeclaration*> ranges;
  };

  void declare(std::string_view name, Symbol symbol, Position position);
  void declare_parameters(std::span<const VariableDeclaration> parameters);

  const Module& module_;
  const ModuleSymbols& module_symbols_;
  std::deque<RegisterDeclaration> register_parameters_;  // .reg in a list of parameters
  std::vector<Scope> scopes_;
  std::uint32_t current_ = 0;
  std::vector<std::uint32_t> scope_of_statement_;
};

/// A function of a module in source form, and the names that are visible in it.
struct FunctionSource {
  const Module& module;
  const Function& function;
  const SymbolTable& symbols;
};

}  // namespace reconverge::kernel
