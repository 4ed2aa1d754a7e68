#pragma once
/// Every combination of the ways to cut a kernel into passes, on machines with guards alone of several shapes.

#include "platforms/multi_pass/multi_pass_machine.hpp"

namespace reconverge::contract {

inline constexpr std::uint64_t pass_ways = 4 * 3 * 2 * 2;

/// Way `way` of `pass_ways`, on a machine that `shape`, any number, picks.
MultiPassParameters pass_parameters(std::uint64_t way, std::uint64_t shape);

}  // namespace reconverge::contract
