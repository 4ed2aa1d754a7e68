// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "models/execution/operations/lanewise.hpp"

// Integer arithmetic. Overflow wraps: everything is computed unsigned, or in twice the width.

namespace reconverge::operations {

namespace {

using kernel::Half;
using kernel::Opcode;

template <typename T>
using Unsigned = std::make_unsigned_t<T>;

template <typename T>
struct Wider;
template <>
struct Wider<std::int16_t> {
  using type = std::int32_t;
};
template <>
struct Wider<std::uint16_t> {
  using type = std::uint32_t;
};
template <>
struct Wider<std::int32_t> {
  using type = std::int64_t;
};
template <>
struct Wider<std::uint32_t> {
  using type = std::uint64_t;
};
__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;
template <>
struct Wider<std::int64_t> {
  using type = Int128;
};
template <>
struct Wider<std::uint64_t> {
  using type = Uint128;
};
template <typename T>
using Wide = typename Wider<T>::type;

template <typename T>
constexpr unsigned bits = 8 * sizeof(T);

template <typename T>
T wrap(Unsigned<T> value) {
  return static_cast<T>(value);
}

template <typename T>
T low_product(T a, T b) {
  return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

template <typename T>
T high_product(T a, T b) {
  return static_cast<T>(static_cast<Wide<T>>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b)) >> bits<T>);
}

template <typename T>
struct Add {
  T operator()(T a, T b) const { return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b)); }
};
template <typename T>
struct Sub {
  T operator()(T a, T b) const { return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b)); }
};
template <typename T>
struct MulLo {
  T operator()(T a, T b) const { return low_product(a, b); }
};
template <typename T>
struct MulHi {
  T operator()(T a, T b) const { return high_product(a, b); }
};
template <typename T>
struct MulWide {
  Wide<T> operator()(T a, T b) const { return static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b); }
};
template <typename T>
struct MadLo {
  T operator()(T a, T b, T c) const { return Add<T>{}(low_product(a, b), c); }
};
template <typename T>
struct MadHi {
  T operator()(T a, T b, T c) const { return Add<T>{}(high_product(a, b), c); }
};
template <typename T>
struct MadWide {
  Wide<T> operator()(T a, T b, Wide<T> c) const { return Add<Wide<T>>{}(MulWide<T>{}(a, b), c); }
};
template <typename T>
struct Div {
  // Division by zero is unspecified in PTX; GPUs give all ones. The one overflow, minimum by -1, wraps.
  T operator()(T a, T b) const {
    if (b == 0) return static_cast<T>(~T{0});
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return Sub<T>{}(0, a);
    }
    return static_cast<T>(a / b);
  }
};
template <typename T>
struct Rem {
  T operator()(T a, T b) const {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  }
};
template <typename T>
struct Min {
  T operator()(T a, T b) const { return a < b ? a : b; }
};
template <typename T>
struct Max {
  T operator()(T a, T b) const { return a > b ? a : b; }
};
template <typename T>
struct Abs {
  T operator()(T a) const { return a < 0 ? Sub<T>{}(0, a) : a; }
};
template <typename T>
struct Neg {
  T operator()(T a) const { return Sub<T>{}(0, a); }
};
template <typename T>
struct Sad {
  T operator()(T a, T b, T c) const { return Add<T>{}(c, a < b ? Sub<T>{}(b, a) : Sub<T>{}(a, b)); }
};
// mul24, mad24: 24-bit operands in 32-bit registers; .hi keeps bits 47..16 of the product.
template <typename T>
T low24(T a) {
  return static_cast<T>(static_cast<T>(static_cast<std::uint32_t>(a) << 8U) >> 8);
}
template <typename T>
struct Mul24Lo {
  T operator()(T a, T b) const { return low_product(low24(a), low24(b)); }
};
template <typename T>
struct Mul24Hi {
  T operator()(T a, T b) const { return static_cast<T>(static_cast<Wide<T>>(low24(a)) * low24(b) >> 16); }
};
template <typename T>
struct Mad24Lo {
  T operator()(T a, T b, T c) const { return Add<T>{}(Mul24Lo<T>{}(a, b), c); }
};
template <typename T>
struct Mad24Hi {
  T operator()(T a, T b, T c) const { return Add<T>{}(Mul24Hi<T>{}(a, b), c); }
};
// .sat exists only for s32.
template <typename T, typename V>
T clamped(V value) {
  return static_cast<T>(std::clamp<V>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}
struct AddSat {
  std::int32_t operator()(std::int32_t a, std::int32_t b) const { return clamped<std::int32_t>(std::int64_t{a} + b); }
};
struct SubSat {
  std::int32_t operator()(std::int32_t a, std::int32_t b) const { return clamped<std::int32_t>(std::int64_t{a} - b); }
};
struct MadHiSat {
  std::int32_t operator()(std::int32_t a, std::int32_t b, std::int32_t c) const {
    return clamped<std::int32_t>(std::int64_t{high_product(a, b)} + c);
  }
};
struct Mad24HiSat {
  std::int32_t operator()(std::int32_t a, std::int32_t b, std::int32_t c) const {
    return clamped<std::int32_t>(std::int64_t{Mul24Hi<std::int32_t>{}(a, b)} + c);
  }
};

template <template <typename> typename F, typename T, std::size_t Sources>
constexpr Operation same_type() {
  if constexpr (Sources == 1) return &lanewise<F<T>, T, T>;
  if constexpr (Sources == 2) return &lanewise<F<T>, T, T, T>;
  if constexpr (Sources == 3) return &lanewise<F<T>, T, T, T, T>;
}

/// F for every integer type that PTX arithmetic has.
template <template <typename> typename F, std::size_t Sources>
Operation by_type(DataType type) {
  switch (type) {
    case DataType::b16:
    case DataType::u16:
      return same_type<F, std::uint16_t, Sources>();
    case DataType::s16:
      return same_type<F, std::int16_t, Sources>();
    case DataType::b32:
    case DataType::u32:
      return same_type<F, std::uint32_t, Sources>();
    case DataType::s32:
      return same_type<F, std::int32_t, Sources>();
    case DataType::b64:
    case DataType::u64:
      return same_type<F, std::uint64_t, Sources>();
    case DataType::s64:
      return same_type<F, std::int64_t, Sources>();
    default:
      return nullptr;
  }
}

template <template <typename> typename F, std::size_t Sources>
Operation by_signed_type(DataType type) {
  switch (type) {
    case DataType::s16:
      return same_type<F, std::int16_t, Sources>();
    case DataType::s32:
      return same_type<F, std::int32_t, Sources>();
    case DataType::s64:
      return same_type<F, std::int64_t, Sources>();
    default:
      return nullptr;
  }
}

template <template <typename> typename F, std::size_t Sources>
Operation by_32_bit_type(DataType type) {
  if (type == DataType::s32) return same_type<F, std::int32_t, Sources>();
  if (type == DataType::u32) return same_type<F, std::uint32_t, Sources>();
  return nullptr;
}

Operation wide_product(DataType type) {
  switch (type) {
    case DataType::u16:
      return &lanewise<MulWide<std::uint16_t>, std::uint32_t, std::uint16_t, std::uint16_t>;
    case DataType::s16:
      return &lanewise<MulWide<std::int16_t>, std::int32_t, std::int16_t, std::int16_t>;
    case DataType::u32:
      return &lanewise<MulWide<std::uint32_t>, std::uint64_t, std::uint32_t, std::uint32_t>;
    case DataType::s32:
      return &lanewise<MulWide<std::int32_t>, std::int64_t, std::int32_t, std::int32_t>;
    default:
      return nullptr;
  }
}

Operation wide_multiply_add(DataType type) {
  switch (type) {
    case DataType::u16:
      return &lanewise<MadWide<std::uint16_t>, std::uint32_t, std::uint16_t, std::uint16_t, std::uint32_t>;
    case DataType::s16:
      return &lanewise<MadWide<std::int16_t>, std::int32_t, std::int16_t, std::int16_t, std::int32_t>;
    case DataType::u32:
      return &lanewise<MadWide<std::uint32_t>, std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t>;
    case DataType::s32:
      return &lanewise<MadWide<std::int32_t>, std::int64_t, std::int32_t, std::int32_t, std::int64_t>;
    default:
      return nullptr;
  }
}

}  // namespace

