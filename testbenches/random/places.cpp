// SPDX-License-Identifier: Apache-2.0
#include "testbenches/random/places.hpp"

#include <algorithm>
#include <functional>

namespace reconverge::random_programs {

namespace {

using Kind = Statement::Kind;

/// Jump targets of threads: the end of a statement, or the next round of a loop.
struct Target {
  std::uint32_t statement = 0;
  bool next_round = false;

  auto operator<=>(const Target&) const = default;
};
using Targets = std::set<Target>;

void add_targets(const Statement& statement, Targets& targets);

Targets targets_of(const std::vector<std::vector<Statement>>& arms) {
  Targets targets;
  for (const auto& arm : arms) {
    for (const Statement& inner : arm) add_targets(inner, targets);
  }
  return targets;
}

/// Adds the jump targets in `statement`, except its own end and rounds.
void add_targets(const Statement& statement, Targets& targets) {
  switch (statement.kind) {
    case Kind::leave:
      targets.insert({statement.target, false});
      break;
    case Kind::next_round:
      targets.insert({statement.target, true});
      break;
    case Kind::exit:
      // The sides of a branch around an exit do not reconverge.
      if (!statement.guarded) targets.insert({Statement::function_end, false});
      break;
    case Kind::choice:
    case Kind::selection:
    case Kind::loop:
    case Kind::tangle: {
      Targets inner = targets_of(statement.arms);
      inner.erase({statement.number, false});
      inner.erase({statement.number, true});
      targets.merge(inner);
      break;
    }
    default:
      break;
  }
}

bool any_of(const std::vector<Statement>& statements, const std::function<bool(const Statement&)>& holds) {
  return std::any_of(statements.begin(), statements.end(), [&](const Statement& statement) {
    return holds(statement) || std::any_of(statement.arms.begin(), statement.arms.end(),
                                           [&](const auto& arm) { return any_of(arm, holds); });
  });
}

}  // namespace

bool parts_for_long(const Statement& statement) {
  Targets targets;
  add_targets(statement, targets);
  return !targets.empty();
}

bool leaves_itself(const Statement& statement) {
  return targets_of(statement.arms).contains({statement.number, false});
}

bool meets_every_round(const Statement& loop) {
  Targets targets = targets_of(loop.arms);
  targets.erase({loop.number, true});
  return targets.empty();
}

bool wants_members(const std::vector<Statement>& statements, const Program& program) {
  return any_of(statements, [&](const Statement& statement) {
    return statement.kind == Kind::exchange ||
           (statement.kind == Kind::call && !statement.indirect && program.functions[statement.target].exchanges);
  });
}

bool ends_early(const Program& program) {
  const bool returns = any_of(program.body, [](const Statement& statement) {
    return statement.kind == Kind::leave && statement.target == Statement::function_end;
  });
  const auto exits = [](const Statement& statement) { return statement.kind == Kind::exit; };
  return returns || any_of(program.body, exits) ||
         std::any_of(program.functions.begin(), program.functions.end(),
                     [&](const Function& function) { return any_of(function.body, exits); });
}

std::set<std::uint32_t> called_from(const std::vector<Statement>& body, const Program& program) {
  std::set<std::uint32_t> called;
  std::vector<const std::vector<Statement>*> left{&body};
  const auto add = [&](std::uint32_t function) {
    if (called.insert(function).second) left.push_back(&program.functions[function].body);
  };
  while (!left.empty()) {
    const auto* statements = left.back();
    left.pop_back();
    any_of(*statements, [&](const Statement& statement) {
      if (statement.kind != Kind::call) return false;
      if (statement.indirect) {
        for (const std::uint32_t function : table_of(program)) add(function);
      } else {
        add(statement.target);
      }
      return false;
    });
  }
  return called;
}

std::vector<std::uint32_t> table_of(const Program& program) {
  std::vector<std::uint32_t> table;
  for (std::uint32_t i = 0; i < program.functions.size(); ++i) {
    if (!program.functions[i].exchanges && !program.functions[i].meets) table.push_back(i);
  }
  return table;
}

}  // namespace reconverge::random_programs
