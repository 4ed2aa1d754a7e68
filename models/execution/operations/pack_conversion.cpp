#include <algorithm>
#include <cmath>

#include "models/execution/operations/half.hpp"
#include "models/execution/operations/lanewise.hpp"

// Conversions of two values into the parts of one word: cvt.pack, and floats of 8 bits.

namespace reconverge::operations {

namespace {

using kernel::Fp8Conversion;
using kernel::Opcode;
using kernel::PackedInteger;

/// a and b clamped to Bits bits, b below a; C fills what is left above them.
template <unsigned Bits, bool Signed>
struct PackIntegers {
  static constexpr std::int32_t lowest = Signed ? -(1 << (Bits - 1)) : 0;
  static constexpr std::int32_t highest =
      static_cast<std::int32_t>((std::uint32_t{1} << (Bits - (Signed ? 1 : 0))) - 1);
  static constexpr std::uint32_t mask = (std::uint32_t{1} << Bits) - 1;

  static std::uint32_t part(std::int32_t value) {
    return static_cast<std::uint32_t>(std::clamp(value, lowest, highest)) & mask;
  }
  std::uint32_t operator()(std::int32_t a, std::int32_t b) const { return part(a) << Bits | part(b); }
  std::uint32_t operator()(std::int32_t a, std::int32_t b, std::uint32_t c) const {
    return c << (2 * Bits) | (*this)(a, b);
  }
};

template <bool Signed>
Operation pack_halves() {
  return &lanewise<PackIntegers<16, Signed>, std::uint32_t, std::int32_t, std::int32_t>;
}

template <unsigned Bits, bool Signed>
Operation pack_parts() {
  return &lanewise<PackIntegers<Bits, Signed>, std::uint32_t, std::int32_t, std::int32_t, std::uint32_t>;
}

Operation select_pack(PackedInteger type) {
  switch (type) {
    case PackedInteger::u16:
      return pack_halves<false>();
    case PackedInteger::s16:
      return pack_halves<true>();
    case PackedInteger::u8:
      return pack_parts<8, false>();
    case PackedInteger::s8:
      return pack_parts<8, true>();
    case PackedInteger::u4:
      return pack_parts<4, false>();
    case PackedInteger::s4:
      return pack_parts<4, true>();
    case PackedInteger::u2:
      return pack_parts<2, false>();
    default:
      return pack_parts<2, true>();
  }
}

/// Floats of 8 bits ("OCP 8-bit floating point", 2023). e4m3 has no infinity: its largest magnitude but one is 448. All
/// NaNs that are made have all bits below the sign.
struct E4m3 {
  static constexpr int fraction_bits = 3;
  static constexpr int bias = 7;
  static constexpr std::uint32_t largest = 0x7e;
};
struct E5m2 {
  static constexpr int fraction_bits = 2;
  static constexpr int bias = 15;
  static constexpr std::uint32_t largest = 0x7b;
};
constexpr std::uint32_t nan8 = 0x7f;
constexpr std::uint32_t sign8 = 0x80;

/// The nearest, ties to even; what is beyond the largest becomes that. Wants the host to round to nearest.
template <typename F>
std::uint32_t narrow8(double value, bool relu) {
  const std::uint32_t sign = std::signbit(value) ? sign8 : 0;
  const double magnitude = std::fabs(value);
  constexpr double limit = 65536;  // beyond either format, and no trouble for what follows
  const double bounded = magnitude < limit ? magnitude : limit;
  constexpr int lowest = 1 - F::bias;
  int exponent = 0;
  std::frexp(bounded, &exponent);
  exponent = bounded > 0 ? std::max(exponent - 1, lowest) : lowest;
  const auto units = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(bounded, F::fraction_bits - exponent)));
  // A normal number's leading one adds the last unit to the exponent, and a carry the next.
  const std::uint32_t code = (static_cast<std::uint32_t>(exponent - lowest) << F::fraction_bits) + units;
  const std::uint32_t number = sign | std::min(code, F::largest);
  if (std::isnan(value)) return nan8;
  return relu && sign != 0 ? 0 : number;
}

/// The same value as f16, which has them all.
template <typename F>
std::uint32_t widen8(std::uint32_t code, bool relu) {
  const std::uint32_t sign = code & sign8;
  const std::uint32_t magnitude = code & nan8;
  if (relu && sign != 0 && magnitude <= F::largest + (F::bias == Half::bias ? 1U : 0U)) return 0;
  if constexpr (F::bias == Half::bias) {
    const bool is_nan = magnitude > F::largest + 1;
    return is_nan ? half_nan : code << 8U;
  } else {
    if (magnitude == nan8) return half_nan;
    constexpr double unit = 1.0 / (1 << (F::bias - 1 + F::fraction_bits));
    const std::uint32_t fraction = magnitude & ((1U << F::fraction_bits) - 1);
    const auto exponent = static_cast<int>(magnitude >> F::fraction_bits);
    const double units = exponent == 0 ? fraction : std::ldexp(fraction + (1U << F::fraction_bits), exponent - 1);
    return narrow<Half>(units * unit).bits | sign << 8U;
  }
}

bool has_relu(const Instruction& instruction) { return (instruction.offset & 1) != 0; }

template <typename F>
void from_singles(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const bool relu = has_relu(instruction);
  const Reader<float> upper(context, instruction.source[0]);
  const Reader<float> lower(context, instruction.source[1]);
  alignas(64) std::uint32_t result[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    result[lane] = narrow8<F>(upper[lane], relu) << 8U | narrow8<F>(lower[lane], relu);
  }
  write_lanes<std::uint32_t>(context, instruction.destination[0], result, mask);
}

template <typename F>
void from_halves(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const bool relu = has_relu(instruction);
  const Reader<std::uint32_t> source(context, instruction.source[0]);
  const auto part = [&](std::uint32_t bits) { return narrow8<F>(widen(Half{static_cast<std::uint16_t>(bits)}), relu); };
  alignas(64) std::uint32_t result[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    result[lane] = part(source[lane] >> 16U) << 8U | part(source[lane]);
  }
  write_lanes<std::uint32_t>(context, instruction.destination[0], result, mask);
}

template <typename F>
void to_halves(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const bool relu = has_relu(instruction);
  const Reader<std::uint32_t> source(context, instruction.source[0]);
  alignas(64) std::uint32_t result[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t upper = source[lane] >> 8U & 0xffU;
    result[lane] = widen8<F>(upper, relu) << 16U | widen8<F>(source[lane] & 0xffU, relu);
  }
  write_lanes<std::uint32_t>(context, instruction.destination[0], result, mask);
}

Operation select_fp8(Fp8Conversion conversion) {
  switch (conversion) {
    case Fp8Conversion::e4m3x2_f32:
      return &from_singles<E4m3>;
    case Fp8Conversion::e5m2x2_f32:
      return &from_singles<E5m2>;
    case Fp8Conversion::e4m3x2_f16x2:
      return &from_halves<E4m3>;
    case Fp8Conversion::e5m2x2_f16x2:
      return &from_halves<E5m2>;
    case Fp8Conversion::f16x2_e4m3x2:
      return &to_halves<E4m3>;
    default:
      return &to_halves<E5m2>;
  }
}

}  // namespace

Operation select_pack_conversion(const Instruction& instruction) {
  return instruction.opcode == Opcode::cvt_pack ? select_pack(static_cast<PackedInteger>(instruction.variant))
                                                : select_fp8(static_cast<Fp8Conversion>(instruction.variant));
}

}  // namespace reconverge::operations
