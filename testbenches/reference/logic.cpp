// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "testbenches/reference/bits.hpp"
#include "testbenches/reference/operations.hpp"

namespace reconverge::reference {

namespace {

using kernel::DataType;
using kernel::FunnelShift;
using kernel::Instruction;
using kernel::Opcode;
using kernel::PermuteMode;

bool bit(std::uint64_t bits, std::uint64_t index) { return index < 64 && (bits >> index & 1U) != 0; }

std::uint64_t shift_left(std::uint64_t a, std::uint64_t count, unsigned width) {
  return count >= width ? 0 : low_bits(a << count, width);
}

std::uint64_t shift_right(std::uint64_t a, std::uint64_t count, DataType type) {
  const unsigned width = width_of(type);
  if (kernel::is_signed(type)) {
    return low_bits(static_cast<std::uint64_t>(signed_value(a, width) >> std::min<std::uint64_t>(count, width - 1)),
                    width);
  }
  return count >= width ? 0 : low_bits(a, width) >> count;
}

std::uint64_t reversed(std::uint64_t a, unsigned width) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < width; ++i) result |= std::uint64_t{bit(a, i)} << (width - 1 - i);
  return result;
}

// A position or length: the lowest byte; for 64-bit fields the whole word.
std::uint64_t field_operand(std::uint64_t value, unsigned width) { return low_bits(value, width == 64 ? 32 : 8); }

// Beyond the top of `a`, a signed field repeats the top bit; an empty field is zero.
std::uint64_t extracted(std::uint64_t a, std::uint64_t position, std::uint64_t length, DataType type) {
  const unsigned width = width_of(type);
  position = field_operand(position, width);
  length = field_operand(length, width);
  const std::uint64_t top = width - 1;
  const bool fill = kernel::is_signed(type) && length != 0 && bit(a, std::min(position + length - 1, top));
  std::uint64_t result = 0;
  for (std::uint64_t i = 0; i < width; ++i) {
    const bool inside = i < length && position + i <= top;
    result |= std::uint64_t{inside ? bit(a, position + i) : fill} << i;
  }
  return result;
}

std::uint64_t inserted(std::uint64_t field, std::uint64_t into, std::uint64_t position, std::uint64_t length,
                       unsigned width) {
  position = field_operand(position, width);
  length = field_operand(length, width);
  std::uint64_t result = low_bits(into, width);
  for (std::uint64_t i = 0; i < length && position + i < width; ++i) {
    result &= ~(std::uint64_t{1} << (position + i));
    result |= std::uint64_t{bit(field, i)} << (position + i);
  }
  return result;
}

// The position of the most significant bit that differs from the sign; 0xffffffff if there is none.
std::uint64_t found(std::uint64_t a, DataType type, bool as_shift) {
  const unsigned width = width_of(type);
  const bool sign = kernel::is_signed(type) && bit(a, width - 1);
  for (unsigned i = width; i-- > 0;) {
    if (bit(a, i) != sign) return as_shift ? width - 1 - i : i;
  }
  return 0xffffffff;
}

std::uint64_t permuted(std::uint64_t a, std::uint64_t b, std::uint64_t control, PermuteMode mode) {
  const std::uint64_t bytes = low_bits(a, 32) | b << 32;
  const auto byte = [&](std::uint64_t index) { return bytes >> (8 * (index & 7)) & 0xff; };
  const std::uint64_t s = control & 3;
  std::uint64_t result = 0;
  for (std::uint64_t i = 0; i < 4; ++i) {
    std::uint64_t picked = 0;
    switch (mode) {
      case PermuteMode::none: {
        const std::uint64_t selector = control >> (4 * i) & 0xf;
        picked = byte(selector);
        if ((selector & 8) != 0) picked = (picked & 0x80) != 0 ? 0xff : 0;  // the sign, eight times
        break;
      }
      case PermuteMode::f4e:
        picked = byte(s + i);
        break;
      case PermuteMode::b4e:
        picked = byte(s + 8 - i);
        break;
      case PermuteMode::rc8:
        picked = byte(s);
        break;
      case PermuteMode::ecl:
        picked = byte(std::max(i, s));
        break;
      case PermuteMode::ecr:
        picked = byte(std::min(i, s));
        break;
      case PermuteMode::rc16:
        picked = byte((s & 1) * 2 + (i & 1));
        break;
    }
    result |= picked << (8 * i);
  }
  return result;
}

