// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/symbols.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace reconverge::kernel {

namespace {

// Splits `%r12` into `%r` and 12; the number has no leading zero. Returns false if the name does not end in a number.
bool split_number(std::string_view name, std::string_view& prefix, std::uint32_t& number) {
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  if (digits == name.size() || digits == 0) return false;
  prefix = name.substr(0, digits);
  if (name[digits] == '0' && digits + 1 != name.size()) return false;
  return std::from_chars(name.data() + digits, name.data() + name.size(), number).ec == std::errc{};
}

}  // namespace

ModuleSymbols::ModuleSymbols(const Module& module) {
  using Kind = Symbol::Kind;
  for (const VariableDeclaration& variable : module.variables) {
    Symbol symbol;
    symbol.kind = Kind::variable;
    symbol.variable = &variable;
    const auto [known, is_new] = names_.emplace(variable.name, symbol);
    if (is_new) continue;
    // A module may declare a variable .extern and define it later; the definition is used.
    if (!known->second.variable->external && !variable.external) {
      throw InputError(locate(module.file, variable.position), fmt::format("'{}' is declared twice", variable.name),
                       "rename one");
    }
    if (!variable.external) known->second = symbol;
  }
  for (const RegisterDeclaration& declaration : module.registers) {
    Symbol symbol;
    symbol.kind = Kind::reg;
    symbol.declaration = &declaration;
    const bool is_new = declaration.count == 0 ? names_.emplace(declaration.name, symbol).second
                                               : ranges_.emplace(declaration.name, &declaration).second;
    if (!is_new) {
      throw InputError(locate(module.file, declaration.position),
                       fmt::format("'{}' is declared twice", declaration.name), "rename one");
    }
  }
  for (const Function& function : module.functions) {
    Symbol symbol;
    symbol.kind = Kind::function;
    symbol.function = &function;
    const auto [known, is_new] = names_.emplace(function.name, symbol);
    if (!is_new && function.defined) known->second = symbol;
  }
  for (const Alias& alias : module.aliases) {
    const Symbol symbol = find(alias.function);
    if (symbol.kind != Kind::function || !symbol.function->defined || symbol.function->entry) {
      throw InputError(
          locate(module.file, alias.position),
          fmt::format("'{}' is another name of '{}', which is no function of the module", alias.name, alias.function),
          "define the function");
    }
    names_[alias.name] = symbol;
  }
}

Symbol ModuleSymbols::find(std::string_view name) const {
  if (const auto found = names_.find(name); found != names_.end()) return found->second;
  std::string_view prefix;
  Symbol symbol;
  if (ranges_.empty() || !split_number(name, prefix, symbol.number)) return {};
  const auto range = ranges_.find(prefix);
  if (range == ranges_.end() || symbol.number >= range->second->count) return {};
  symbol.kind = Symbol::Kind::reg;
  symbol.declaration = range->second;
  return symbol;
}

SymbolTable::SymbolTable(const Module& module, const ModuleSymbols& module_symbols, const Function& function)
    : module_(module), module_symbols_(module_symbols), scopes_(2), current_(1) {
  using Kind = Symbol::Kind;
  declare_parameters(function.prototype.parameters);
  declare_parameters(function.prototype.results);
  scope_of_statement_.reserve(function.statements.size());
  for (const Statement& statement : function.statements) {
    scope_of_statement_.push_back(current_);
    Symbol symbol;
    symbol.statement = &statement;
    switch (statement.kind) {
      case Statement::Kind::instruction:
        break;
      case Statement::Kind::scope_begin:
        scopes_.push_back({current_, {}, {}});
        current_ = static_cast<std::uint32_t>(scopes_.size() - 1);
        break;
      case Statement::Kind::scope_end:
        current_ = scopes_[current_].parent;
        break;
      case Statement::Kind::label:
        symbol.kind = Kind::label;
        declare(statement.label, symbol, statement.position);
        break;
      case Statement::Kind::branch_targets:
        symbol.kind = Kind::branch_targets;
        declare(statement.label, symbol, statement.position);
        break;
      case Statement::Kind::call_targets:
        symbol.kind = Kind::call_targets;
        declare(statement.label, symbol, statement.position);
        break;
      case Statement::Kind::prototype:
        symbol.kind = Kind::prototype;
        declare(statement.label, symbol, statement.position);
        break;
      case Statement::Kind::variable:
        symbol.kind = Kind::variable;
        symbol.variable = &function.variables[statement.index];
        declare(symbol.variable->name, symbol, statement.position);
        break;
      case Statement::Kind::registers:
        symbol.kind = Kind::reg;
        symbol.declaration = &function.registers[statement.index];
        if (symbol.declaration->count == 0) {
          declare(symbol.declaration->name, symbol, statement.position);
        } else if (!scopes_[current_].ranges.emplace(symbol.declaration->name, symbol.declaration).second) {
          throw InputError(locate(module_.file, statement.position),
                           fmt::format("registers '{}<>' are declared twice", symbol.declaration->name));
        }
        break;
    }
  }
}

void SymbolTable::declare_parameters(std::span<const VariableDeclaration> parameters) {
  for (const VariableDeclaration& parameter : parameters) {
    if (!parameter.parts.empty()) continue;  // declared in the body
    Symbol symbol;
    if (parameter.space == Space::param) {
      symbol.kind = Symbol::Kind::parameter;
      symbol.variable = &parameter;
    } else {
      symbol.kind = Symbol::Kind::reg;
      symbol.declaration = &register_parameters_.emplace_back(
          RegisterDeclaration{parameter.position, parameter.name, parameter.type, 0});
    }
    declare(parameter.name, symbol, parameter.position);
  }
}

void SymbolTable::declare(std::string_view name, Symbol symbol, Position position) {
  symbol.scope = current_;
  if (!scopes_[current_].names.emplace(name, symbol).second) {
    throw InputError(locate(module_.file, position), fmt::format("'{}' is declared twice", name),
                     "rename one, or put it in a separate scope { }");
  }
}

Symbol SymbolTable::find(std::string_view name, std::uint32_t scope) const {
  std::string_view prefix;
  std::uint32_t number = 0;
  const bool numbered = split_number(name, prefix, number);
  for (; scope != 0; scope = scopes_[scope].parent) {
    const Scope& here = scopes_[scope];
    if (const auto found = here.names.find(name); found != here.names.end()) return found->second;
    if (numbered) {
      const auto range = here.ranges.find(prefix);
      if (range != here.ranges.end() && number < range->second->count) {
        Symbol symbol;
        symbol.kind = Symbol::Kind::reg;
        symbol.scope = scope;
        symbol.declaration = range->second;
        symbol.number = number;
        return symbol;
      }
    }
  }
  return module_symbols_.find(name);
}

std::vector<std::string_view> SymbolTable::names(std::uint32_t scope) const {
  std::vector<std::string_view> result;
  for (; scope != 0; scope = scopes_[scope].parent) {
    for (const auto& [name, symbol] : scopes_[scope].names) result.push_back(name);
  }
  for (const auto& [name, symbol] : module_symbols_.names()) result.push_back(name);
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace reconverge::kernel
