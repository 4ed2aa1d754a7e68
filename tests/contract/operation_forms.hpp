#pragma once
/// Every form of every instruction that the table lists, each as a kernel of its own: so that two executors can be held
/// against each other form by form.

#include <string>
#include <vector>

#include "models/kernel/decode/instruction_table.hpp"
#include "testbenches/contract/machines.hpp"

namespace reconverge::contract {

/// One choice of modifiers.
struct Form {
  const kernel::InstructionRule* rule = nullptr;
  std::size_t number = 0;  ///< among all forms: choices that are too many to try each are made by it
  std::string mnemonic;    ///< with all modifiers
  std::vector<std::string> modifiers;
  std::string space;                    ///< of a memory operation; empty: generic
  std::vector<kernel::DataType> types;  ///< among the modifiers, in order
};

/// All forms of the operations that a thread does by itself: no control flow, barriers, or exchange between lanes.
/// Modifiers without effect on results are left out.
std::vector<Form> operation_forms();

/// A kernel that computes the form on operands from the input, all pairs of them, and stores the results.
/// Throws InputError when the front end takes the form for none.
Case operation_case(const Form& form);

}  // namespace reconverge::contract
