// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "models/execution/operations/half.hpp"
#include "models/execution/operations/lanewise.hpp"
#include "models/execution/operations/rounding.hpp"
#include "models/kernel/decode/float_modifier.hpp"

// cvt between integers and floats. Float to integer clamps to the range. Compiled with -frounding-math.

namespace reconverge::operations {

namespace {

using kernel::FloatModifier;
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

/// The source as a f32 or f64 that has its value.
template <bool Flush, typename S>
auto widened(S value) {
  if constexpr (is_half<S>) {
    return static_cast<float>(widen(value));
  } else if constexpr (Flush && sizeof(S) == 4) {
    return flush(value);
  } else {
    return value;
  }
}

template <Rounding R, bool Flush>
struct FloatToInteger {
  template <typename D, typename S>
  static D convert(S source) {
    const auto integral = round_to_integral<R>(widened<Flush>(source));
    using Wide = decltype(integral);
    // The first power of two above the range is exact in a float; the maximum itself may not be.
    constexpr Wide above = static_cast<Wide>(std::uint64_t{1} << (std::numeric_limits<D>::digits - 1)) * Wide{2};
    constexpr Wide lowest = std::is_signed_v<D> ? -above : Wide{0};
    // PTX ISA, cvt: NaN gives zero, or only the top bit if either side has 64 bits.
    constexpr bool top_bit = sizeof(S) == 8 || sizeof(D) == 8;
    constexpr auto bit = static_cast<D>(std::uint64_t{1} << (8 * sizeof(D) - 1));
    if (is_nan(integral)) return top_bit ? bit : D{0};
    if (integral >= above) return std::numeric_limits<D>::max();
    if (integral <= lowest) return std::numeric_limits<D>::min();
    return static_cast<D>(integral);
  }
};

/// Applies .ftz, .sat, .relu and .satfinite to a result.
struct ToFloat {
  explicit ToFloat(const Instruction& instruction)
      : flush_result(instruction.flush_subnormals),
        saturate_result(instruction.saturate),
        relu(has(instruction, FloatModifier::relu)),
        finite(has(instruction, FloatModifier::satfinite)) {}

  template <typename D>
  D operator()(D value) const {
    if constexpr (is_half<D>) {
      const bool is_nan = half_is_nan(value);
      const bool negative = (value.bits & half_sign) != 0;
      if (finite && !is_nan && (value.bits & 0x7fffU) == D::infinity) --value.bits;
      if (relu && negative && !is_nan) value.bits = 0;
      if (saturate_result) value.bits = is_nan || negative ? 0 : std::min(value.bits, D::one);
      return value;
    } else {
      if constexpr (sizeof(D) == 4) {
        if (flush_result) value = flush(value);
      }
      return saturate_result ? saturate(value) : value;
    }
  }

