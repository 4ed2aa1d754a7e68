#pragma once
/// For a program that counts what its whole process allocates, libraries included: linking this gives it an operator
/// new of its own.

#include <cstdint>

namespace reconverge::tests {

/// Calls of operator new since the program began.
std::uint64_t allocation_count();

}  // namespace reconverge::tests
