// SPDX-License-Identifier: Apache-2.0
#pragma once
/// PTX leaves some results undefined. These functions remove them from straight-line texts.

#include <string>

namespace reconverge::tests {

/// A random program (testbenches/random) without approximations, without halves and float atomics (whose NaNs are
/// undefined), without votes and shuffles that do not name their members, without instructions for which NVIDIA's
/// compiler departs from PTX (`departure`), and, in functions, without divisions and roots that may crash it; after
/// each operation on f32 or f64, any NaN is replaced by one fixed NaN, and divisors are neither 0 nor -1. Branches,
/// shuffles, bfi and redux.sync are written so that known faults of the compiler's optimiser do not change them.
std::string made_definite(const std::string& ptx);

/// The kernel of an operation form with such divisors, if it divides integers, and without -2^31 as an offset of fns,
/// whose absolute value is no number of 32 bits. What is added to a pair of halves in shared memory is loaded as a
/// word: of `cvt.u32.u64 %r1, %v1`, NVIDIA's compiler takes bits 32 to 47 of %v1 for the upper half.
std::string with_safe_operands(const std::string& ptx);

}  // namespace reconverge::tests
