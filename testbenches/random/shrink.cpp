// SPDX-License-Identifier: Apache-2.0
#include "testbenches/random/shrink.hpp"

#include <cstddef>

namespace reconverge::random_programs {

namespace {

using Kind = Statement::Kind;

/// Makes the change with a given number among the possible changes of a program. Changes are counted in a fixed order;
/// each makes the program smaller.
class Change {
 public:
  explicit Change(std::size_t number) : left_(number) {}

  /// False: there are fewer changes.
  bool make(Program& program) { return launch(program) || results(program) || functions(program) || bodies(program); }

 private:
  /// Whether this change is the one to make.
  bool mine() { return left_-- == 0; }

  bool launch(Program& program) {
    if (program.dynamic && mine()) {
      program.dynamic = false;
      return true;
    }
    if (program.grid.count() > 1 && mine()) {
      program.grid = {1};
      return true;
    }
    for (std::uint32_t* extent : {&program.block.z, &program.block.y, &program.block.x}) {
      if (*extent > 1 && mine()) {
        *extent = 1;
        return true;
      }
      if (*extent > 2 && mine()) {
        *extent = (*extent + 1) / 2;
        return true;
      }
    }
    return false;
  }

  bool results(Program& program) {
    for (unsigned i = 0; i < result_count; ++i) {
      const std::uint32_t bit = 1U << i;
      if ((program.results & bit) != 0 && mine()) {
        program.results &= ~bit;
        return true;
      }
    }
    return false;
  }

  bool functions(Program& program) {
    for (std::uint32_t i = 0; i < program.functions.size(); ++i) {
      if (!mine()) continue;
      program.functions.erase(program.functions.begin() + i);
      forget(program.body, i);
      for (Function& function : program.functions) forget(function.body, i);
      return true;
    }
    if (program.passing != Passing::registers && !program.functions.empty() && mine()) {
      program.passing = Passing::registers;
      return true;
    }
    return false;
  }

  /// Removes calls of `function`; the functions after it have moved up.
  static void forget(std::vector<Statement>& statements, std::uint32_t function) {
    std::erase_if(statements, [&](const Statement& statement) {
      return statement.kind == Kind::call && statement.target == function;
    });
    for (Statement& statement : statements) {
      if (statement.kind == Kind::call && statement.target > function) --statement.target;
      for (auto& arm : statement.arms) forget(arm, function);
    }
  }

  bool bodies(Program& program) {
    if (list(program.body)) return true;
    for (Function& function : program.functions) {
      if (list(function.body)) return true;
    }
    return false;
  }

  bool list(std::vector<Statement>& statements) {
    for (std::size_t i = statements.size(); i-- > 0;) {
      const auto at = statements.begin() + static_cast<std::ptrdiff_t>(i);
      if (mine()) {
        statements.erase(at);
        return true;
      }
      for (std::size_t arm = 0; arm < at->arms.size(); ++arm) {
        if (!mine()) continue;
        const std::vector<Statement> inner = at->arms[arm];
        statements.insert(statements.erase(at), inner.begin(), inner.end());
        return true;
      }
      if (simpler(*at)) return true;
      for (auto& arm : statements[i].arms) {
        if (list(arm)) return true;
      }
    }
    return false;
  }

  bool simpler(Statement& statement) {
    if (statement.kind == Kind::loop && statement.trips > 1 && mine()) {
      --statement.trips;
      return true;
    }
    if (statement.kind == Kind::call && statement.indirect && mine()) {
      statement.indirect = false;
      return true;
    }
    if (statement.kind == Kind::selection && statement.table && mine()) {
      statement.table = false;
      return true;
    }
    const bool has_spare_guard = statement.kind == Kind::selection || statement.kind == Kind::call;
    if (has_spare_guard && !statement.predicate.empty() && mine()) {
      statement.predicate.clear();
      return true;
    }
    const bool has_ways = statement.kind == Kind::selection || statement.kind == Kind::tangle;
    for (std::size_t arm = 0; has_ways && statement.arms.size() > 1 && arm < statement.arms.size(); ++arm) {
      if (!mine()) continue;
      statement.arms.erase(statement.arms.begin() + static_cast<std::ptrdiff_t>(arm));
      return true;
    }
    const auto guard = statement.text.find('@');
    if (guard != std::string::npos && mine()) {
      statement.text.erase(guard, statement.text.find(' ', guard) + 1 - guard);
      return true;
    }
    return false;
  }

  std::size_t left_;
};

}  // namespace

Program shrunk(Program program, const std::function<bool(const Program&)>& fails, unsigned budget) {
  bool changed = true;
  while (changed) {
    changed = false;
    // After a change, the next one has the same number.
    for (std::size_t number = 0; budget > 0; --budget) {
      Program smaller = program;
      if (!Change(number).make(smaller)) break;
      if (fails(smaller)) {
        program = std::move(smaller);
        changed = true;
      } else {
        ++number;
      }
    }
  }
  return program;
}

}  // namespace reconverge::random_programs
