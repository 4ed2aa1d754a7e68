// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The loops over lanes that operations consist of. Each computes all lanes into a temporary, which the compiler
/// vectorises and keeps in registers, and then writes the lanes that the mask selects.

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "models/execution/operations/operation.hpp"

namespace reconverge::operations {

using kernel::Bank;
using kernel::DataType;
using kernel::Instruction;
using kernel::Operand;

/// How a value of type T lies in a row: narrow values take a whole word.
template <typename T>
using Stored = std::conditional_t<(sizeof(T) < 4), std::uint32_t, T>;

template <typename T>
constexpr T from_row(Stored<T> stored) {
  if constexpr (sizeof(T) >= 4) {
    return stored;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(stored);
  } else {
    return std::bit_cast<T>(static_cast<std::uint16_t>(stored));
  }
}

template <typename T>
constexpr Stored<T> to_row(T value) {
  if constexpr (sizeof(T) >= 4) {
    return value;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<std::uint32_t>(value);  // sign-extends signed types, as PTX does for wider registers
  } else {
    return std::bit_cast<std::uint16_t>(value);
  }
}

/// The words of a register row, one a lane.
inline std::uint32_t* row(const ExecutionContext& context, Operand operand) {
  std::byte* base = context.bank[static_cast<unsigned>(operand.bank())] + operand.row() * row_bytes;
  return std::assume_aligned<64>(reinterpret_cast<std::uint32_t*>(base));
}

/// The value of a lane in a row or a pair of rows. The low words of a 64-bit value lie in its first row, the high words
/// in the next: what belongs to a lane stays in the lane's own words, so lanes on different paths may hold different
/// registers in one row.
template <typename T>
Stored<T> value_at(const std::uint32_t* words, unsigned lane) {
  if constexpr (sizeof(T) == 8) {
    return std::bit_cast<T>(std::uint64_t{words[warp_size + lane]} << 32U | words[lane]);
  } else {
    return std::bit_cast<Stored<T>>(words[lane]);
  }
}
template <typename T>
void set_value(std::uint32_t* words, unsigned lane, Stored<T> value) {
  if constexpr (sizeof(T) == 8) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    words[lane] = static_cast<std::uint32_t>(bits);
    words[warp_size + lane] = static_cast<std::uint32_t>(bits >> 32U);
  } else {
    words[lane] = std::bit_cast<std::uint32_t>(value);
  }
}

/// The values of an operand, one a lane.
template <typename T>
class Reader {
 public:
  Reader(const ExecutionContext& context, Operand operand) : words_(row(context, operand)) {}

  Stored<T> operator[](unsigned lane) const { return value_at<T>(words_, lane); }

 private:
  const std::uint32_t* words_;
};

/// Writes the words of the lanes of `mask`: `word(lane)` is that of a lane. Inlined, so that a result goes from the
/// vector registers that it was computed in to the row.
template <typename Word>
[[gnu::always_inline]] inline void blend(std::uint32_t* destination, LaneMask mask, Word word) {
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    // With a conditional in place of the masks, GCC would generate masked loads of values that may not be needed.
    const std::uint32_t keep = (mask & lane_bit(lane)) == 0 ? ~0U : 0U;
    destination[lane] = (destination[lane] & keep) | (word(lane) & ~keep);
  }
}

/// Writes the values of the lanes of `mask` to an operand.
template <typename T>
[[gnu::always_inline]] inline void write_lanes(const ExecutionContext& context, Operand operand,
                                               const Stored<T>* values, LaneMask mask) {
  std::uint32_t* destination = row(context, operand);
  if constexpr (sizeof(T) == 8) {
    blend(destination, mask,
          [&](unsigned lane) { return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(values[lane])); });
    blend(destination + warp_size, mask,
          [&](unsigned lane) { return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(values[lane]) >> 32U); });
  } else {
    blend(destination, mask, [&](unsigned lane) { return std::bit_cast<std::uint32_t>(values[lane]); });
  }
}

/// Bit i set where `flags[i]` is all ones.
inline LaneMask to_mask(const std::uint32_t* flags) {
#if defined(__AVX2__)
  LaneMask mask = 0;
  for (unsigned part = 0; part < 4; ++part) {
    const __m256i words = _mm256_load_si256(reinterpret_cast<const __m256i*>(flags + 8 * part));
    mask |= static_cast<LaneMask>(_mm256_movemask_ps(_mm256_castsi256_ps(words))) << (8 * part);
  }
  return mask;
#else
  LaneMask mask = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) mask |= (flags[lane] & 1U) << lane;
  return mask;
#endif
}

