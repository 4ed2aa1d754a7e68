// SPDX-License-Identifier: Apache-2.0
#include "testbenches/random/alone.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace reconverge::random_programs {

namespace {

bool needs_company(const Statement& statement) {
  using Kind = Statement::Kind;
  if (statement.kind == Kind::exchange || statement.kind == Kind::meeting || statement.kind == Kind::call) return true;
  constexpr std::array<std::string_view, 5> words = {"shared", "mine", "cells", "tally", "cvta.local"};
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return statement.text.find(word) != std::string::npos; });
}

bool is_atomic(const Statement& statement) {
  constexpr std::array<std::string_view, 2> words = {"atom.", "red."};
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return statement.text.find(word) != std::string::npos; });
}

void drop(std::vector<Statement>& statements, bool (*what)(const Statement&)) {
  std::erase_if(statements, what);
  for (Statement& statement : statements) {
    for (std::vector<Statement>& arm : statement.arms) drop(arm, what);
  }
}

}  // namespace

Program without_company(Program program) {
  drop(program.body, needs_company);
  program.functions.clear();
  program.dynamic = false;
  return program;
}

Program without_atomics(Program program) {
  drop(program.body, is_atomic);
  return program;
}

}  // namespace reconverge::random_programs
