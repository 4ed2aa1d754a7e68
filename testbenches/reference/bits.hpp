// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Values in the interpreter: 64 bits, of which a type uses the low ones.

#include <bit>
#include <cstdint>

#include "models/kernel/opcode.hpp"

namespace reconverge::reference {

constexpr unsigned width_of(kernel::DataType type) { return 8 * kernel::bytes_of(type); }

/// The low `width` bits of `bits`, the others zero.
constexpr std::uint64_t low_bits(std::uint64_t bits, unsigned width) {
  return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

/// The low `width` bits of `bits` as a two's complement number.
constexpr std::int64_t signed_value(std::uint64_t bits, unsigned width) {
  const unsigned unused = 64 - width;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

/// The bits of `type`, extended to 64 according to its signedness.
constexpr std::uint64_t extended(std::uint64_t bits, kernel::DataType type) {
  const unsigned width = width_of(type);
  return kernel::is_signed(type) ? static_cast<std::uint64_t>(signed_value(bits, width)) : low_bits(bits, width);
}

/// The number that bits of type F represent, and back.
template <typename F>
F float_of(std::uint64_t bits) {
  if constexpr (sizeof(F) == 4) {
    return std::bit_cast<F>(static_cast<std::uint32_t>(bits));
  } else {
    return std::bit_cast<F>(bits);
  }
}
inline std::uint64_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
inline std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

}  // namespace reconverge::reference
