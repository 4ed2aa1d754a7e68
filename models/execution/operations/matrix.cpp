// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "models/core/error.hpp"
#include "models/execution/operations/addressing.hpp"
#include "models/execution/operations/float8.hpp"

// mma, ldmatrix, stmatrix, movmatrix: a matrix is distributed over the lanes of a warp, so all of them take part. Lane
// 4 g + t holds line g, elements from t * (elements a register) on.

namespace reconverge::operations {

namespace {

using kernel::Boolean;
using kernel::MatrixElement;
using kernel::Opcode;

constexpr unsigned lines = 8;  // of a matrix that a register holds a part of in each lane
constexpr unsigned lanes_a_line = 4;
constexpr unsigned step_columns = 8;
constexpr unsigned most_rows = 16;
constexpr unsigned most_sums = 4;  // accumulators in a lane

void require_warp(const Instruction& instruction, const ExecutionContext& context, LaneMask mask) {
  if (mask == all_lanes) return;
  const auto& program = *context.program;
  throw ExecutionError(fmt::format(
      "{}: '{}' wants all 32 lanes of a warp, and {} are here, in kernel '{}' (block {}, warp {}): no lane may have "
      "branched away or returned before, and blocks have a multiple of 32 threads",
      kernel::place_of(program, instruction), kernel::name_of(instruction.opcode), count_lanes(mask), program.name,
      context.position.block, context.position.warp));
}

MatrixElement element_of_a(const Instruction& instruction) {
  return static_cast<MatrixElement>(instruction.variant & ((1U << kernel::matrix_element_bits) - 1));
}
MatrixElement element_of_b(const Instruction& instruction) {
  return static_cast<MatrixElement>(instruction.variant >> kernel::matrix_element_bits);
}

/// The element of a register, `i`-th from the bottom.
double number_in(MatrixElement element, std::uint32_t word, unsigned i) {
  const std::uint32_t byte = word >> (8 * i) & 0xffU;
  const auto half = static_cast<std::uint16_t>(word >> (16 * (i & 1U)));
  switch (element) {
    case MatrixElement::bf16:
      return widen(Bfloat{half});
    case MatrixElement::tf32: {
      constexpr std::uint32_t kept = 0xffffe000U;  // sign, 8 bits of exponent, 10 of fraction
      return std::bit_cast<float>(word & kept);
    }
    case MatrixElement::e4m3:
      return widen(Half{static_cast<std::uint16_t>(widen8<E4m3>(byte, false))});
    case MatrixElement::e5m2:
      return widen(Half{static_cast<std::uint16_t>(widen8<E5m2>(byte, false))});
    default:
      return widen(Half{half});
  }
}

std::int64_t integer_in(MatrixElement element, std::uint32_t word, unsigned i) {
  const std::uint32_t byte = word >> (8 * (i & 3U)) & 0xffU;
  const std::uint32_t nibble = word >> (4 * i) & 0xfU;
  switch (element) {
    case MatrixElement::u8:
      return byte;
    case MatrixElement::s8:
      return static_cast<std::int8_t>(byte);
    case MatrixElement::u4:
      return nibble;
    default:
      return static_cast<std::int64_t>(nibble) - (nibble >= 8 ? 16 : 0);
  }
}

/// The factors of a step: rows of A, columns of B.
template <typename T, unsigned Depth>
struct Factors {
  std::array<std::array<T, Depth>, most_rows> a{};
  std::array<std::array<T, Depth>, step_columns> b{};
};

template <typename T, unsigned Depth, typename Element>
Factors<T, Depth> read_factors(const Instruction& instruction, const ExecutionContext& context, Element element) {
  constexpr unsigned in_lane = Depth / lanes_a_line;
  Factors<T, Depth> factors;
  const auto read = [&](unsigned slot, MatrixElement type, auto* to) {
    const Reader<std::uint32_t> words(context, instruction.source[slot]);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      auto& line = to[lane / lanes_a_line];
      for (unsigned i = 0; i < in_lane; ++i) line[lane % lanes_a_line * in_lane + i] = element(type, words[lane], i);
    }
  };
  read(0, element_of_a(instruction), factors.a.data());
  if (instruction.source[1].present()) read(1, element_of_a(instruction), factors.a.data() + lines);
  read(2, element_of_b(instruction), factors.b.data());
  return factors;
}

/// Accumulators of a lane: rows g and g + 8, columns 2 t and 2 t + 1.
template <typename T>
using Sums = std::array<std::array<T, warp_size>, most_sums>;

constexpr unsigned row_of(unsigned lane, unsigned i) { return lane / lanes_a_line + lines * (i / 2); }
constexpr unsigned column_of(unsigned lane, unsigned i) { return lane % lanes_a_line * 2 + i % 2; }

/// Computes each accumulator as `sum(old, row, column)`.
template <typename T, typename Sum>
void accumulate(const Instruction& instruction, Sums<T>& sums, Sum sum) {
  const unsigned in_lane = instruction.source[1].present() ? most_sums : most_sums / 2;
  for (unsigned i = 0; i < in_lane; ++i) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      sums[i][lane] = sum(sums[i][lane], row_of(lane, i), column_of(lane, i));
    }
  }
}

