// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Time as a number of clock cycles.

#include <cstdint>
#include <limits>

namespace reconverge {

using Cycle = std::uint64_t;
inline constexpr Cycle never = std::numeric_limits<Cycle>::max() / 4;  // far beyond any run, yet sums do not wrap

}  // namespace reconverge
