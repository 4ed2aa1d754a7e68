// SPDX-License-Identifier: Apache-2.0
// Every form of every instruction on edge cases: the lanes against the scalar interpreter, and the cases in which both
// follow GPUs rather than the PTX ISA.

#include "models/execution/operations/operation.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "models/core/error.hpp"
#include "testbenches/contract/kernels.hpp"
#include "testbenches/contract/machines.hpp"
#include "tests/contract/operation_forms.hpp"
#include "tests/repetition.hpp"

namespace reconverge::contract {

namespace {

/// Returns nothing if the front end or the lanes reject the form with an error.
std::optional<Case> runnable_case(const Form& form) {
  try {
    Case test_case = operation_case(form);
    select_operations(test_case.program);
    return test_case;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// %r0 after `instruction`, with %r1 and %r2 given; both machines have to agree.
std::uint32_t answer(std::string_view instruction, std::uint32_t a = 0, std::uint32_t b = 0) {
  INFO(instruction);
  const std::string body = fmt::format(
      "  mov.u32 %r1, {};\n  mov.u32 %r2, {};\n  {};\n  st.global.u32 [%slice], %r0;\n  ret;", a, b, instruction);
  const Case test_case = make_case("answer", body, {1}, {32});
  const Outcome outcome = run_functional(test_case);
  CHECK_THAT(difference(run_scalar(test_case).memory, outcome.memory), Catch::Equals(""));
  std::uint32_t first = 0;
  std::memcpy(&first, outcome.memory.data(), sizeof(first));
  return first;
}

}  // namespace

TEST_CASE("the lanes and the interpreter agree for each instruction form", "[operation]") {
  std::size_t compared = 0;
  std::set<kernel::Opcode> opcodes;
  std::set<std::string> untried;
  for (const Form& form : operation_forms()) untried.insert(kernel::describe(*form.rule));
  for (const Form& form : operation_forms()) {
    if (tests::short_form() && !untried.contains(kernel::describe(*form.rule))) continue;
    const std::optional<Case> test_case = runnable_case(form);
    if (!test_case) continue;
    INFO(form.mnemonic);
    CHECK_THAT(difference(run_scalar(*test_case).memory, run_functional(*test_case).memory), Catch::Equals(""));
    opcodes.insert(form.rule->opcode);
    untried.erase(kernel::describe(*form.rule));
    ++compared;
  }
  // A row that the lanes never accept is in the table but not implemented.
  untried.erase("testp.(finite|infinite|number|notanumber|normal|subnormal).(f32|f64) p, a");
  CHECK(untried == std::set<std::string>());
  // The number of forms that the lanes accept must not shrink unnoticed.
  CHECK(compared >= (tests::short_form() ? 200 : 6000));
  CHECK(opcodes.size() >= 51);
}

// models/kernel/README.md, departure 5.
TEST_CASE("departures: a field of 64 bits takes whole words for its position and length", "[operation]") {
  struct Row {
    std::string_view instruction;  ///< leaves its result in %rd3
    std::uint32_t position, length, low;
  };
  constexpr Row rows[] = {
      {"bfe.u64 %rd3, %rd1, %r1, %r2", 4, 8, 0xbd},
      {"bfe.u64 %rd3, %rd1, %r1, %r2", 0x104, 8, 0},
      {"bfe.u64 %rd3, %rd1, %r1, %r2", 32, 0x104, 0x8d3b9a28},
      {"bfe.u64 %rd3, %rd1, %r1, %r2", 0x80000000, 0x80000008, 0},
      {"bfe.s64 %rd3, %rd1, %r1, %r2", 0x104, 8, 0xffffffff},
      {"bfe.s64 %rd3, %rd1, %r1, %r2", 0xffffffff, 0xffffffff, 0xffffffff},
      {"bfe.s64 %rd3, %rd1, %r1, %r2", 0x104, 0, 0},
      {"bfi.b64 %rd3, %rd1, %rd2, %r1, %r2", 0x104, 8, 0xffffffff},
      {"bfi.b64 %rd3, %rd1, %rd2, %r1, %r2", 4, 0x104, 0x05b7bd1f},
      {"bfe.u32 %r4, 0x505b7bd1, %r1, %r2; cvt.u64.u32 %rd3, %r4", 0x104, 0x108, 0xbd},
      {"bfe.s32 %r4, 0x505b7bd1, %r1, %r2; cvt.u64.u32 %rd3, %r4", 0x104, 0x108, 0xffffffbd},
      {"bfi.b32 %r4, 0, 0x505b7bd1, %r1, %r2; cvt.u64.u32 %rd3, %r4", 0x104, 0x104, 0x505b7b01},
  };
  for (const Row& row : rows) {
    INFO(row.position << ", " << row.length);
    const std::string values = "mov.b64 %rd1, 0x8d3b9a28505b7bd1; mov.b64 %rd2, -1; ";
    CHECK(answer(values + std::string(row.instruction) + "; cvt.u32.u64 %r0, %rd3", row.position, row.length) ==
          row.low);
  }
}

// models/kernel/README.md, departure 6: of results close to 2^-126, those still below it at 24 bits are flushed.
TEST_CASE("departures: .ftz flushes before a result is rounded to the subnormal numbers", "[operation]") {
  constexpr std::uint32_t lowest = 0x00800000;
  constexpr std::uint32_t sign = 0x80000000;
  constexpr std::uint32_t below_one = 0x3f7fffff;      // 1 - 2^-24
  constexpr std::uint32_t above_one = 0x3f800001;      // 1 + 2^-23
  constexpr std::uint32_t half_and_more = 0x3f000001;  // times 0x00fffffe: 2^-126 - 2^-172, which rounds to 2^-126
  constexpr std::uint32_t above_most = 0x7e800001;     // 2^126 + 2^103
  constexpr std::uint32_t two = 0x40000000;
  struct Row {
    std::string_view instruction;
    std::uint32_t a, b, expected;
  };
  constexpr Row rows[] = {
      {"mul.rn.ftz.f32 %r0, %r1, %r2", lowest, below_one, 0},  // ptxas 13.0 folds these to the same
      {"mul.rn.ftz.f32 %r0, %r1, %r2", lowest | sign, below_one, sign},
      {"mul.rn.ftz.f32 %r0, %r1, %r2", half_and_more, 0x00fffffe, lowest},
      {"mul.ftz.f32 %r0, %r1, %r2", lowest, below_one, 0},
      {"mul.f32 %r0, %r1, %r2", lowest, below_one, lowest},
      {"mul.rn.ftz.sat.f32 %r0, %r1, %r2", lowest | sign, below_one, 0},
      {"mul.rp.ftz.f32 %r0, %r1, %r2", half_and_more, 0x00fffffe, lowest},
      {"mul.rp.ftz.f32 %r0, %r1, %r2", lowest, below_one, 0},
      {"fma.rn.ftz.f32 %r0, %r1, %r2, 0f00000000", lowest, below_one, 0},
      {"fma.rn.ftz.f32 %r0, %r1, %r2, 0f80000000", lowest | sign, below_one, sign},
      {"fma.rn.ftz.f32 %r0, %r1, %r2, 0f00000000", half_and_more, 0x00fffffe, lowest},
      {"div.rp.ftz.f32 %r0, %r1, %r2", lowest, above_one, 0},
      {"div.rm.ftz.f32 %r0, %r1, %r2", lowest | sign, above_one, sign},
      {"div.rp.f32 %r0, %r1, %r2", lowest, above_one, lowest},
      {"div.full.ftz.f32 %r0, %r1, %r2", lowest, 0x3f800000, lowest},
      {"div.approx.ftz.f32 %r0, %r1, %r2", 0x00ffffff, two, 0},
      {"div.approx.ftz.f32 %r0, %r1, %r2", 0x00ffffff | sign, two, sign},
      {"div.approx.ftz.f32 %r0, %r1, %r2", 0x01000000, two, lowest},
      {"div.approx.f32 %r0, %r1, %r2", 0x00ffffff, two, lowest},
      {"rcp.rp.ftz.f32 %r0, %r1", above_most, 0, 0},
      {"rcp.rm.ftz.f32 %r0, %r1", above_most | sign, 0, sign},
      {"rcp.rn.ftz.f32 %r0, %r1", 0x7e800000, 0, lowest},
      // An NVIDIA H100 gives these two.
      {"mul.ftz.f16x2 %r0, %r1, %r2", 0x3bff8400, 0x04003bff, 0x00008000},
      {"mul.ftz.sat.f16x2 %r0, %r1, %r2", 0x3bff3bff, 0x04000401, 0x00000400},
      {"mul.f16x2 %r0, %r1, %r2", 0x3bff8400, 0x04003bff, 0x04008400},
  };
  for (const Row& row : rows) {
    INFO(row.a << ", " << row.b);
    CHECK(answer(row.instruction, row.a, row.b) == row.expected);
  }
  CHECK(answer("cvt.rn.ftz.f32.f64 %r0, 0d380FFFFFE0000000") ==
        0);  // 2^-126 - 2^-150; ptxas 13.0 folds these to the same
  CHECK(answer("cvt.rn.ftz.f32.f64 %r0, 0d380FFFFFF0000000") == lowest);  // 2^-126 - 2^-151
  CHECK(answer("cvt.rn.f32.f64 %r0, 0d380FFFFFE0000000") == lowest);
}

// models/kernel/README.md, departure 7.
TEST_CASE("departures: .ftz flushes no operand of a conversion from f32 to f16", "[operation]") {
  const auto half = [](const std::string& instruction, std::uint32_t a) {
    const std::string registers = "{ .reg .b16 %half; ";
    return answer(registers + instruction + " %half, %r1; cvt.u32.u16 %r0, %half; } mov.b32 %r0, %r0", a);
  };
  constexpr std::uint32_t subnormal = 0x00000011;
  constexpr std::uint32_t sign = 0x80000000;
  CHECK(half("cvt.rp.ftz.f16.f32", subnormal) == 1);
  CHECK(half("cvt.rm.ftz.f16.f32", subnormal | sign) == 0x8001);
  CHECK(half("cvt.rm.ftz.f16.f32", subnormal) == 0);
  CHECK(half("cvt.rp.ftz.bf16.f32", subnormal) == 0);
  CHECK(half("cvt.rp.bf16.f32", subnormal) == 1);
}

}  // namespace reconverge::contract