Sums<double> read_sums(const Instruction& instruction, const ExecutionContext& context) {
  Sums<double> sums{};
  for (unsigned i = 0; i < most_sums; ++i) {
    const bool halves = instruction.source_type == DataType::f16;
    const Operand operand = instruction.source[3 + (halves ? i / 2 : i)];
    if (!operand.present()) break;
    const Reader<std::uint32_t> words(context, operand);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      const std::uint32_t word = words[lane];
      sums[i][lane] = halves ? number_in(MatrixElement::f16, word, i % 2) : std::bit_cast<float>(word);
    }
  }
  return sums;
}

void write_sums(const Instruction& instruction, const ExecutionContext& context, const Sums<double>& sums) {
  const bool halves = instruction.type == DataType::f16;
  for (unsigned i = 0; i < most_sums; i += halves ? 2 : 1) {
    const Operand operand = instruction.destination[halves ? i / 2 : i];
    if (!operand.present()) break;
    alignas(64) std::array<std::uint32_t, warp_size> result;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      if (halves) {
        const std::uint32_t upper = narrow<Half>(sums[i + 1][lane]).bits;
        result[lane] = upper << 16U | narrow<Half>(sums[i][lane]).bits;
      } else {
        result[lane] = std::bit_cast<std::uint32_t>(canonical(static_cast<float>(sums[i][lane])));
      }
    }
    write_lanes<std::uint32_t>(context, operand, result.data(), all_lanes);
  }
}

/// Products are exact in f64; they are added in order of k, C last, and rounded once to the type of D.
template <unsigned Depth>
void multiply_floats(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  require_warp(instruction, context, mask);
  const auto factors = read_factors<double, Depth>(instruction, context, number_in);
  Sums<double> sums = read_sums(instruction, context);
  accumulate(instruction, sums, [&](double old, unsigned row, unsigned column) {
    double sum = 0;
    for (unsigned k = 0; k < Depth; ++k) sum += factors.a[row][k] * factors.b[column][k];
    return sum + old;
  });
  write_sums(instruction, context, sums);
}

template <typename Product, unsigned Depth, typename Element>
void multiply_integers_by(const Instruction& instruction, ExecutionContext& context, Element element) {
  const auto factors = read_factors<std::int64_t, Depth>(instruction, context, element);
  Sums<std::int64_t> sums{};
  for (unsigned i = 0; i < most_sums && instruction.source[3 + i].present(); ++i) {
    const Reader<std::int32_t> words(context, instruction.source[3 + i]);
    for (unsigned lane = 0; lane < warp_size; ++lane) sums[i][lane] = words[lane];
  }
  accumulate(instruction, sums, [&](std::int64_t old, unsigned row, unsigned column) {
    for (unsigned k = 0; k < Depth; ++k) old += Product{}(factors.a[row][k], factors.b[column][k]);
    using Limits = std::numeric_limits<std::int32_t>;
    return instruction.saturate ? std::clamp<std::int64_t>(old, Limits::min(), Limits::max()) : old;
  });
  for (unsigned i = 0; i < most_sums && instruction.destination[i].present(); ++i) {
    alignas(64) std::array<std::uint32_t, warp_size> result;
    for (unsigned lane = 0; lane < warp_size; ++lane) result[lane] = static_cast<std::uint32_t>(sums[i][lane]);
    write_lanes<std::uint32_t>(context, instruction.destination[i], result.data(), all_lanes);
  }
}

template <unsigned Depth>
void multiply_integers(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  require_warp(instruction, context, mask);
  multiply_integers_by<std::multiplies<>, Depth>(instruction, context, integer_in);
}

/// For single bits: the number of bits of a word that are set after the operation.
template <typename Bits>
struct CountBits {
  std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    return std::popcount(static_cast<std::uint32_t>(Bits{}(a, b)));
  }
};

template <typename Bits>
void multiply_bits(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  require_warp(instruction, context, mask);
  const auto word = [](MatrixElement /*element*/, std::uint32_t bits, unsigned /*i*/) { return std::int64_t{bits}; };
  multiply_integers_by<CountBits<Bits>, lanes_a_line>(instruction, context, word);
}

/// 8 by 8 by 4, in order of k, each product added with one rounding.
void multiply_doubles(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  require_warp(instruction, context, mask);
  const Reader<double> a(context, instruction.source[0]);
  const Reader<double> b(context, instruction.source[2]);
  alignas(64) std::array<std::array<double, warp_size>, 2> result;
  for (unsigned i = 0; i < result.size(); ++i) {
    const Reader<double> c(context, instruction.source[3 + i]);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      double sum = c[lane];
      for (unsigned k = 0; k < lanes_a_line; ++k) {
        sum = std::fma(a[row_of(lane, i) * lanes_a_line + k], b[column_of(lane, i) * lanes_a_line + k], sum);
      }
      result[i][lane] = canonical(sum);
    }
  }
  for (unsigned i = 0; i < result.size(); ++i) {
    write_lanes<double>(context, instruction.destination[i], result[i].data(), all_lanes);
  }
}

