// Integers are computed in 128 bits, where nothing overflows, and cut to the width of the type at the end.

#include <algorithm>

#include "testbenches/reference/bits.hpp"
#include "testbenches/reference/operations.hpp"

namespace reconverge::reference {

namespace {

using kernel::DataType;
using kernel::Half;
using kernel::Instruction;
using kernel::Opcode;

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

Wide value_of(std::uint64_t bits, DataType type) {
  if (kernel::is_signed(type)) return signed_value(bits, width_of(type));
  return static_cast<Wide>(low_bits(bits, width_of(type)));
}

// Two's complement makes the low 128 bits of a product right for both kinds of numbers.
UnsignedWide product(Wide a, Wide b) { return static_cast<UnsignedWide>(a) * static_cast<UnsignedWide>(b); }

std::uint64_t half_of(UnsignedWide whole, Half half, unsigned width) {
  return static_cast<std::uint64_t>(half == Half::hi ? whole >> width : whole);
}

Wide saturated(Wide value) { return std::clamp<Wide>(value, -(Wide{1} << 31), (Wide{1} << 31) - 1); }

// The low 24 bits as a number.
Wide value24(std::uint64_t bits, DataType type) {
  return kernel::is_signed(type) ? Wide{signed_value(bits, 24)} : static_cast<Wide>(low_bits(bits, 24));
}

std::uint64_t cut(Wide value) { return static_cast<std::uint64_t>(static_cast<UnsignedWide>(value)); }

}  // namespace

std::uint64_t integer_result(const Instruction& instruction, const Sources& source) {
  const DataType type = instruction.type;
  const unsigned width = width_of(type);
  const Wide a = value_of(source[0], type);
  const Wide b = value_of(source[1], type);
  const Wide c = value_of(source[2], type);
  const auto finish = [&](Wide value) { return low_bits(cut(instruction.saturate ? saturated(value) : value), width); };
  switch (instruction.opcode) {
    case Opcode::add:
      return finish(a + b);
    case Opcode::sub:
      return finish(a - b);
    case Opcode::mul:
      if (instruction.half == Half::wide) return low_bits(half_of(product(a, b), Half::lo, width), 2 * width);
      return low_bits(half_of(product(a, b), instruction.half, width), width);
    case Opcode::mad:
      // The addend of mad.wide has the width of the result.
      if (instruction.half == Half::wide)
        return low_bits(half_of(product(a, b), Half::lo, width) + source[2], 2 * width);
      return low_bits(half_of(product(a, b), instruction.half, width) + cut(c), width);
    // The manual leaves division by zero to the machine: all ones here, and the dividend as the remainder.
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
      return low_bits(part + (instruction.opcode == Opcode::mad24 ? source[2] : 0), 32);
    }
    default:
      unknown_instruction(instruction);
  }
}

}  // namespace reconverge::reference