  bool flush_result;
  bool saturate_result;
  bool relu;
  bool finite;
};

/// A number of 53 significant bits that rounds to every narrower float like `value`: lost bits are marked in the lowest
/// bit.
template <typename S>
double marked(S value) {
  if constexpr (sizeof(S) < 8) {
    return static_cast<double>(value);
  } else {
    const bool negative = std::is_signed_v<S> && std::cmp_less(value, 0);
    const auto magnitude = negative ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    constexpr std::uint64_t below = 0xfff;
    const bool keeps = magnitude >> 53U == 0;
    const std::uint64_t cut = (magnitude & ~below) | ((magnitude & below) != 0 ? below + 1 : 0);
    const auto result = static_cast<double>(keeps ? magnitude : cut);
    return negative ? -result : result;
  }
}

/// To a float of another type. Halves are rounded here, to f32 the host rounds.
template <Rounding R, bool Flush>
struct Resized {
  template <typename D, typename S>
  static D convert(S source) {
    if constexpr (std::is_integral_v<S>) {
      if constexpr (is_half<D>) {
        return narrow<D, R>(marked(source));
      } else {
        return source == 0 ? D{0} : static_cast<D>(source);  // zero stays positive in every rounding
      }
    } else if constexpr (is_half<D>) {
      return narrow<D, R>(static_cast<double>(widened<Flush>(source)));
    } else if constexpr (Flush && std::is_same_v<S, double>) {
      return flush_rounded(canonical(static_cast<float>(source)), static_cast<float>(source * 0x1p32));
    } else {
      return canonical(static_cast<D>(widened<Flush>(source)));
    }
  }
};

/// Between floats of one type: to an integral value, or unchanged.
template <Rounding R, bool Flush>
struct Integral {
  template <typename D, typename S>
  static D convert(S source) {
    if constexpr (R == Rounding::none) {
      return source;
    } else if constexpr (is_half<D>) {
      return narrow<D>(round_to_integral<R>(widened<Flush>(source)));
    } else {
      return canonical(round_to_integral<R>(widened<Flush>(source)));
    }
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
void convert_to_float(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const ToFloat finish(instruction);
  const Reader<S> source(context, instruction.source[0]);
  alignas(64) Stored<D> result[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    result[lane] = to_row<D>(finish(F::template convert<D, S>(from_row<S>(source[lane]))));
  }
  write_lanes<D>(context, instruction.destination[0], result, mask);
}

/// Calls `pick` with a value of the type that lanes hold for `type`.
template <typename Pick>
Operation with_type(DataType type, Pick pick) {
  switch (type) {
    case DataType::u8:
      return pick(std::uint8_t{});
    case DataType::s8:
      return pick(std::int8_t{});
    case DataType::u16:
      return pick(std::uint16_t{});
    case DataType::s16:
      return pick(std::int16_t{});
    case DataType::u32:
      return pick(std::uint32_t{});
    case DataType::s32:
      return pick(std::int32_t{});
    case DataType::u64:
      return pick(std::uint64_t{});
    case DataType::s64:
      return pick(std::int64_t{});
    case DataType::f16:
      return pick(Half{});
    case DataType::bf16:
      return pick(Bfloat{});
    case DataType::f32:
      return pick(float{});
    case DataType::f64:
      return pick(double{});
    default:
      return nullptr;
  }
}

/// Calls `pick` with the rounding as template argument.
template <typename Pick>
Operation with_integral_rounding(Rounding rounding, Pick pick) {
  switch (rounding) {
    case Rounding::rni:
      return pick.template operator()<Rounding::rni>();
    case Rounding::rzi:
      return pick.template operator()<Rounding::rzi>();
    case Rounding::rmi:
      return pick.template operator()<Rounding::rmi>();
    case Rounding::rpi:
      return pick.template operator()<Rounding::rpi>();
    case Rounding::none:
      return pick.template operator()<Rounding::none>();
    default:
      return nullptr;
  }
}

template <typename Pick>
Operation with_rounding(Rounding rounding, Pick pick) {
  switch (rounding) {
    case Rounding::rz:
      return pick.template operator()<Rounding::rz>();
    case Rounding::rm:
      return pick.template operator()<Rounding::rm>();
    case Rounding::rp:
      return pick.template operator()<Rounding::rp>();
    default:
      return pick.template operator()<Rounding::rn>();
  }
}

template <typename D, typename S>
Operation to_integer(const Instruction& instruction) {
  if constexpr (std::is_integral_v<S>) {
    return instruction.saturate ? &lanewise<Apply<Resize<true>, D>, D, S> : &lanewise<Apply<Resize<false>, D>, D, S>;
  } else {
    return with_integral_rounding(instruction.rounding, [&]<Rounding R>() -> Operation {
      return instruction.flush_subnormals ? &lanewise<Apply<FloatToInteger<R, true>, D>, D, S>
                                          : &lanewise<Apply<FloatToInteger<R, false>, D>, D, S>;
    });
  }
}

template <typename D, typename S, bool Flush>
Operation to_float(const Instruction& instruction) {
  if constexpr (std::is_same_v<D, S>) {
    return with_integral_rounding(instruction.rounding,
                                  []<Rounding R>() { return &convert_to_float<Integral<R, Flush>, D, S>; });
  } else if constexpr (is_half<D>) {
    return with_rounding(instruction.rounding, []<Rounding R>() { return &convert_to_float<Resized<R, Flush>, D, S>; });
  } else {
    constexpr Operation nearest = &convert_to_float<Resized<Rounding::rn, Flush>, D, S>;
    return is_directed(instruction.rounding) ? &in_rounding_mode<nearest> : nearest;
  }
}

/// .ftz flushes operands of f32, but not those of cvt.f16.f32 (ptxas 13.0 generates the same code with and without it),
/// and results of f32 that may be rounded below its normal numbers.
template <typename D, typename S>
constexpr bool flushes = (std::is_same_v<S, float> && !std::is_same_v<D, Half>) ||
                         (std::is_same_v<S, double> && std::is_same_v<D, float>);

template <typename D, typename S>
Operation conversion(const Instruction& instruction) {
  if constexpr (std::is_integral_v<D>) {
    return to_integer<D, S>(instruction);
  } else if constexpr (flushes<D, S>) {
    return instruction.flush_subnormals ? to_float<D, S, true>(instruction) : to_float<D, S, false>(instruction);
  } else {
    return to_float<D, S, false>(instruction);
  }
}

/// cvt.f16x2.f32 and cvt.bf16x2.f32: source[0] becomes the upper half.
template <typename H, Rounding R>
void to_pair(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const ToFloat finish(instruction);
  const Reader<float> upper(context, instruction.source[0]);
  const Reader<float> lower(context, instruction.source[1]);
  alignas(64) std::uint32_t result[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const H high = finish(narrow<H, R>(upper[lane]));
    const H low = finish(narrow<H, R>(lower[lane]));
    result[lane] = std::uint32_t{high.bits} << 16U | low.bits;
  }
  write_lanes<std::uint32_t>(context, instruction.destination[0], result, mask);
}

/// cvt.tf32.f32: rounds away the 13 lowest bits of the fraction. A carry into the exponent is correct.
void to_tf32(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  constexpr std::uint32_t lost = 0x1fff;
  constexpr std::uint32_t infinity = 0x7f800000;
  const bool ties_away = has(instruction, FloatModifier::ties_away);
  const bool toward_zero = instruction.rounding == Rounding::rz;
  const bool finite = has(instruction, FloatModifier::satfinite);
  const bool relu = has(instruction, FloatModifier::relu);
  const Reader<std::uint32_t> source(context, instruction.source[0]);
  alignas(64) std::uint32_t result[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t bits = source[lane];
    const std::uint32_t sign = bits & 0x80000000U;
    const std::uint32_t magnitude = bits ^ sign;
    const std::uint32_t to_nearest = ties_away ? (lost + 1) / 2 : lost / 2 + (magnitude >> 13U & 1U);
    std::uint32_t rounded = (magnitude + (toward_zero ? 0 : to_nearest)) & ~lost;
    if (finite) rounded = std::min(rounded, infinity - lost - 1);
    const bool is_nan = magnitude > infinity;
    const std::uint32_t number = relu && sign != 0 ? 0 : sign | rounded;
    result[lane] = is_nan ? 0x7fffffffU : number;
  }
  write_lanes<std::uint32_t>(context, instruction.destination[0], result, mask);
}

}  // namespace

Operation select_convert(const Instruction& instruction) {
  if (has(instruction, FloatModifier::tf32)) return &to_tf32;
  if (instruction.type == DataType::f16x2) {
    return instruction.rounding == Rounding::rz ? &to_pair<Half, Rounding::rz> : &to_pair<Half, Rounding::rn>;
  }
  if (instruction.type == DataType::bf16x2) {
    return instruction.rounding == Rounding::rz ? &to_pair<Bfloat, Rounding::rz> : &to_pair<Bfloat, Rounding::rn>;
  }
  return with_type(instruction.type, [&]<typename D>(D /*tag*/) {
    return with_type(instruction.source_type, [&]<typename S>(S /*tag*/) { return conversion<D, S>(instruction); });
  });
}

}  // namespace reconverge::operations
