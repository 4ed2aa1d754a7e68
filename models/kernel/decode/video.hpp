// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The encoding of an instruction of Opcode::video. `variant` contains the operation and the number of parts, `offset`
/// the fields below. `type` is the type of the destination (none for vset: its result is 0 or 1); `saturate` and
/// `comparison` have their usual meaning. source[0] and source[1] are the operands. source[2] is the third operand, if
/// any: the second operand of the secondary operation, the word that the result is merged into, or the addend of vmad.

#include <cstdint>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

enum class VideoOperation : std::uint8_t { add, sub, absdiff, min, max, set, shl, shr, mad, average };

/// `Instruction::variant` of the operation. `parts`: 1, or 2 or 4 for operations on separate halves or bytes. The
/// latter use whole registers; source[2] is the addend of .add.
constexpr std::uint8_t video(VideoOperation operation, unsigned parts = 1) {
  return static_cast<std::uint8_t>(static_cast<unsigned>(operation) | parts << 4U);
}

/// The part of a register that an operand names: the whole register, one of four bytes, or one of two halves.
enum class VideoPart : std::uint8_t { word, b0, b1, b2, b3, h0, h1 };

enum class VideoSecondary : std::uint8_t { none, add, min, max };

/// The fields of `Instruction::offset`.
struct VideoForm {
  static constexpr unsigned a_signed_bit = 0;
  static constexpr unsigned b_signed_bit = 1;
  static constexpr unsigned secondary_bits = 2;  // two
  static constexpr unsigned a_part_bits = 4;     // three each
  static constexpr unsigned b_part_bits = 7;
  static constexpr unsigned d_part_bits = 10;
  static constexpr unsigned wrap_bit = 13;    // shifts: .wrap, not .clamp
  static constexpr unsigned scale_bits = 14;  // vmad, two: none, .shr7, .shr15
  static constexpr unsigned plus_one_bit = 16;
  static constexpr unsigned negate_bits = 17;  // vmad, one for each source

  VideoOperation operation;
  unsigned parts;
  bool a_signed, b_signed, wrap, plus_one, negate_a, negate_b, negate_c;
  VideoSecondary secondary;
  VideoPart a, b, d;
  unsigned shift;  ///< vmad: by how many bits the result is shifted right

  explicit constexpr VideoForm(const Instruction& instruction)
      : operation(static_cast<VideoOperation>(instruction.variant & 0xfU)),
        parts(instruction.variant >> 4U),
        a_signed(field(instruction, a_signed_bit, 1) != 0),
        b_signed(field(instruction, b_signed_bit, 1) != 0),
        wrap(field(instruction, wrap_bit, 1) != 0),
        plus_one(field(instruction, plus_one_bit, 1) != 0),
        negate_a(field(instruction, negate_bits, 1) != 0),
        negate_b(field(instruction, negate_bits + 1, 1) != 0),
        negate_c(field(instruction, negate_bits + 2, 1) != 0),
        secondary(static_cast<VideoSecondary>(field(instruction, secondary_bits, 2))),
        a(static_cast<VideoPart>(field(instruction, a_part_bits, 3))),
        b(static_cast<VideoPart>(field(instruction, b_part_bits, 3))),
        d(static_cast<VideoPart>(field(instruction, d_part_bits, 3))),
        shift(field(instruction, scale_bits, 2) == 0   ? 0
              : field(instruction, scale_bits, 2) == 1 ? 7
                                                       : 15) {}

 private:
  static constexpr unsigned field(const Instruction& instruction, unsigned from, unsigned width) {
    return static_cast<unsigned>(instruction.offset) >> from & ((1U << width) - 1);
  }
};

}  // namespace reconverge::kernel
