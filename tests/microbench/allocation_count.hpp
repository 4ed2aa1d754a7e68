// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Counts the allocations of a process, including those of libraries. Linking this file replaces operator new.

#include <cstdint>

namespace reconverge::tests {

/// Calls of operator new since the program started.
std::uint64_t allocation_count();

}  // namespace reconverge::tests
