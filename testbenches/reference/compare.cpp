// SPDX-License-Identifier: Apache-2.0
// Comparisons of integers and floats.

#include "testbenches/reference/bits.hpp"
#include "testbenches/reference/exact.hpp"
#include "testbenches/reference/operations.hpp"

namespace reconverge::reference {

namespace {

using kernel::Comparison;
using kernel::DataType;
using kernel::Instruction;

// Compares bits: floats of one sign are ordered by magnitude.
bool compare_floats(const Instruction& instruction, Format format, std::uint64_t a_bits, std::uint64_t b_bits) {
  const auto magnitude_of = [&](std::uint64_t bits) {
    const std::uint64_t magnitude = bits & (format.sign() - 1);
    const bool subnormal = (magnitude & format.infinity()) == 0;
    return instruction.flush_subnormals && subnormal ? 0 : static_cast<std::int64_t>(magnitude);
  };
  const auto place_of = [&](std::uint64_t bits) {
    return (bits & format.sign()) != 0 ? -magnitude_of(bits) : magnitude_of(bits);
  };
  const auto infinity = static_cast<std::int64_t>(format.infinity());
  const bool unordered = magnitude_of(a_bits) > infinity || magnitude_of(b_bits) > infinity;
  const std::int64_t a = place_of(a_bits);
  const std::int64_t b = place_of(b_bits);
  switch (instruction.comparison) {
    case Comparison::eq:
      return !unordered && a == b;
    case Comparison::ne:
      return !unordered && a != b;
    case Comparison::lt:
      return !unordered && a < b;
    case Comparison::le:
      return !unordered && a <= b;
    case Comparison::gt:
      return !unordered && a > b;
    case Comparison::ge:
      return !unordered && a >= b;
    case Comparison::equ:
      return unordered || a == b;
    case Comparison::neu:
      return unordered || a != b;
    case Comparison::ltu:
      return unordered || a < b;
    case Comparison::leu:
      return unordered || a <= b;
    case Comparison::gtu:
      return unordered || a > b;
    case Comparison::geu:
      return unordered || a >= b;
    case Comparison::num:
      return !unordered;
    case Comparison::nan:
      return unordered;
    default:
      unknown_instruction(instruction);
  }
}

template <typename T>
bool compare_integers(const Instruction& instruction, T a, T b) {
  switch (instruction.comparison) {
    case Comparison::eq:
      return a == b;
    case Comparison::ne:
      return a != b;
    case Comparison::lt:
    case Comparison::lo:
      return a < b;
    case Comparison::le:
    case Comparison::ls:
      return a <= b;
    case Comparison::gt:
    case Comparison::hi:
      return a > b;
    case Comparison::ge:
    case Comparison::hs:
      return a >= b;
    default:
      unknown_instruction(instruction);
  }
}

}  // namespace

bool compares(const Instruction& instruction, DataType type, std::uint64_t a, std::uint64_t b) {
  if (kernel::is_float(type)) return compare_floats(instruction, format_of(type), a, b);
  const unsigned width = width_of(type);
  if (kernel::is_signed(type)) return compare_integers(instruction, signed_value(a, width), signed_value(b, width));
  return compare_integers(instruction, low_bits(a, width), low_bits(b, width));
}

bool selects_first(const Instruction& instruction, std::uint64_t c) {
  Instruction comparison = instruction;
  comparison.comparison = Comparison::ge;
  return compares(comparison, instruction.source_type, c, 0);
}

}  // namespace reconverge::reference
