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

void drop(std::vector<Statement>& statements) {
  std::erase_if(statements, needs_company);
  for (Statement& statement : statements) {
    for (std::vector<Statement>& arm : statement.arms) drop(arm);
  }
}

}  // namespace

Program without_company(Program program) {
  drop(program.body);
  program.functions.clear();
  program.dynamic = false;
  return program;
}

}  // namespace reconverge::random_programs
