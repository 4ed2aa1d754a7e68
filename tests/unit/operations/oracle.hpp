// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Results of operations on floats, by MPFR and by the lanes of a warp.

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "models/core/lane_mask.hpp"
#include "models/kernel/program.hpp"

namespace reconverge::tests {

using kernel::DataType;
using kernel::Opcode;
using kernel::Rounding;

/// One operand or result for each lane, in the low bits.
using Values = std::array<std::uint64_t, warp_size>;

/// An instruction with the fields that the lanes read; sources and destination are registers.
kernel::Instruction instruction_of(Opcode opcode, DataType type, Rounding rounding = Rounding::none,
                                   DataType source_type = DataType::none);

/// Runs `instruction` on a warp. Values have the width of `source_type` if it is set, otherwise of `type`.
Values run(const kernel::Instruction& instruction, const std::array<Values, 3>& sources);

/// The exact value of a float. All formats are subsets of double.
double number_of(std::uint64_t bits, DataType type);
/// The bits of a number that the format can represent.
std::uint64_t bits_of(double number, DataType type);

/// The result of MPFR, rounded once to the format, for add sub mul fma div rcp sqrt rsqrt sin cos ex2 lg2 tanh.
std::uint64_t expected(Opcode opcode, DataType type, Rounding rounding, const std::array<std::uint64_t, 3>& sources);
/// The conversion of a float or an integer to another float format.
std::uint64_t expected_float(DataType to, DataType from, Rounding rounding, std::uint64_t source);
/// The conversion of a float to an integer, clamped to the type. `source` must not be NaN.
std::uint64_t expected_integer(DataType to, DataType from, Rounding rounding, std::uint64_t source);

/// Pseudo-random operands of a float format, including edge cases and difficult patterns; the same in each run.
class Operands {
 public:
  explicit Operands(DataType type, std::uint32_t seed = 1) : type_(type), random_(seed) {}
  /// Half of the values have exponents near that of `close_to`, so that sums cancel and tie.
  std::uint64_t next(std::uint64_t close_to = 0);
  Values warp();

 private:
  DataType type_;
  std::mt19937_64 random_;
};

}  // namespace reconverge::tests
