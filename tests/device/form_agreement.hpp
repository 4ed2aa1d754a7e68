// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Decides whether the result of one form of an instruction on a GPU agrees with ours.

#include <string>

#include "testbenches/device/job.hpp"
#include "tests/contract/operation_forms.hpp"

namespace reconverge::tests {

/// Compares the buffers (operands, results, sums) that `operation_case(form)` leaves. Bits must be equal, but:
/// - where the form has a floating type, two NaNs of that type agree, since PTX leaves their payload open;
/// - an approximation agrees within `tolerance`.
std::string form_difference(const contract::Form& form, const device::Buffers& expected, const device::Buffers& found);

/// A binary floating-point format.
struct FloatFormat {
  int exponent_bits = 8;
  int fraction_bits = 23;

  int bits() const { return 1 + exponent_bits + fraction_bits; }
  double value(std::uint64_t bits) const;
  /// Distance from `value` to the next larger one.
  double unit_at(double value) const;
};
/// Of the type, or of the parts of a packed one. Throws std::invalid_argument for other types.
FloatFormat format_of(kernel::DataType type);

/// How far an approximation may differ from `nearest`, the exact result for the operands a and b rounded to nearest.
/// Infinite if no accuracy is promised; zero if the form is not an approximation.
///
/// The errors are the ones that the PTX ISA states, the largest if its versions differ:
///   div.approx, div.full   2 ulp; .approx only for divisors of 2^-126 to 2^126
///   rcp.approx             1 ulp
///   sqrt.approx            2^-23 of the result
///   rsqrt.approx           2^-22.9 of the result
///   sin.approx, cos.approx 2^-20.5 for operands up to 2 pi, 2^-14.7 up to 100 pi
///   lg2.approx             2^-22 for operands of 0.5 to 2, elsewhere 2^-22 of the result
///   ex2.approx             f32: 2 ulp; f16: 2^-9.9 of the result; bf16: 2^-7 of the result
///   tanh.approx            f32: 2^-11 of the result; f16: 2^-10.987; bf16: 2^-8
/// It states none for f64; ours are 2 ulp for rsqrt.approx, and 2^-18 of the result for the .ftz forms of rcp and
/// rsqrt, which read and write only upper halves.
double tolerance(const contract::Form& form, double a, double b, double nearest);

}  // namespace reconverge::tests
