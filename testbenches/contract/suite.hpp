#pragma once
/// What every divergence scheme owes: no lane lost, none run twice, memory as the scalar interpreter leaves it, every
/// issue slot accounted for, and two runs alike.

#include <string>
#include <string_view>
#include <vector>

#include "testbenches/contract/machines.hpp"

namespace reconverge::contract {

/// Runs the kernel twice in this shape of the GPU. Gives what the scheme, one of `kinds`, failed to keep, each in
/// words; `expected`: of the scalar interpreter.
std::vector<std::string> breaches(const Case& test_case, const Outcome& expected, const Shape& shape,
                                  std::string_view scheme, SchemeList kinds = built_in_schemes());

}  // namespace reconverge::contract