std::uint64_t funnel(std::uint64_t a, std::uint64_t b, std::uint64_t count, FunnelShift mode) {
  const bool clamps = mode == FunnelShift::left_clamp || mode == FunnelShift::right_clamp;
  const std::uint64_t n = clamps ? std::min<std::uint64_t>(low_bits(count, 32), 32) : count & 31;
  const std::uint64_t both = low_bits(a, 32) | b << 32;
  const bool left = mode == FunnelShift::left_clamp || mode == FunnelShift::left_wrap;
  return low_bits(left ? both << n >> 32 : both >> n, 32);
}

std::uint64_t looked_up(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t table) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 32; ++i) {
    const unsigned index = unsigned{bit(a, i)} << 2 | unsigned{bit(b, i)} << 1 | unsigned{bit(c, i)};
    result |= (table >> index & 1) << i;
  }
  return result;
}

// `width` ones from `position` on, bit by bit.
std::uint64_t mask_of(std::uint64_t position, std::uint64_t width, bool wraps) {
  if (wraps) position &= 31;
  if (wraps) width &= 31;
  std::uint64_t result = 0;
  for (std::uint64_t i = 0; i < 32; ++i) result |= std::uint64_t{i >= position && i - position < width} << i;
  return result;
}

std::uint64_t sign_or_zero_extended(std::uint64_t a, std::uint64_t width, DataType type, bool wraps) {
  if (wraps) width &= 31;
  if (width >= 32) return a;
  if (width == 0) return 0;
  const bool fill = kernel::is_signed(type) && bit(a, width - 1);
  return low_bits(fill ? a | ~std::uint64_t{0} << width : low_bits(a, static_cast<unsigned>(width)), 32);
}

// Follows the manual's pseudo-code; a base beyond the word finds nothing.
std::uint64_t nth_set(std::uint64_t mask, std::uint64_t base, std::int64_t offset) {
  constexpr std::uint64_t none = 0xffffffff;
  if (base > 31) return none;
  if (offset == 0) return bit(mask, base) ? base : none;
  std::int64_t count = (offset < 0 ? -offset : offset) - 1;
  for (auto at = static_cast<std::int64_t>(base); at >= 0 && at<32; at += offset> 0 ? 1 : -1) {
    if (!bit(mask, static_cast<std::uint64_t>(at))) continue;
    if (count-- == 0) return static_cast<std::uint64_t>(at);
  }
  return none;
}

}  // namespace

std::uint64_t logic_result(const Instruction& instruction, const Sources& source) {
  const DataType type = instruction.type;
  const unsigned width = type == DataType::pred ? 1 : width_of(type);
  const std::uint64_t a = low_bits(source[0], width);
  const std::uint64_t b = source[1];
  const std::uint64_t c = source[2];
  switch (instruction.opcode) {
    case Opcode::and_:
      return low_bits(a & b, width);
    case Opcode::or_:
      return low_bits(a | b, width);
    case Opcode::xor_:
      return low_bits(a ^ b, width);
    case Opcode::not_:
      return low_bits(~a, width);
    case Opcode::cnot:
      return a == 0 ? 1 : 0;
    case Opcode::shl:
      return shift_left(a, low_bits(b, 32), width);
    case Opcode::shr:
      return shift_right(a, low_bits(b, 32), type);
    case Opcode::popc:
      return static_cast<std::uint64_t>(std::popcount(a));
    case Opcode::clz:
      return static_cast<std::uint64_t>(std::countl_zero(a)) - (64 - width);
    case Opcode::brev:
      return reversed(a, width);
    case Opcode::bfe:
      return extracted(a, b, c, type);
    case Opcode::bfi:
      return inserted(a, b, c, source[3], width);
    case Opcode::bfind:
      return found(a, type, instruction.variant == 1);
    case Opcode::prmt:
      return permuted(a, b, c, static_cast<PermuteMode>(instruction.variant));
    case Opcode::lop3:
      return looked_up(a, b, c, static_cast<std::uint64_t>(instruction.offset) & 0xff);
    case Opcode::bmsk:
      return mask_of(a, low_bits(b, 32), instruction.variant == 1);
    case Opcode::szext:
      return sign_or_zero_extended(a, low_bits(b, 32), type, instruction.variant == 1);
    case Opcode::fns:
      return nth_set(a, low_bits(b, 32), signed_value(c, 32));
    case Opcode::shf:
      return funnel(a, b, c, static_cast<FunnelShift>(instruction.variant));
    default:
      unknown_instruction(instruction);
  }
}

}  // namespace reconverge::reference
