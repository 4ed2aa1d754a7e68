// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/execution/operations/lanewise.hpp"

// 32-bit words as two or four integers: add, min and max of halves, dot products.

namespace reconverge::operations {

namespace {

using kernel::Half;
using kernel::Opcode;
using kernel::PairedHalves;

struct Sum {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
struct Least {
  template <typename T>
  T operator()(T a, T b) const {
    return std::min(a, b);
  }
};
struct Greatest {
  template <typename T>
  T operator()(T a, T b) const {
    return std::max(a, b);
  }
};
template <typename F>
struct NotNegative {
  template <typename T>
  T operator()(T a, T b) const {
    return std::max(F{}(a, b), T{0});
  }
};

/// F on the low halves and on the high ones.
template <typename F, typename T>
struct Halves {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    const auto low = static_cast<std::uint16_t>(F{}(static_cast<T>(a), static_cast<T>(b)));
    const auto high = static_cast<std::uint16_t>(F{}(static_cast<T>(a >> 16U), static_cast<T>(b >> 16U)));
    return std::uint32_t{high} << 16U | low;
  }
};

template <typename F>
Operation by_form(PairedHalves form) {
  using W = std::uint32_t;
  switch (form) {
    case PairedHalves::u16x2:
      return &lanewise<Halves<F, std::uint16_t>, W, W, W>;
    case PairedHalves::s16x2:
      return &lanewise<Halves<F, std::int16_t>, W, W, W>;
    case PairedHalves::s16x2_relu:
      return &lanewise<Halves<NotNegative<F>, std::int16_t>, W, W, W>;
    case PairedHalves::s32_relu:
      return &lanewise<NotNegative<F>, std::int32_t, std::int32_t, std::int32_t>;
    default:
      return nullptr;
  }
}

/// c plus the products of the four bytes of a and b.
template <typename A, typename B>
struct Dot4 {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    for (unsigned byte = 0; byte < 32; byte += 8) {
      c += static_cast<std::uint32_t>(static_cast<A>(a >> byte) * static_cast<B>(b >> byte));
    }
    return c;
  }
};

/// c plus the products of the two halves of a with two bytes of b: the lower, or the upper.
template <typename A, typename B, unsigned First>
struct Dot2 {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    c += static_cast<std::uint32_t>(static_cast<A>(a) * static_cast<B>(b >> First));
    c += static_cast<std::uint32_t>(static_cast<A>(a >> 16U) * static_cast<B>(b >> (First + 8)));
    return c;
  }
};

template <typename F>
Operation dot() {
  return &lanewise<F, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
}

template <typename A, typename B>
Operation dot2(Half half) {
  return half == Half::lo ? dot<Dot2<A, B, 0>>() : dot<Dot2<A, B, 16>>();
}

}  // namespace

Operation select_packed(const Instruction& instruction) {
  const bool a_signed = instruction.type == DataType::s32;
  const bool b_signed = instruction.source_type == DataType::s32;
  const auto form = static_cast<PairedHalves>(instruction.variant);
  switch (instruction.opcode) {
    case Opcode::add:
      return by_form<Sum>(form);
    case Opcode::min:
      return by_form<Least>(form);
    case Opcode::max:
      return by_form<Greatest>(form);
    case Opcode::dp4a:
      if (a_signed) return b_signed ? dot<Dot4<std::int8_t, std::int8_t>>() : dot<Dot4<std::int8_t, std::uint8_t>>();
      return b_signed ? dot<Dot4<std::uint8_t, std::int8_t>>() : dot<Dot4<std::uint8_t, std::uint8_t>>();
    case Opcode::dp2a:
      if (a_signed) {
        return b_signed ? dot2<std::int16_t, std::int8_t>(instruction.half)
                        : dot2<std::int16_t, std::uint8_t>(instruction.half);
      }
      return b_signed ? dot2<std::uint16_t, std::int8_t>(instruction.half)
                      : dot2<std::uint16_t, std::uint8_t>(instruction.half);
    default:
      return nullptr;
  }
}

}  // namespace reconverge::operations
