#include <algorithm>
#include <cmath>
#include <limits>

#include "models/sm/lanes/lanewise.hpp"

// cvt between integers, f32 and f64. Float to integer clamps to the range.

namespace reconverge::lanes {

namespace {

using kernel::Rounding;

/// Integer to integer: truncation or extension; .sat clamps to the destination's range.
template <bool Saturate>
struct Resize {
  template <typename D, typename S>
  static D convert(S value) {
    if constexpr (Saturate) {
      if (std::cmp_less(value, std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
      if (std::cmp_greater(value, std::numeric_limits<D>::max())) return std::numeric_limits<D>::max();
    }
    return static_cast<D>(value);
  }
};

template <Rounding R, typename S>
S round_to_integral(S value) {
  if constexpr (R == Rounding::rni) return std::nearbyint(value);
  if constexpr (R == Rounding::rzi) return std::trunc(value);
  if constexpr (R == Rounding::rmi) return std::floor(value);
  if constexpr (R == Rounding::rpi) return std::ceil(value);
  return value;
}

template <Rounding R, bool Flush>
struct FloatToInteger {
  template <typename D, typename S>
  static D convert(S value) {
    if constexpr (Flush && sizeof(S) == 4) value = flush(value);
    const S integral = round_to_integral<R>(value);
    // The first power of two above the range is exact in S; the maximum itself may not be.
    constexpr S above = static_cast<S>(std::uint64_t{1} << (std::numeric_limits<D>::digits - 1)) * S{2};
    constexpr S lowest = std::is_signed_v<D> ? -above : S{0};
    // PTX ISA, cvt: NaN gives zero, or the top bit alone where either side has 64 bits.
    constexpr bool top_bit = sizeof(S) == 8 || sizeof(D) == 8;
    constexpr auto bit = static_cast<D>(std::uint64_t{1} << (8 * sizeof(D) - 1));
    if (is_nan(integral)) return top_bit ? bit : D{0};
    if (integral >= above) return std::numeric_limits<D>::max();
    if (integral <= lowest) return std::numeric_limits<D>::min();
    return static_cast<D>(integral);
  }
};

struct IntegerToFloat {
  template <typename D, typename S>
  static D convert(S value) {
    return static_cast<D>(value);
  }
};

template <bool Flush, bool Saturate>
struct FloatToFloat {
  template <typename D, typename S>
  static D convert(S value) {
    if constexpr (Flush && sizeof(S) == 4) value = flush(value);
    D result = static_cast<D>(value);
    if constexpr (sizeof(D) != sizeof(S)) result = canonical(result);
    if constexpr (Flush && sizeof(D) == 4) result = flush(result);
    if constexpr (Saturate) result = saturate(result);
    return result;
  }
};

template <Rounding R, bool Flush, bool Saturate>
struct FloatIntegral {
  template <typename D, typename S>
  static D convert(S value) {
    if constexpr (Flush && sizeof(S) == 4) value = flush(value);
    D result = canonical(static_cast<D>(round_to_integral<R>(value)));
    if constexpr (Saturate) result = saturate(result);
    return result;
  }
};

template <typename F, typename D>
struct Apply {
  template <typename S>
  D operator()(S value) const {
    return F::template convert<D, S>(value);
  }
};

template <typename F, typename D, typename S>
constexpr Operation conversion() {
  return &lanewise<Apply<F, D>, D, S>;
}

template <typename F, typename D>
Operation from_integer(DataType source) {
  switch (source) {
    case DataType::u8:
    case DataType::b8:
      return conversion<F, D, std::uint8_t>();
    case DataType::s8:
      return conversion<F, D, std::int8_t>();
    case DataType::u16:
    case DataType::b16:
      return conversion<F, D, std::uint16_t>();
    case DataType::s16:
      return conversion<F, D, std::int16_t>();
    case DataType::u32:
    case DataType::b32:
      return conversion<F, D, std::uint32_t>();
    case DataType::s32:
      return conversion<F, D, std::int32_t>();
    case DataType::u64:
    case DataType::b64:
      return conversion<F, D, std::uint64_t>();
    case DataType::s64:
      return conversion<F, D, std::int64_t>();
    default:
      return nullptr;
  }
}

template <typename F, typename D>
Operation from_float(DataType source) {
  if (source == DataType::f32) return conversion<F, D, float>();
  if (source == DataType::f64) return conversion<F, D, double>();
  return nullptr;
}

template <typename F, bool SourceIsFloat>
Operation to_integer(DataType destination, DataType source) {
  const auto from = [&]<typename D>(D /*tag*/) {
    if constexpr (SourceIsFloat)
      return from_float<F, D>(source);
    else
      return from_integer<F, D>(source);
  };
  switch (destination) {
    case DataType::u8:
    case DataType::b8:
      return from(std::uint8_t{});
    case DataType::s8:
      return from(std::int8_t{});
    case DataType::u16:
    case DataType::b16:
      return from(std::uint16_t{});
    case DataType::s16:
      return from(std::int16_t{});
    case DataType::u32:
    case DataType::b32:
      return from(std::uint32_t{});
    case DataType::s32:
      return from(std::int32_t{});
    case DataType::u64:
    case DataType::b64:
      return from(std::uint64_t{});
    case DataType::s64:
      return from(std::int64_t{});
    default:
      return nullptr;
  }
}

template <Rounding R>
Operation float_to_integer(const Instruction& instruction) {
  return instruction.flush_subnormals
             ? to_integer<FloatToInteger<R, true>, true>(instruction.type, instruction.source_type)
             : to_integer<FloatToInteger<R, false>, true>(instruction.type, instruction.source_type);
}

template <typename F>
Operation float_to_float(const Instruction& instruction) {
  if (instruction.type == DataType::f32) return from_float<F, float>(instruction.source_type);
  if (instruction.type == DataType::f64) return from_float<F, double>(instruction.source_type);
  return nullptr;
}

template <Rounding R>
Operation float_integral(const Instruction& instruction) {
  if (instruction.flush_subnormals) {
    return instruction.saturate ? float_to_float<FloatIntegral<R, true, true>>(instruction)
                                : float_to_float<FloatIntegral<R, true, false>>(instruction);
  }
  return instruction.saturate ? float_to_float<FloatIntegral<R, false, true>>(instruction)
                              : float_to_float<FloatIntegral<R, false, false>>(instruction);
}

template <template <Rounding> typename Pick>
Operation by_integral_rounding(const Instruction& instruction) {
  switch (instruction.rounding) {
    case Rounding::rni:
      return Pick<Rounding::rni>::of(instruction);
    case Rounding::rzi:
      return Pick<Rounding::rzi>::of(instruction);
    case Rounding::rmi:
      return Pick<Rounding::rmi>::of(instruction);
    case Rounding::rpi:
      return Pick<Rounding::rpi>::of(instruction);
    default:
      return nullptr;
  }
}

template <Rounding R>
struct ToInteger {
  static Operation of(const Instruction& instruction) { return float_to_integer<R>(instruction); }
};
template <Rounding R>
struct ToIntegral {
  static Operation of(const Instruction& instruction) { return float_integral<R>(instruction); }
};

Operation float_resize(const Instruction& instruction) {
  if (instruction.rounding != Rounding::none && instruction.rounding != Rounding::rn) return nullptr;
  if (instruction.flush_subnormals) {
    return instruction.saturate ? float_to_float<FloatToFloat<true, true>>(instruction)
                                : float_to_float<FloatToFloat<true, false>>(instruction);
  }
  return instruction.saturate ? float_to_float<FloatToFloat<false, true>>(instruction)
                              : float_to_float<FloatToFloat<false, false>>(instruction);
}

Operation integer_to_float(const Instruction& instruction) {
  if (instruction.saturate || (instruction.rounding != Rounding::rn && instruction.rounding != Rounding::none))
    return nullptr;
  if (instruction.type == DataType::f32) return from_integer<IntegerToFloat, float>(instruction.source_type);
  if (instruction.type == DataType::f64) return from_integer<IntegerToFloat, double>(instruction.source_type);
  return nullptr;
}

bool is_integral_rounding(Rounding rounding) {
  return rounding == Rounding::rni || rounding == Rounding::rzi || rounding == Rounding::rmi ||
         rounding == Rounding::rpi;
}

}  // namespace

Operation select_convert(const Instruction& instruction) {
  const bool to_float = kernel::is_float(instruction.type);
  const bool of_float = kernel::is_float(instruction.source_type);
  if (of_float && !to_float) return by_integral_rounding<ToInteger>(instruction);
  if (of_float) {
    return is_integral_rounding(instruction.rounding) ? by_integral_rounding<ToIntegral>(instruction)
                                                      : float_resize(instruction);
  }
  if (to_float) return integer_to_float(instruction);
  return instruction.saturate ? to_integer<Resize<true>, false>(instruction.type, instruction.source_type)
                              : to_integer<Resize<false>, false>(instruction.type, instruction.source_type);
}

}  // namespace reconverge::lanes
