// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/call_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/kernel/decode/alignment.hpp"

namespace reconverge::kernel {

namespace {

constexpr std::uint64_t max_frame_bytes = std::uint64_t{1} << 30;

std::vector<std::uint32_t> lay_out(std::span<const VariableDeclaration> variables, std::uint32_t& end) {
  std::vector<std::uint32_t> offsets;
  for (const VariableDeclaration& variable : variables) {
    const auto at = static_cast<std::uint32_t>(align_up(end, std::max(1U, variable.alignment)));
    offsets.push_back(at);
    end = at + static_cast<std::uint32_t>(variable.bytes());
  }
  return offsets;
}

// Those have no frame here.
bool is_host_function(const Symbol& callee) {
  return callee.kind == Symbol::Kind::function && !callee.function->defined;
}

}  // namespace

CallLayout lay_out(const Prototype& prototype) {
  CallLayout layout;
  layout.parameters = lay_out(prototype.parameters, layout.bytes);
  layout.results = lay_out(prototype.results, layout.bytes);
  return layout;
}

const Prototype* prototype_of(const SyntaxInstruction& call, std::uint32_t scope, const Function& function,
                              const SymbolTable& symbols) {
  const CallOperands operands = call_operands(call);
  if (operands.callee == nullptr) return nullptr;
  const Symbol callee = symbols.find(operands.callee->name, scope);
  if (callee.kind == Symbol::Kind::function) return &callee.function->prototype;
  if (operands.prototype == nullptr) return nullptr;
  const Symbol prototype = symbols.find(operands.prototype->name, scope);
  if (prototype.kind == Symbol::Kind::prototype) return &function.prototypes[prototype.statement->index];
  if (prototype.kind != Symbol::Kind::call_targets) return nullptr;
  const Symbol target = symbols.find(prototype.statement->targets.front(), scope);
  return target.kind == Symbol::Kind::function ? &target.function->prototype : nullptr;
}

namespace {

/// The offsets of all variables that a call names.
using NamedVariables = std::unordered_map<const VariableDeclaration*, std::vector<std::uint32_t>>;

NamedVariables named_by(const SyntaxInstruction& call, std::uint32_t scope, const Function& function,
                        const SymbolTable& symbols) {
  NamedVariables named;
  const Prototype* prototype = prototype_of(call, scope, function, symbols);
  const CallOperands operands = call_operands(call);
  if (prototype == nullptr || operands.callee == nullptr) return named;
  if (is_host_function(symbols.find(operands.callee->name, scope))) return named;
  const CallLayout layout = lay_out(*prototype);
  const auto note = [&](std::span<const SyntaxOperand> written, const std::vector<std::uint32_t>& places) {
    for (std::size_t i = 0; i < written.size() && i < places.size(); ++i) {
      if (written[i].kind != SyntaxOperand::Kind::name) continue;
      if (const auto* variable = symbols.find(written[i].name, scope).variable) named[variable].push_back(places[i]);
    }
  };
  note(operands.arguments, layout.parameters);
  note(operands.results, layout.results);
  return named;
}

}  // namespace

PassedVariables passed_variables(const Function& function, const SymbolTable& symbols) {
  const auto& scopes = symbols.scope_of_statement();
  const std::size_t count = function.statements.size();
  // By statement: the numbers of calls and labels up to it. By scope: its end.
  std::vector<std::size_t> calls_before(count + 1, 0);
  std::vector<std::size_t> labels_before(count + 1, 0);
  std::vector<std::size_t> calls;
  std::unordered_map<std::uint32_t, std::size_t> end_of_scope;
  for (std::size_t i = 0; i < count; ++i) {
    const Statement& statement = function.statements[i];
    const bool is_call =
        statement.kind == Statement::Kind::instruction && function.instructions[statement.index].mnemonic == "call";
    if (is_call) calls.push_back(i);
    if (statement.kind == Statement::Kind::scope_end) end_of_scope[scopes[i]] = i;
    calls_before[i + 1] = calls.size();
    labels_before[i + 1] = labels_before[i] + (statement.kind == Statement::Kind::label ? 1 : 0);
  }

  PassedVariables passed;
  std::size_t call = count;
  NamedVariables named;  // by that call
  for (std::size_t i = 0; i < count; ++i) {
    const Statement& statement = function.statements[i];
    if (statement.kind != Statement::Kind::variable) continue;
    const VariableDeclaration& variable = function.variables[statement.index];
    if (variable.space != Space::param) continue;
    const auto scope_end = end_of_scope.find(scopes[i]);
    const std::size_t end = scope_end == end_of_scope.end() ? count : scope_end->second;
    if (calls_before[end] - calls_before[i] != 1 || labels_before[end] != labels_before[i]) continue;
    const std::size_t at = calls[calls_before[i]];
    // Walks through variables and calls in order, and matches them.
    if (std::exchange(call, at) != at) {
      named = named_by(function.instructions[function.statements[at].index], scopes[at], function, symbols);
    }
    const auto offsets = named.find(&variable);
    if (offsets != named.end() && offsets->second.size() == 1) passed.emplace(&variable, offsets->second.front());
  }
  return passed;
}

CallFrame::CallFrame(const Function& function, const Module& module, PassedVariables passed)
    : module_(module), passed_(std::move(passed)) {
  if (function.entry) return;
  const CallLayout layout = lay_out(function.prototype);
  bytes_ = layout.bytes;
  const auto note = [&](std::span<const VariableDeclaration> variables, std::span<const std::uint32_t> offsets) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
      places_.emplace(&variables[i], offsets[i]);
      alignment_ = std::max(alignment_, variables[i].alignment);
    }
  };
  note(function.prototype.parameters, layout.parameters);
  note(function.prototype.results, layout.results);
}

FramePlace CallFrame::place(const VariableDeclaration& variable) {
  if (const auto passed = passed_.find(&variable); passed != passed_.end()) return {passed->second, true};
  const auto [found, is_new] = places_.try_emplace(&variable, 0);
  if (!is_new) return {found->second, false};
  const std::uint64_t at = align_up(bytes_, variable.alignment);
  if (at + variable.bytes() > max_frame_bytes) {
    throw InputError(locate(module_.file, variable.position),
                     fmt::format("'{}' does not fit local memory", variable.name),
                     "the local variables of a function together take at most 1 GiB");
  }
  bytes_ = static_cast<std::uint32_t>(at + variable.bytes());
  alignment_ = std::max(alignment_, variable.alignment);
  found->second = static_cast<std::uint32_t>(at);
  return {found->second, false};
}

CallOperands call_operands(const SyntaxInstruction& call) {
  using Kind = SyntaxOperand::Kind;
  CallOperands result;
  auto operand = call.operands.begin();
  const auto end = call.operands.end();
  if (operand != end && operand->kind == Kind::list) result.results = operand++->elements;
  if (operand == end || operand->kind != Kind::name) return {};
  result.callee = &*operand++;
  if (operand != end && operand->kind == Kind::list) result.arguments = operand++->elements;
  if (operand != end && operand->kind == Kind::name) result.prototype = &*operand++;
  return operand == end ? result : CallOperands{};
}

}  // namespace reconverge::kernel
