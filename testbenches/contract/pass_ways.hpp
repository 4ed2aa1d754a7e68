// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Every combination of the options for cutting a kernel into passes, on machines that have only guards, of several
/// shapes.

#include "platforms/machines/multi_pass/multi_pass_machine.hpp"

namespace reconverge::contract {

inline constexpr std::uint64_t pass_ways = 4 * 3 * 2 * 2;

/// Combination `way` of `pass_ways`, on a machine selected by `shape`, any number.
MultiPassParameters pass_parameters(std::uint64_t way, std::uint64_t shape);

}  // namespace reconverge::contract
