// SPDX-License-Identifier: Apache-2.0
// Integers are computed in 128 bits, where nothing overflows, and finally truncated to the width of the type.

#include <algorithm>

#include "testbenches/reference/bits.hpp"
#include "testbenches/reference/operations.hpp"

namespace reconverge::reference {

namespace {

using kernel::DataType;
using kernel::Half;
using kernel::Instruction;
using kernel::Opcode;
using kernel::PairedHalves;

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

Wide value_of(std::uint64_t bits, DataType type) {
  if (kernel::is_signed(type)) return signed_value(bits, width_of(type));
  return static_cast<Wide>(low_bits(bits, width_of(type)));
}

// In two's complement, the low 128 bits of a product are right for signed and unsigned numbers.
UnsignedWide product(Wide a, Wide b) { return static_cast<UnsignedWide>(a) * static_cast<UnsignedWide>(b); }

std::uint64_t half_of(UnsignedWide whole, Half half, unsigned width) {
  return static_cast<std::uint64_t>(half == Half::hi ? whole >> width : whole);
}

Wide saturated(Wide value) { return std::clamp<Wide>(value, -(Wide{1} << 31), (Wide{1} << 31) - 1); }

// The low 24 bits as a number.
Wide value24(std::uint64_t bits, DataType type) {
  return kernel::is_signed(type) ? Wide{signed_value(bits, 24)} : static_cast<Wide>(low_bits(bits, 24));
}

// One of the `parts` numbers packed in a word.
Wide field(std::uint64_t word, unsigned index, unsigned width, bool is_signed) {
  const std::uint64_t bits = low_bits(word, 32) >> (index * width);
  return is_signed ? Wide{signed_value(bits, width)} : static_cast<Wide>(low_bits(bits, width));
}

// Bytes times bytes, or the halves of a times the lower or upper two bytes of b.
Wide dot_product(const Instruction& instruction, std::uint64_t a, std::uint64_t b) {
  const bool by_four = instruction.opcode == Opcode::dp4a;
  const unsigned first = !by_four && instruction.half == Half::hi ? 2 : 0;
  Wide sum = 0;
  for (unsigned i = 0; i < (by_four ? 4U : 2U); ++i) {
    sum += field(a, i, by_four ? 8 : 16, kernel::is_signed(instruction.type)) *
           field(b, first + i, 8, kernel::is_signed(instruction.source_type));
  }
  return sum;
}

std::uint64_t cut(Wide value) { return static_cast<std::uint64_t>(static_cast<UnsignedWide>(value)); }

// The condition code is the last source: 0 if the instruction does not read it.
Wide carry_in(const Instruction& instruction, const Sources& source) {
  return static_cast<Wide>(source[instruction.opcode == Opcode::mad ? 3 : 2]);
}

// The value that subc subtracts in addition to b: 1 if the condition code is 0.
Wide borrow_in(const Instruction& instruction, const Sources& source) {
  return instruction.source[2].present() && source[2] == 0 ? 1 : 0;
}

std::uint64_t paired(const Instruction& instruction, std::uint64_t a, std::uint64_t b) {
  const auto form = static_cast<PairedHalves>(instruction.variant);
  const bool whole = form == PairedHalves::s32_relu;
  const bool relu = whole || form == PairedHalves::s16x2_relu;
  const unsigned width = whole ? 32 : 16;
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 32 / width; ++i) {
    const Wide x = field(a, i, width, form != PairedHalves::u16x2);
    const Wide y = field(b, i, width, form != PairedHalves::u16x2);
    Wide value = x + y;
    if (instruction.opcode == Opcode::min) value = x < y ? x : y;
    if (instruction.opcode == Opcode::max) value = x < y ? y : x;
    if (relu && value < 0) value = 0;
    result |= low_bits(cut(value), width) << (i * width);
  }
  return result;
}

}  // namespace

std::uint64_t integer_result(const Instruction& instruction, const Sources& source) {
  if (instruction.variant != 0) return paired(instruction, source[0], source[1]);
  const DataType type = instruction.type;
  const unsigned width = width_of(type);
  const Wide a = value_of(source[0], type);
  const Wide b = value_of(source[1], type);
  const Wide c = value_of(source[2], type);
  const auto finish = [&](Wide value) { return low_bits(cut(instruction.saturate ? saturated(value) : value), width); };
  switch (instruction.opcode) {
    case Opcode::add:
      return finish(a + b + carry_in(instruction, source));
    case Opcode::sub:
      return finish(a - b - borrow_in(instruction, source));
    case Opcode::mul:
      if (instruction.half == Half::wide) return low_bits(half_of(product(a, b), Half::lo, width), 2 * width);
      return low_bits(half_of(product(a, b), instruction.half, width), width);
    case Opcode::mad:
      // The addend of mad.wide has the width of the result.
      if (instruction.half == Half::wide)
        return low_bits(half_of(product(a, b), Half::lo, width) + source[2], 2 * width);
      if (instruction.saturate) {
        const std::uint64_t high = half_of(product(a, b), instruction.half, width);
        return finish(Wide{signed_value(high, width)} + c);
      }
      return low_bits(half_of(product(a, b), instruction.half, width) + cut(c + carry_in(instruction, source)), width);
    // In the manual, division by zero is machine-specific: all ones here, and the dividend as the remainder.
    case Opcode::div:
      return b == 0 ? low_bits(~std::uint64_t{0}, width) : finish(a / b);
    case Opcode::rem:
      return b == 0 ? finish(a) : finish(a % b);
    case Opcode::abs:
      return finish(a < 0 ? -a : a);
    case Opcode::neg:
      return finish(-a);
    case Opcode::min:
      return finish(std::min(a, b));
    case Opcode::max:
      return finish(std::max(a, b));
    case Opcode::sad:
      return finish(c + (a < b ? b - a : a - b));
    case Opcode::mul24:
    case Opcode::mad24: {
      // .lo takes bits 31..0 of the 48-bit product, .hi bits 47..16.
      const Wide whole = value24(source[0], type) * value24(source[1], type);
      const std::uint64_t part = cut(instruction.half == Half::hi ? whole >> 16 : whole);
      if (instruction.saturate) return finish(Wide{signed_value(part, 32)} + c);
      return low_bits(part + (instruction.opcode == Opcode::mad24 ? source[2] : 0), 32);
    }
    case Opcode::dp4a:
    case Opcode::dp2a:
      return low_bits(cut(dot_product(instruction, source[0], source[1])) + source[2], 32);
    default:
      unknown_instruction(instruction);
  }
}

bool carry_out(const Instruction& instruction, const Sources& source) {
  const unsigned width = width_of(instruction.type);
  const Wide a = static_cast<Wide>(low_bits(source[0], width));
  const Wide b = static_cast<Wide>(low_bits(source[1], width));
  if (instruction.opcode == Opcode::sub) return a - b - borrow_in(instruction, source) >= 0;
  const Wide in = carry_in(instruction, source);
  if (instruction.opcode == Opcode::add) return (a + b + in) >> width != 0;
  const UnsignedWide whole = product(value_of(source[0], instruction.type), value_of(source[1], instruction.type));
  const std::uint64_t part = low_bits(half_of(whole, instruction.half, width), width);
  return (static_cast<Wide>(part) + static_cast<Wide>(low_bits(source[2], width)) + in) >> width != 0;
}

}  // namespace reconverge::reference
