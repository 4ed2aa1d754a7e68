#pragma once
/// min and max of floats: -0 is below +0, and of a number and a NaN the number wins unless .NaN says otherwise.

#include <cmath>

namespace reconverge::lanes {

template <bool NanWins>
struct Min {
  template <typename T>
  T operator()(T a, T b) const {
    const T smaller = a < b || (a == b && std::signbit(a)) ? a : b;
    if constexpr (NanWins) return a != a ? a : (b != b ? b : smaller);
    return a != a ? b : (b != b ? a : smaller);
  }
};

template <bool NanWins>
struct Max {
  template <typename T>
  T operator()(T a, T b) const {
    const T larger = a > b || (a == b && !std::signbit(a)) ? a : b;
    if constexpr (NanWins) return a != a ? a : (b != b ? b : larger);
    return a != a ? b : (b != b ? a : larger);
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

}  // namespace reconverge::lanes
