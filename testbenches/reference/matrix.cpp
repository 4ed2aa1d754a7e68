// SPDX-License-Identifier: Apache-2.0
// Matrices distributed over the threads of a warp: mma by the definition of a product, element by element.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "testbenches/reference/bits.hpp"
#include "testbenches/reference/exact.hpp"
#include "testbenches/reference/scalar_interpreter.hpp"

namespace reconverge {

using kernel::DataType;
using kernel::Instruction;
using kernel::MatrixElement;
using kernel::Opcode;
using reference::low_bits;
using reference::signed_value;

namespace {

/// The location of an element: the thread, its register, and the lowest bit in it (`shift`).
struct Home {
  unsigned lane = 0;
  unsigned slot = 0;
  unsigned shift = 0;
};

// The home of an element of line `line`, which is a row of A or a column of B.
Home home_of_factor(MatrixElement type, unsigned line, unsigned k) {
  const unsigned in_register = type == MatrixElement::f64 ? 1 : 32 / kernel::bits_of(type);
  return {line % 8 * 4 + k / in_register, line / 8, k % in_register * kernel::bits_of(type)};
}

Home home_of_sum(DataType type, unsigned row, unsigned column) {
  const unsigned lane = row % 8 * 4 + column / 2;
  if (type == DataType::f16) return {lane, row / 8, column % 2 * 16};
  return {lane, row / 8 * 2 + column % 2, 0};
}

double binary8(std::uint64_t code, int fraction_bits, int bias) {
  const double sign = (code & 0x80) != 0 ? -1 : 1;
  const auto magnitude = static_cast<int>(code & 0x7f);
  const int exponent = magnitude >> fraction_bits;
  const int fraction = magnitude & ((1 << fraction_bits) - 1);
  if (fraction_bits == 3 && magnitude == 0x7f) return std::numeric_limits<double>::quiet_NaN();
  if (fraction_bits == 2 && exponent == 31) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  }
  const double value = exponent == 0 ? std::ldexp(fraction, 1 - bias - fraction_bits)
                                     : std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
  return sign * value;
}

double from_half(DataType type, std::uint64_t bits) {
  const reference::Format half = reference::format_of(type);
  const reference::Format whole = reference::format_of(DataType::f64);
  return reference::float_of<double>(
      reference::encoded(reference::number_of(bits, half), whole, reference::Direction::nearest_even));
}

double factor(MatrixElement type, std::uint64_t bits) {
  switch (type) {
    case MatrixElement::f16:
      return from_half(DataType::f16, bits);
    case MatrixElement::bf16:
      return from_half(DataType::bf16, bits);
    case MatrixElement::tf32:
      return reference::float_of<float>(bits >> 13 << 13);
    case MatrixElement::e4m3:
      return binary8(bits, 3, 7);
    case MatrixElement::e5m2:
      return binary8(bits, 2, 15);
    case MatrixElement::u8:
    case MatrixElement::u4:
      return static_cast<double>(bits);
    default:
      return static_cast<double>(signed_value(bits, kernel::bits_of(type)));
  }
}

// An element of C or D as a number.
double sum_of(DataType type, std::uint64_t bits) {
  if (type == DataType::f16) return from_half(type, bits);
  if (type == DataType::f32) return reference::float_of<float>(bits);
  return static_cast<double>(signed_value(bits, 32));
}

std::uint64_t bits_of_sum(const Instruction& instruction, double sum) {
  if (instruction.type == DataType::s32) {
    const auto value = static_cast<std::int64_t>(sum);
    using Limits = std::numeric_limits<std::int32_t>;
    const std::int64_t bounded = std::clamp<std::int64_t>(value, Limits::min(), Limits::max());
    return low_bits(static_cast<std::uint64_t>(instruction.saturate ? bounded : value), 32);
  }
  const reference::Format from = reference::format_of(DataType::f64);
  const reference::Format to = reference::format_of(instruction.type);
  if (std::isnan(sum)) return to.nan();
  return reference::encoded(reference::number_of(reference::bits_of(sum), from), to,
                            reference::Direction::nearest_even);
}

}  // namespace

