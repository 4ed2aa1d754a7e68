// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The contract of every divergence scheme: no lane is lost, none runs twice, the memory contents equal the scalar
/// interpreter's, every issue slot is accounted for, and two runs are equal.

#include <string>
#include <string_view>
#include <vector>

#include "models/protocols/scheme_list.hpp"
#include "testbenches/contract/machines.hpp"

namespace reconverge::contract {

/// Runs the kernel twice in this shape of the GPU and describes each violation of the contract by the scheme, which is
/// one of `kinds`; `expected`: the result of the scalar interpreter.
std::vector<std::string> breaches(const Case& test_case, const Outcome& expected, const Shape& shape,
                                  std::string_view scheme, SchemeList kinds = built_in_schemes());

/// The same for a machine, whose memory must be that of the interpreter and whose two runs must be equal. Throws
/// InputError if the machine refuses the kernel.
std::vector<std::string> breaches(const Case& test_case, const Outcome& expected, const MachineKind& machine,
                                  SchemeList kinds = built_in_schemes());

}  // namespace reconverge::contract
