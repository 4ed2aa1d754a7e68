// SPDX-License-Identifier: Apache-2.0
#pragma once
/// PTX leaves some results undefined. These functions remove them from straight-line texts.

#include <string>

namespace reconverge::tests {

/// A random program (testbenches/random) without approximations, without halves and float atomics (whose NaNs are
/// undefined), and without votes and shuffles that do not name their members; after each operation on f32 or f64, any
/// NaN is replaced by one fixed NaN, and divisors are neither 0 nor -1.
std::string made_definite(const std::string& ptx);

/// The kernel of an operation form with such divisors, if it divides integers.
std::string with_safe_divisors(const std::string& ptx);

}  // namespace reconverge::tests