template <typename F, typename R, typename... A, std::size_t... I>
[[gnu::always_inline]] inline void lanewise_of(const Instruction& instruction, ExecutionContext& context, LaneMask mask,
                                               std::index_sequence<I...> /*sources*/) {
  alignas(64) Stored<R> result[warp_size];
  const std::tuple<Reader<A>...> source(Reader<A>(context, instruction.source[I])...);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    result[lane] = to_row<R>(F{}(from_row<A>(std::get<I>(source)[lane])...));
  }
  write_lanes<R>(context, instruction.destination[0], result, mask);
}

/// destination[0] = F(sources...), for all lanes of `mask`.
template <typename F, typename R, typename... A>
void lanewise(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  lanewise_of<F, R, A...>(instruction, context, mask, std::index_sequence_for<A...>{});
}

/// The predicate operand source[index], inverted where PTX says so.
inline LaneMask predicate(const Instruction& instruction, const ExecutionContext& context, unsigned index) {
  const LaneMask value = context.predicates[instruction.source[index].row()];
  return (instruction.negated_sources >> index & 1U) != 0 ? ~value : value;
}

inline void write_predicate(ExecutionContext& context, Operand destination, LaneMask value, LaneMask mask) {
  if (!destination.present()) return;
  LaneMask& target = context.predicates[destination.row()];
  target = (target & ~mask) | (value & mask);
}

/// Integers are never NaN, so templates may ask for any type.
template <typename T>
constexpr bool is_nan(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::isnan(value);
  } else {
    return false;
  }
}

/// PTX: an arithmetic result that is NaN is the canonical one.
constexpr float canonical(float value) { return !is_nan(value) ? value : std::bit_cast<float>(0x7fffffffU); }
constexpr double canonical(double value) {
  return !is_nan(value) ? value : std::bit_cast<double>(std::uint64_t{0x7fffffffffffffff});
}

/// PTX .ftz: a subnormal operand or result becomes zero of its sign.
constexpr float flush(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits & 0x7f800000U) == 0 ? std::bit_cast<float>(bits & 0x80000000U) : value;
}

/// PTX .ftz of a rounded result. GPUs flush what is subnormal when rounded to 24 bits with an unbounded exponent: a
/// result that reaches the lowest normal number only by the coarser rounding of subnormals is flushed. `magnified` is
/// 2^32 times the result, rounded once.
inline float flush_rounded(float value, float magnified) {
  const bool is_lowest = std::abs(value) == 0x1p-126F;
  const bool is_less = std::abs(magnified) < 0x1p-94F;
  return std::copysign(is_lowest && is_less ? 0.0F : flush(value), value);
}

/// PTX .sat: [0, 1], NaN becomes zero.
constexpr float saturate(float value) { return value > 0.0F ? (value < 1.0F ? value : 1.0F) : 0.0F; }
constexpr double saturate(double value) { return value > 0.0 ? (value < 1.0 ? value : 1.0) : 0.0; }

/// The functions return nullptr for an operation that is not supported; the caller reports it at its PTX line.
Operation select_integer(const Instruction& instruction);
/// Integer instructions that write or read the condition code.
bool uses_carry(const Instruction& instruction);
Operation select_carry(const Instruction& instruction);
/// add, min, max of halves and .relu; dp4a, dp2a.
Operation select_packed(const Instruction& instruction);
Operation select_video(const Instruction& instruction);
Operation select_float(const Instruction& instruction);
Operation select_directed(const Instruction& instruction);
Operation select_half(const Instruction& instruction);
Operation select_approximate(const Instruction& instruction);
Operation select_logic(const Instruction& instruction);
Operation select_move(const Instruction& instruction);
Operation select_compare(const Instruction& instruction);
Operation select_convert(const Instruction& instruction);
/// cvt.pack, and conversions of 8-bit floats.
Operation select_pack_conversion(const Instruction& instruction);
Operation select_memory(const Instruction& instruction);
/// memory.cpp: bulk_copy.
Operation select_bulk_copy(const Instruction& instruction);
Operation select_atomic(const Instruction& instruction);
Operation select_texture(const Instruction& instruction);
Operation select_warp(const Instruction& instruction);
/// mbarrier, and what of cp.async arrives at one.
Operation select_mbarrier(const Instruction& instruction);
/// mma, ldmatrix, stmatrix, movmatrix.
Operation select_matrix(const Instruction& instruction);
Operation select_control(const Instruction& instruction);
/// Extension instructions of schemes that return a value.
Operation select_extension(const Instruction& instruction);
Operation select_host(const Instruction& instruction);

}  // namespace reconverge::operations
