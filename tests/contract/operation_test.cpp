// Every form of every instruction, on values at the edges: the lanes against the scalar interpreter.

#include "models/execution/operations/operation.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <set>

#include "models/core/error.hpp"
#include "tests/contract/operation_forms.hpp"
#include "tests/repetition.hpp"

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
  std::set<std::string> untried;
  for (const Form& form : operation_forms()) untried.insert(kernel::describe(*form.rule));
  for (const Form& form : operation_forms()) {
    if (tests::short_form() && !untried.contains(kernel::describe(*form.rule))) continue;
    const std::optional<Case> test_case = runnable_case(form);
    if (!test_case) continue;
    INFO(form.mnemonic);
    CHECK_THAT(difference(run_scalar(*test_case).memory, run_functional(*test_case).memory), Catch::Equals(""));
    opcodes.insert(form.rule->opcode);
    untried.erase(kernel::describe(*form.rule));
    ++compared;
  }
  // A row that no lane takes is a promise of the table that nobody keeps.
  untried.erase("testp.(finite|infinite|number|notanumber|normal|subnormal).(f32|f64) p, a");
  CHECK(untried == std::set<std::string>());
  // What the lanes take shall not shrink unnoticed.
  CHECK(compared >= (tests::short_form() ? 200 : 6000));
  CHECK(opcodes.size() >= 51);
}

}  // namespace reconverge::contract