/// The place of an element in a matrix of 8 by 8 elements of 16 bits: its line, and its position in the line.
struct Place {
  unsigned line;
  unsigned element;
};

/// The place of half `half` of a lane's register.
constexpr Place place_of(unsigned lane, unsigned half, bool transposed) {
  const unsigned group = lane / lanes_a_line;
  const unsigned along = lane % lanes_a_line * 2 + half;
  return transposed ? Place{along, group} : Place{group, along};
}

constexpr unsigned line_bytes = 16;

/// Lane 8 i + j has the address of line j of matrix i. Calls `move(matrix, lane, half, host pointer)` for each element.
template <typename Move>
void for_each_element(const Instruction& instruction, ExecutionContext& context, LaneMask mask, bool write, Move move) {
  require_warp(instruction, context, mask);
  const unsigned matrices = instruction.vector_width;
  const LaneMask addressed = all_lanes >> (warp_size - lines * matrices);
  const LaneMask resolved = resolve_addresses(instruction, context, addressed, line_bytes, write);
  if (context.access.space != kernel::Space::shared || resolved != addressed) {
    const unsigned lane = resolved == addressed ? 0 : first_lane(addressed & ~resolved);
    fail_access(instruction, context, lane, context.access.address[lane], "a matrix that is not in shared memory");
  }
  const bool transposed = instruction.variant != 0;
  for (unsigned matrix = 0; matrix < matrices; ++matrix) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      for (unsigned half = 0; half < 2; ++half) {
        const Place at = place_of(lane, half, transposed);
        move(matrix, lane, half, place(context, matrix * lines + at.line) + at.element * sizeof(std::uint16_t));
      }
    }
  }
}

void load_matrices(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  alignas(64) std::array<std::array<std::uint32_t, warp_size>, 4> result{};
  for_each_element(instruction, context, mask, false,
                   [&](unsigned matrix, unsigned lane, unsigned half, const std::byte* from) {
                     std::uint16_t value = 0;
                     std::memcpy(&value, from, sizeof(value));
                     result[matrix][lane] |= std::uint32_t{value} << (16 * half);
                   });
  for (unsigned matrix = 0; matrix < result.size(); ++matrix) {
    const Operand destination = instruction.destination[matrix];
    if (destination.present()) write_lanes<std::uint32_t>(context, destination, result[matrix].data(), all_lanes);
  }
}

void store_matrices(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  for_each_element(instruction, context, mask, true, [&](unsigned matrix, unsigned lane, unsigned half, std::byte* to) {
    const Reader<std::uint32_t> words(context, instruction.source[1 + matrix]);
    const auto value = static_cast<std::uint16_t>(words[lane] >> (16 * half));
    std::memcpy(to, &value, sizeof(value));
  });
  context.changed_memory = true;
}

void transpose(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  require_warp(instruction, context, mask);
  const Reader<std::uint32_t> words(context, instruction.source[0]);
  alignas(64) std::array<std::uint32_t, warp_size> result{};
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    for (unsigned half = 0; half < 2; ++half) {
      const Place at = place_of(lane, half, true);
      const std::uint32_t word = words[at.line * lanes_a_line + at.element / 2];
      result[lane] |= (word >> (16 * (at.element % 2)) & 0xffffU) << (16 * half);
    }
  }
  write_lanes<std::uint32_t>(context, instruction.destination[0], result.data(), all_lanes);
}

Operation select_product(const Instruction& instruction) {
  switch (element_of_a(instruction)) {
    case MatrixElement::f16:
    case MatrixElement::bf16:
      return &multiply_floats<8>;
    case MatrixElement::tf32:
      return &multiply_floats<4>;
    case MatrixElement::e4m3:
    case MatrixElement::e5m2:
      return &multiply_floats<16>;
    case MatrixElement::f64:
      return &multiply_doubles;
    case MatrixElement::u8:
    case MatrixElement::s8:
      return &multiply_integers<16>;
    case MatrixElement::u4:
    case MatrixElement::s4:
      return &multiply_integers<32>;
    case MatrixElement::b1:
      return instruction.boolean == Boolean::and_ ? &multiply_bits<std::bit_and<>> : &multiply_bits<std::bit_xor<>>;
  }
  return nullptr;
}

}  // namespace

Operation select_matrix(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::mma:
      return select_product(instruction);
    case Opcode::ldmatrix:
      return &load_matrices;
    case Opcode::stmatrix:
      return &store_matrices;
    case Opcode::movmatrix:
      return &transpose;
    default:
      return nullptr;
  }
}

}  // namespace reconverge::operations