Operation select_integer(const Instruction& instruction) {
  const DataType type = instruction.type;
  const bool saturated = instruction.saturate;
  if (uses_carry(instruction)) return select_carry(instruction);
  switch (instruction.opcode) {
    case Opcode::add:
      if (instruction.variant != 0) return select_packed(instruction);
      if (saturated) return &lanewise<AddSat, std::int32_t, std::int32_t, std::int32_t>;
      return by_type<Add, 2>(type);
    case Opcode::sub:
      if (saturated) return &lanewise<SubSat, std::int32_t, std::int32_t, std::int32_t>;
      return by_type<Sub, 2>(type);
    case Opcode::mul:
      if (instruction.half == Half::wide) return wide_product(type);
      return instruction.half == Half::hi ? by_type<MulHi, 2>(type) : by_type<MulLo, 2>(type);
    case Opcode::mad:
      if (saturated) return &lanewise<MadHiSat, std::int32_t, std::int32_t, std::int32_t, std::int32_t>;
      if (instruction.half == Half::wide) return wide_multiply_add(type);
      return instruction.half == Half::hi ? by_type<MadHi, 3>(type) : by_type<MadLo, 3>(type);
    case Opcode::mul24:
      return instruction.half == Half::hi ? by_32_bit_type<Mul24Hi, 2>(type) : by_32_bit_type<Mul24Lo, 2>(type);
    case Opcode::mad24:
      if (saturated) return &lanewise<Mad24HiSat, std::int32_t, std::int32_t, std::int32_t, std::int32_t>;
      return instruction.half == Half::hi ? by_32_bit_type<Mad24Hi, 3>(type) : by_32_bit_type<Mad24Lo, 3>(type);
    case Opcode::div:
      return by_type<Div, 2>(type);
    case Opcode::rem:
      return by_type<Rem, 2>(type);
    case Opcode::min:
      if (instruction.variant != 0) return select_packed(instruction);
      return by_type<Min, 2>(type);
    case Opcode::max:
      if (instruction.variant != 0) return select_packed(instruction);
      return by_type<Max, 2>(type);
    case Opcode::abs:
      return by_signed_type<Abs, 1>(type);
    case Opcode::neg:
      return by_signed_type<Neg, 1>(type);
    case Opcode::sad:
      return by_type<Sad, 3>(type);
    default:
      return nullptr;
  }
}

}  // namespace reconverge::operations