void ScalarInterpreter::multiply_matrices(std::span<Thread* const> warp, const Instruction& instruction) {
  const auto a_type = static_cast<MatrixElement>(instruction.variant & ((1U << kernel::matrix_element_bits) - 1));
  const auto b_type = static_cast<MatrixElement>(instruction.variant >> kernel::matrix_element_bits);
  const unsigned rows = instruction.source[1].present() ? 16 : 8;
  const unsigned depth = a_type == MatrixElement::f64 ? 4 : 128 / kernel::bits_of(a_type);
  const auto bits_at = [&](unsigned slot, Home home, unsigned width) {
    return low_bits(source(*warp[home.lane], instruction, slot + home.slot) >> home.shift, width);
  };
  const auto product = [&](unsigned row, unsigned column) {
    const unsigned a_bits = kernel::bits_of(a_type);
    double sum = 0;
    for (unsigned k = 0; k < depth; ++k) {
      const std::uint64_t a = bits_at(0, home_of_factor(a_type, row, k), a_bits);
      const std::uint64_t b = bits_at(2, home_of_factor(b_type, column, k), kernel::bits_of(b_type));
      if (a_type == MatrixElement::b1) {
        sum += static_cast<double>(instruction.boolean == kernel::Boolean::and_ ? a & b : a ^ b);
      } else {
        sum += factor(a_type, a) * factor(b_type, b);
      }
    }
    return sum;
  };
  std::array<std::array<std::uint64_t, 4>, warp_size> results{};
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned column = 0; column < 8; ++column) {
      const Home home = home_of_sum(instruction.source_type, row, column);
      const Home to = home_of_sum(instruction.type, row, column);
      std::uint64_t& result = results[to.lane][to.slot];
      if (a_type == MatrixElement::f64) {
        auto sum = reference::float_of<double>(bits_at(3, home, 64));
        for (unsigned k = 0; k < depth; ++k) {
          sum = std::fma(reference::float_of<double>(bits_at(0, home_of_factor(a_type, row, k), 64)),
                         reference::float_of<double>(bits_at(2, home_of_factor(a_type, column, k), 64)), sum);
        }
        result = std::isnan(sum) ? reference::format_of(DataType::f64).nan() : reference::bits_of(sum);
      } else {
        const unsigned width = instruction.source_type == DataType::f16 ? 16 : 32;
        const double sum = product(row, column) + sum_of(instruction.source_type, bits_at(3, home, width));
        result |= bits_of_sum(instruction, sum) << to.shift;
      }
    }
  }
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    for (unsigned i = 0; i < results[lane].size(); ++i)
      write_destination(*warp[lane], instruction, i, results[lane][i]);
  }
}

void ScalarInterpreter::move_matrices(std::span<Thread* const> warp, const Instruction& instruction) {
  constexpr unsigned line_bytes = 16;
  const bool stores = instruction.opcode == Opcode::stmatrix;
  const bool transposed = instruction.opcode == Opcode::movmatrix || instruction.variant != 0;
  // The 16-bit element in `half` of a thread's register, by line and column.
  const auto coordinates = [&](unsigned lane, unsigned half) {
    const std::pair<unsigned, unsigned> at{lane / 4, lane % 4 * 2 + half};
    return transposed ? std::pair{at.second, at.first} : at;
  };
  const unsigned matrices = instruction.opcode == Opcode::movmatrix ? 1 : instruction.vector_width;
  std::array<std::array<std::uint64_t, 4>, warp_size> results{};
  for (unsigned matrix = 0; matrix < matrices; ++matrix) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      for (unsigned half = 0; half < 2; ++half) {
        const auto [line, column] = coordinates(lane, half);
        std::uint64_t element = 0;
        if (instruction.opcode == Opcode::movmatrix) {
          element = low_bits(source(*warp[line * 4 + column / 2], instruction, 0) >> (16 * (column % 2)), 16);
        } else {
          Thread& owner = *warp[8 * matrix + line];
          const Place place = locate(owner, instruction, line_bytes);
          if (!place.shared) fail(owner, "a matrix that is not in shared memory");
          const std::uint64_t own = low_bits(source(*warp[lane], instruction, 1 + matrix) >> (16 * half), 16);
          if (stores) std::memcpy(place.bytes + std::size_t{2} * column, &own, 2);
          std::memcpy(&element, place.bytes + std::size_t{2} * column, 2);
        }
        results[lane][matrix] |= element << (16 * half);
      }
    }
  }
  if (stores) return;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    for (unsigned i = 0; i < matrices; ++i) write_destination(*warp[lane], instruction, i, results[lane][i]);
  }
}

void ScalarInterpreter::run_matrix(std::span<Thread* const> warp, const Instruction& instruction) {
  if (warp.size() != warp_size) fail(*warp.front(), fmt::format("{} threads at a matrix, which wants 32", warp.size()));
  if (instruction.opcode == Opcode::mma) return multiply_matrices(warp, instruction);
  move_matrices(warp, instruction);
}

}  // namespace reconverge
