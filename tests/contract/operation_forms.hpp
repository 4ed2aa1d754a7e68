// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Every form of every instruction in the table, each as a separate kernel, so that two executors can be compared form
/// by form.

#include <string>
#include <vector>

#include "models/kernel/decode/instruction_table.hpp"
#include "testbenches/contract/machines.hpp"

namespace reconverge::contract {

/// One choice of modifiers.
struct Form {
  const kernel::InstructionRule* rule = nullptr;
  std::size_t number = 0;  ///< among all forms: selects one of the choices that are too many to try all
  std::string mnemonic;    ///< with all modifiers
  std::vector<std::string> modifiers;
  std::string space;                    ///< of a memory operation; empty: generic
  std::vector<kernel::DataType> types;  ///< among the modifiers, in order
};

/// All forms of the operations that a thread executes without others: no control flow, barriers, or exchange between
/// lanes. Modifiers without effect on results are left out.
std::vector<Form> operation_forms();

/// A kernel that computes the form on all pairs of operands from the input and stores the results. Throws InputError if
/// the front end rejects the form.
Case operation_case(const Form& form);

}  // namespace reconverge::contract
