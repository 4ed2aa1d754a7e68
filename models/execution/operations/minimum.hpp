// SPDX-License-Identifier: Apache-2.0
#pragma once
/// min and max of floats: -0 is below +0, and of a number and a NaN the number wins unless .NaN says otherwise. Two
/// equal operands either have the same bits, or are zeros, of which OR gives the smaller and AND the larger. Masks
/// instead of conditionals keep GCC from splitting the comparisons into separate paths and vectorising each.

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace reconverge::operations {

/// The bits of a value as a number.
template <typename T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

template <bool NanWins>
struct Min {
  template <typename T>
  T operator()(T a, T b) const {
    const T smaller = b < a ? b : a;
    const Bits<T> equal = -static_cast<Bits<T>>(a == b);
    const T number = std::bit_cast<T>(std::bit_cast<Bits<T>>(smaller) | (std::bit_cast<Bits<T>>(b) & equal));
    return (NanWins ? b != b : a != a) ? b : number;
  }
};

template <bool NanWins>
struct Max {
  template <typename T>
  T operator()(T a, T b) const {
    const T larger = b > a ? b : a;
    const Bits<T> equal = -static_cast<Bits<T>>(a == b);
    const T number = std::bit_cast<T>(std::bit_cast<Bits<T>>(larger) & (std::bit_cast<Bits<T>>(b) | ~equal));
    return (NanWins ? b != b : a != a) ? b : number;
  }
};

/// .xorsign.abs: of the magnitudes, with the XOR of both signs.
template <typename F>
struct OfMagnitudes {
  template <typename T>
  T operator()(T a, T b) const {
    const T magnitude = F{}(std::abs(a), std::abs(b));
    return std::signbit(a) != std::signbit(b) ? -magnitude : magnitude;
  }
};

}  // namespace reconverge::operations
