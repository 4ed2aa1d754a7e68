// Every form of every instruction, on values at the edges: the lanes against the scalar interpreter.

#include "models/sm/lanes/operation.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <set>

#include "models/core/error.hpp"
#include "tests/contract/operation_forms.hpp"

namespace reconverge::contract {

namespace {

/// Empty when the front end or the lanes refuse the form, in plain words.
std::optional<Case> runnable_case(const Form& form) {
  try {
    Case test_case = operation_case(form);
    select_operations(test_case.program);
    return test_case;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

TEST_CASE("the lanes compute what the interpreter computes, form by form", "[operation]") {
  std::size_t compared = 0;
  std::set<kernel::Opcode> opcodes;
  for (const Form& form : operation_forms()) {
    const std::optional<Case> test_case = runnable_case(form);
    if (!test_case) continue;
    INFO(form.mnemonic);
    CHECK_THAT(difference(run_scalar(*test_case).memory, run_functional(*test_case).memory), Catch::Equals(""));
    opcodes.insert(form.rule->opcode);
    ++compared;
  }
  // What the lanes take shall not shrink unnoticed.
  CHECK(compared >= 1200);
  CHECK(opcodes.size() >= 45);
}

}  // namespace reconverge::contract
