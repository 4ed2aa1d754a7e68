// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/execution/operations/float8.hpp"
#include "models/execution/operations/lanewise.hpp"

// Conversions of two values into the parts of one word: cvt.pack, and floats of 8 bits.

namespace reconverge::operations {

namespace {

using kernel::Fp8Conversion;
using kernel::Opcode;
using kernel::PackedInteger;

/// a and b clamped to Bits bits, b below a; C fills the bits above them.
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
