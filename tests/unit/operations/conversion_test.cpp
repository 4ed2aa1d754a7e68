// SPDX-License-Identifier: Apache-2.0
// cvt between floats, and between floats and integers.

#include <catch2/catch.hpp>

#include "tests/unit/operations/oracle.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

constexpr DataType floats[] = {DataType::f16, DataType::bf16, DataType::f32, DataType::f64};
constexpr DataType integers[] = {DataType::u8, DataType::u16, DataType::u32, DataType::u64,
                                 DataType::s8, DataType::s16, DataType::s32, DataType::s64};
constexpr Rounding roundings[] = {Rounding::rn, Rounding::rz, Rounding::rm, Rounding::rp};
constexpr Rounding integral_roundings[] = {Rounding::rni, Rounding::rzi, Rounding::rmi, Rounding::rpi};

template <typename Draw, typename Expect>
void compare(DataType to, DataType from, Rounding rounding, unsigned warps, Draw draw, Expect expect) {
  INFO("cvt." << kernel::name_of(rounding) << '.' << kernel::name_of(to) << '.' << kernel::name_of(from));
  const kernel::Instruction instruction = instruction_of(Opcode::cvt, to, rounding, from);
  unsigned wrong = 0;
  for (unsigned warp = 0; warp < warps; ++warp) {
    Values source{};
    for (std::uint64_t& value : source) value = draw();
    const Values found = run(instruction, {source, {}, {}});
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      const std::uint64_t wanted = expect(source[lane]);
      if (found[lane] != wanted && wrong++ == 0) {
        UNSCOPED_INFO(std::hex << source[lane] << ": " << found[lane] << ", MPFR " << wanted);
      }
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("conversions between float formats round like MPFR") {
  for (const DataType to : floats) {
    for (const DataType from : floats) {
      if (to == from) continue;
      Operands operands(from);
      for (const Rounding rounding : roundings) {
        // The limits of the destination are in the middle of the source's range. Half of the operands are near them.
        compare(
            to, from, rounding, 500,
            [&] { return operands.next(bits_of(number_of(operands.next() & 0xffff, to), DataType::f64)); },
            [&](std::uint64_t source) { return expected_float(to, from, rounding, source); });
      }
    }
  }
}

TEST_CASE("conversions from integers to floats round like MPFR") {
  std::mt19937_64 random(7);
  for (const DataType to : floats) {
    for (const DataType from : integers) {
      if (to == DataType::bf16 && kernel::bytes_of(from) == 1) continue;
      const unsigned width = 8 * kernel::bytes_of(from);
      for (const Rounding rounding : roundings) {
        const auto draw = [&]() -> std::uint64_t {
          // Values of all magnitudes, and runs of ones that tie.
          const std::uint64_t value = random() >> (random() % 64);
          const std::uint64_t run = ~std::uint64_t{0} << (random() % 64);
          const std::uint64_t mixed = random() % 3 == 0 ? run : random() % 2 == 0 ? value : value & run;
          return (random() % 16 == 0 ? 0 : mixed) & ~std::uint64_t{0} >> (64 - width);
        };
        compare(to, from, rounding, 200, draw,
                [&](std::uint64_t source) { return expected_float(to, from, rounding, source); });
      }
    }
  }
}

TEST_CASE("conversions from floats to integers round like MPFR and are clamped to the range") {
  for (const DataType from : floats) {
    for (const DataType to : integers) {
      if (from == DataType::bf16 && kernel::bytes_of(to) == 1) continue;
      Operands operands(from);
      const std::uint64_t one = bits_of(1, from);
      for (const Rounding rounding : integral_roundings) {
        std::mt19937_64 random(3);
        const auto draw = [&] {
          for (;;) {
            // Values from a half to more than 2^64.
            const double scale = std::ldexp(1.0, static_cast<int>(random() % 17));
            const std::uint64_t value = operands.next(random() % 2 == 0 ? one : bits_of(scale, from));
            if (number_of(value, from) == number_of(value, from)) return value;
          }
        };
        compare(to, from, rounding, 200, draw,
                [&](std::uint64_t source) { return expected_integer(to, from, rounding, source); });
      }
    }
  }
}

TEST_CASE("NaN is converted to the integer that the PTX manual defines") {
  const auto of_nan = [](DataType to, DataType from) {
    Values source{};
    source.fill(bits_of(std::numeric_limits<double>::quiet_NaN(), from));
    return run(instruction_of(Opcode::cvt, to, Rounding::rni, from), {source, {}, {}})[0];
  };
  CHECK(of_nan(DataType::s32, DataType::f32) == 0);
  CHECK(of_nan(DataType::u8, DataType::f16) == 0);
  CHECK(of_nan(DataType::s64, DataType::f32) == 0x8000000000000000);
  CHECK(of_nan(DataType::u64, DataType::f16) == 0x8000000000000000);
  CHECK(of_nan(DataType::s32, DataType::f64) == 0x80000000);
  CHECK(of_nan(DataType::u16, DataType::f64) == 0x8000);
}
