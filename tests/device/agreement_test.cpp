// SPDX-License-Identifier: Apache-2.0
// The definition of agreement with a GPU, and the changes that give texts defined results.

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/device/definite.hpp"
#include "tests/device/form_agreement.hpp"

namespace reconverge::tests {
namespace {

using Catch::Contains;
using contract::Form;
using device::Buffers;

Form form_named(const std::string& mnemonic) {
  for (const Form& form : contract::operation_forms()) {
    if (form.mnemonic == mnemonic) return form;
  }
  throw std::runtime_error("no form " + mnemonic);
}

/// Whether results that begin with `found` agree where ours begin with `expected`; the operands are zeros.
template <typename T>
bool agree(const std::string& mnemonic, T expected, T found, T operand = T{}) {
  Buffers ours(3, std::vector<std::byte>(24 * 8));
  std::memcpy(ours[0].data(), &operand, sizeof operand);
  std::memcpy(ours[1].data(), &expected, sizeof expected);
  Buffers theirs = ours;
  std::memcpy(theirs[1].data(), &found, sizeof found);
  return form_difference(form_named(mnemonic), ours, theirs).empty();
}

float steps_from(float value, int steps) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) + static_cast<std::uint32_t>(steps));
}

}  // namespace

TEST_CASE("formats are decoded", "[agreement]") {
  const FloatFormat half = format_of(kernel::DataType::f16x2);
  CHECK(half.value(0x3c01) == 1 + 0x1p-10);
  CHECK(half.value(0x8001) == -0x1p-24);
  CHECK(std::isnan(half.value(0x7c01)));
  CHECK(half.value(0xfc00) == -std::numeric_limits<double>::infinity());
  CHECK(half.unit_at(1.5) == 0x1p-10);
  CHECK(half.unit_at(0) == 0x1p-24);
  const FloatFormat single = format_of(kernel::DataType::f32);
  for (const float value : {0.0F, 1.0F, -3.5e-40F, 1e38F, -0.1F}) {
    CHECK(single.value(std::bit_cast<std::uint32_t>(value)) == value);
  }
  CHECK(format_of(kernel::DataType::f64).value(std::bit_cast<std::uint64_t>(-0.1)) == -0.1);
  CHECK(format_of(kernel::DataType::bf16).value(0x3f81) == 1 + 0x1p-7);
}

TEST_CASE("exact operations agree bit for bit except for NaN payloads", "[agreement]") {
  const auto nan = [](std::uint32_t bits) { return std::bit_cast<float>(bits); };
  CHECK(agree("add.f32", 1.0F, 1.0F));
  CHECK_FALSE(agree("add.f32", 1.0F, steps_from(1.0F, 1)));
  CHECK_FALSE(agree("add.f32", 0.0F, -0.0F));
  CHECK(agree("add.f32", nan(0x7fffffff), nan(0xffc00001)));
  CHECK_FALSE(agree("add.f32", nan(0x7fffffff), 1.0F));
  CHECK_FALSE(agree("add.u32", 0x7fffffffU, 0x7ffffffeU));
  CHECK(agree("add.f64", std::bit_cast<double>(0x7ff8000000000123), std::bit_cast<double>(0xffffffffffffffff)));
  // A pair: one NaN, and one number that must be equal.
  CHECK(agree("add.f16x2", 0x7fff3c00U, 0xfe003c00U));
  CHECK_FALSE(agree("add.f16x2", 0x7fff3c00U, 0xfe003c01U));
}

TEST_CASE("approximations agree within the limits of PTX", "[agreement]") {
  CHECK(agree("rcp.approx.f32", 0.7F, steps_from(0.7F, 1)));
  CHECK_FALSE(agree("rcp.approx.f32", 0.7F, steps_from(0.7F, 2)));
  CHECK(agree("div.full.f32", 0.7F, steps_from(0.7F, -2)));
  CHECK_FALSE(agree("div.full.f32", 0.7F, steps_from(0.7F, -3)));
  CHECK_FALSE(agree("div.rn.f32", 0.7F, steps_from(0.7F, 1)));
  CHECK(agree("sin.approx.f32", 0.5F, 0.5F + 0x1p-21F, 0.5236F));
  CHECK_FALSE(agree("sin.approx.f32", 0.5F, 0.5F + 0x1p-20F, 0.5236F));
  CHECK(agree("sin.approx.f32", 0.5F, 0.5F + 0x1p-15F, 100.7F));
  CHECK(agree("sin.approx.f32", 0.5F, -0.5F, 1e6F));
  CHECK(agree("lg2.approx.f32", 0.0F, 0x1p-23F, 1.0F));
  CHECK_FALSE(agree("lg2.approx.f32", 0.0F, 0x1p-21F, 1.0F));
  CHECK(agree("lg2.approx.f32", 20.0F, 20.0F + 0x1p-18F, 1048576.0F));
  CHECK(agree("tanh.approx.f32", 0.5F, 0.5F + 0x1p-12F));
  CHECK_FALSE(agree("tanh.approx.f32", 0.5F, 0.5F + 0x1p-10F));
  // 2^-9.9 of 1.5 is one step of f16; each half is compared separately.
  CHECK(agree("ex2.approx.f16x2", 0x3e003e00U, 0x3e013dffU));
  CHECK_FALSE(agree("ex2.approx.f16x2", 0x3e003e00U, 0x3e013e03U));
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(agree("ex2.approx.f32", infinity, infinity));
  CHECK_FALSE(agree("ex2.approx.f32", infinity, 1.0F));
  CHECK_FALSE(agree("ex2.approx.f32", 1.0F, std::numeric_limits<float>::quiet_NaN()));
}

TEST_CASE("texts are made definite", "[definite]") {
  CHECK(made_definite("  @!%p1 div.s64 %d1, %d2, %d3;\n") ==
        "  setp.eq.s64 %open, %d3, 0;\n  @%open mov.b64 %d3, 3;\n  setp.eq.s64 %open, %d3, -1;\n"
        "  @%open mov.b64 %d3, 5;\n  @!%p1 div.s64 %d1, %d2, %d3;\n");
  CHECK(made_definite("  rem.u32 %t6, %t6, 40;\n") == "  rem.u32 %t6, %t6, 40;\n");
  CHECK(made_definite("  add.f32 %f1, %f2, %f3;\n") ==
        "  add.f32 %f1, %f2, %f3;\n  setp.nan.f32 %open, %f1, %f1;\n  @%open mov.f32 %f1, 0f7FFFFFFF;\n");
  CHECK(made_definite("  st.global.f32 [%slice+4], %f3;\n") == "  st.global.f32 [%slice+4], %f3;\n");
  for (const char* const open : {"ex2.approx.f32 %f0, %f1", "@%p1 add.f16 %h0, %h1, %h0",
                                 "fma.rn.bf16x2 %r1, %r2, %r3, %r4", "atom.global.add.f32 %f1, [%slice+4], %f2"}) {
    CHECK(made_definite(std::string("  ") + open + ";\n").empty());
  }
  const std::string function = ".func (.reg .b32 %result) f0(.reg .b32 %x)\n";
  const std::string division = "  div.rn.f64 %g0, %g0, %g1;\n";
  CHECK(made_definite(function + division) == function);
  CHECK_THAT(made_definite(function + ".visible .entry kernel()\n" + division), Contains(division));
  CHECK_THAT(with_safe_operands("  rem.u16 %h4, %h0, %h1;\n  div.rn.f32 %r4, %r0, %r1;\n"),
             Contains("@%p7 mov.b16 %h1, 3;") && !Contains("%p7 mov.b32"));
}

}  // namespace reconverge::tests
