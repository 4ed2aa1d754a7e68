// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The meaning of `Instruction::variant` for arithmetic on floats and for cvt to floats: bits, joined with `|`.

#include <cstdint>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

enum class FloatModifier : std::uint8_t {
  full = 1,         ///< div.full; with `approximate`
  relu = 2,         ///< a negative result becomes zero
  nan = 4,          ///< min, max: .NaN, one NaN makes the result NaN
  xorsign_abs = 8,  ///< min, max: compares magnitudes; the sign is the XOR of both signs
  satfinite = 16,   ///< overflows become the largest finite value
  tf32 = 32,        ///< cvt: to 10 bits of fraction in the layout of f32
  ties_away = 64,   ///< cvt.rna: to nearest, ties away from zero
  abs = 128         ///< min, max of three: compares magnitudes
};

constexpr bool has(const Instruction& instruction, FloatModifier modifier) {
  return (instruction.variant & static_cast<std::uint8_t>(modifier)) != 0;
}

constexpr void add(Instruction& instruction, FloatModifier modifier) {
  instruction.variant = static_cast<std::uint8_t>(instruction.variant | static_cast<std::uint8_t>(modifier));
}

}  // namespace reconverge::kernel
