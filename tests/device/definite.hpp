#pragma once
/// PTX leaves some results open. These make a straight-line text leave nothing of that kind.

#include <string>

namespace reconverge::tests {

/// A random program (testbenches/random) without approximations, without halves and float atomics (whose NaNs are
/// open), and without votes and shuffles that name no members; with one NaN instead of any after each operation on f32
/// or f64, and with divisors that are neither 0 nor -1.
std::string made_definite(const std::string& ptx);

/// The kernel of an operation form with such divisors, where it divides integers.
std::string with_safe_divisors(const std::string& ptx);

}  // namespace reconverge::tests
