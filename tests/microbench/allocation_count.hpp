// SPDX-License-Identifier: Apache-2.0
#pragma once
/// For a program that counts the allocations of its whole process, including libraries: linking this file replaces
/// operator new.

#include <cstdint>

namespace reconverge::tests {

/// Calls of operator new since the program started.
std::uint64_t allocation_count();

}  // namespace reconverge::tests
