// SPDX-License-Identifier: Apache-2.0
// The results of functions that PTX approximates are the nearest values of the format.

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/operations/oracle.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

constexpr Opcode functions[] = {Opcode::rsqrt, Opcode::sin, Opcode::cos, Opcode::ex2, Opcode::lg2, Opcode::tanh};

kernel::Instruction approximate(Opcode opcode, DataType type, bool flush = false) {
  kernel::Instruction instruction = instruction_of(opcode, type);
  instruction.approximate = true;
  instruction.flush_subnormals = flush;
  return instruction;
}

/// Whether the lanes compute the result of `wanted` for every operand of the warp.
template <typename Wanted>
bool agree(const kernel::Instruction& instruction, const Values& source, Wanted wanted) {
  const Values found = run(instruction, {source, {}, {}});
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint64_t value = wanted(source[lane]);
    if (found[lane] == value) continue;
    UNSCOPED_INFO(std::hex << source[lane] << ": " << found[lane] << ", MPFR " << value);
    return false;
  }
  return true;
}

std::uint64_t nearest(Opcode opcode, DataType type, std::uint64_t source) {
  return expected(opcode, type, Rounding::rn, {source, 0, 0});
}

double evaluated(Opcode opcode, double a) {
  switch (opcode) {
    case Opcode::rsqrt:
      return 1 / std::sqrt(a);
    case Opcode::sin:
      return std::sin(a);
    case Opcode::cos:
      return std::cos(a);
    case Opcode::ex2:
      return std::exp2(a);
    case Opcode::lg2:
      return std::log2(a);
    default:
      return std::tanh(a);
  }
}

}  // namespace

TEST_CASE("functions of f32 are correctly rounded") {
  for (const Opcode opcode : functions) {
    INFO(kernel::name_of(opcode));
    Operands operands(DataType::f32, static_cast<std::uint32_t>(opcode));
    const kernel::Instruction instruction = approximate(opcode, DataType::f32);
    bool right = true;
    for (unsigned warp = 0; right && warp < 2000; ++warp) {
      Values source{};
      // Half of the operands are in the range in which the function is neither constant nor out of range.
      for (std::uint64_t& value : source) value = operands.next(bits_of(1.0, DataType::f32));
      right = agree(instruction, source, [&](std::uint64_t bits) { return nearest(opcode, DataType::f32, bits); });
    }
    CHECK(right);
  }
}

TEST_CASE("functions of halves are correctly rounded: every operand") {
  for (const DataType type : {DataType::f16, DataType::bf16}) {
    for (const Opcode opcode : {Opcode::ex2, Opcode::tanh}) {
      INFO(kernel::name_of(opcode) << '.' << kernel::name_of(type));
      const kernel::Instruction instruction = approximate(opcode, type);
      bool right = true;
      for (std::uint64_t first = 0; right && first < 0x10000; first += warp_size) {
        Values source{};
        for (unsigned lane = 0; lane < warp_size; ++lane) source[lane] = first + lane;
        right = agree(instruction, source, [&](std::uint64_t bits) { return nearest(opcode, type, bits); });
      }
      CHECK(right);
    }
  }
}

TEST_CASE("rsqrt.approx.f64 is correctly rounded") {
  Operands operands(DataType::f64);
  const kernel::Instruction instruction = approximate(Opcode::rsqrt, DataType::f64);
  bool right = true;
  for (unsigned warp = 0; right && warp < 2000; ++warp) {
    right = agree(instruction, operands.warp(),
                  [](std::uint64_t bits) { return nearest(Opcode::rsqrt, DataType::f64, bits); });
  }
  CHECK(right);
}

TEST_CASE("the gross approximations of f64 round the upper word") {
  constexpr std::uint64_t upper = 0xffffffff00000000;
  for (const Opcode opcode : {Opcode::rcp, Opcode::rsqrt}) {
    Operands operands(DataType::f64);
    const kernel::Instruction instruction = approximate(opcode, DataType::f64, true);
    bool right = true;
    for (unsigned warp = 0; right && warp < 500; ++warp) {
      right = agree(instruction, operands.warp(), [&](std::uint64_t bits) -> std::uint64_t {
        const auto flushed = [](double value) {
          return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0, value) : value;
        };
        const double operand = flushed(std::bit_cast<double>(bits & upper));
        const std::uint64_t exact = nearest(opcode, DataType::f64, std::bit_cast<std::uint64_t>(operand));
        if (std::isnan(std::bit_cast<double>(exact))) return 0x7fffffff00000000;
        // The quotient of such short numbers is never so close to a midpoint that double rounding has an effect.
        const std::uint64_t twice = (exact + 0x7fffffff + (exact >> 32U & 1U)) & upper;
        return std::bit_cast<std::uint64_t>(flushed(std::bit_cast<double>(twice)));
      });
    }
    CHECK(right);
  }
}

// Takes ten minutes or more: test_operations "[every]". The expected result is computed in double, whose error is
// usually far smaller than the distance to the midpoint between two f32. About two thousand values for each function
// are too close to the midpoint and are computed with MPFR.
TEST_CASE("functions of f32 are correctly rounded: every operand", "[.every]") {
  const Opcode opcode = GENERATE(from_range(std::begin(functions), std::end(functions)));
  DYNAMIC_SECTION(kernel::name_of(opcode)) {
    const kernel::Instruction instruction = approximate(opcode, DataType::f32);
    unsigned asked = 0;
    bool right = true;
    for (std::uint64_t first = 0; right && first < 0x100000000; first += warp_size) {
      Values source{};
      for (unsigned lane = 0; lane < warp_size; ++lane) source[lane] = first + lane;
      right = agree(instruction, source, [&](std::uint64_t bits) -> std::uint64_t {
        const double value = evaluated(opcode, std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
        const auto low = static_cast<float>(value * (1 - 0x1p-46));
        const auto high = static_cast<float>(value * (1 + 0x1p-46));
        if (low == high) return std::bit_cast<std::uint32_t>(low);
        if (std::isnan(value)) return 0x7fffffff;
        ++asked;
        return nearest(opcode, DataType::f32, bits);
      });
    }
    CHECK(right);
    CHECK(asked > 0);
    WARN(kernel::name_of(opcode) << ": " << asked << " evaluations by MPFR");
  }
}
