// SPDX-License-Identifier: Apache-2.0
#include "tests/microbench/ray_kernel.hpp"

#include <fmt/format.h>

#include <vector>

namespace reconverge::tests {

namespace {

constexpr std::uint32_t scatter = 2654435761U;
constexpr std::uint32_t growth = 3;
constexpr std::uint32_t mix = 31;

/// Repeats the line for each register of the ray from `first` on, with `{0}` as the register's number.
std::string for_each_register(std::size_t first, std::size_t registers, fmt::string_view line) {
  std::string text;
  for (std::size_t i = first; i < registers; ++i) text += fmt::format(fmt::runtime(line), i) + "\n";
  return text;
}

std::string list(std::size_t registers) {
  std::string text = "%q0";
  for (std::size_t i = 1; i < registers; ++i) text += fmt::format(", %q{}", i);
  return text;
}

}  // namespace

// %q0 is the index of the ray, %q1 the number of remaining rounds; the other registers hold intermediate values.
std::string ray_kernel(std::size_t registers) {
  std::string text = R"(.version 6.0
.target sm_60
.address_size 64
.visible .entry rays(.param .u64 buffer, .param .u32 count, .param .u32 size)
{
.reg .pred %p<2>;
.reg .b32 %q<18>;
.reg .b32 %r<5>;
.reg .b64 %a<2>;
ld.param.u64 %a0, [buffer];
ld.param.u32 %r0, [count];
)";
  text += for_each_register(0, registers, "mov.b32 %q{0}, 0;");
  text += fmt::format("ROUND: rdctrl.b32 %r1, {{{}}};\n", list(registers));
  text += R"(setp.ne.u32 %p0, %r1, 0;
vote.any.pred %p1, %p0;
@!%p1 bra END;
setp.eq.u32 %p0, %r1, 1;
@%p0 bra FETCH;
setp.eq.u32 %p0, %r1, 2;
@%p0 bra INNER;
setp.eq.u32 %p0, %r1, 3;
@%p0 bra LEAF;
bra ROUND;
FETCH:
atom.global.add.u32 %q0, [%a0], 1;
setp.lt.u32 %p0, %q0, %r0;
selp.b32 %r2, 2, 0, %p0;
)";
  text += fmt::format("mul.lo.u32 %r3, %q0, {};\nshr.u32 %r3, %r3, 28;\nadd.u32 %q1, %r3, 1;\n", scatter);
  text += for_each_register(2, registers, "add.u32 %q{0}, %q0, {0};");
  text += "mov.u32 %ray_state, %r2;\nbra ROUND;\nINNER:\n";
  text += for_each_register(2, registers, fmt::format("mad.lo.u32 %q{{0}}, %q{{0}}, {}, %q1;", growth));
  text += R"(sub.u32 %q1, %q1, 1;
and.b32 %r2, %q1, 3;
setp.eq.u32 %p0, %r2, 0;
selp.b32 %r2, 3, 2, %p0;
mov.u32 %ray_state, %r2;
bra ROUND;
LEAF:
mov.b32 %r4, %q0;
)";
  text += for_each_register(2, registers, fmt::format("mad.lo.u32 %r4, %r4, {}, %q{{0}};", mix));
  text += R"(mul.wide.u32 %a1, %q0, 4;
add.u64 %a1, %a1, %a0;
setp.eq.u32 %p0, %q1, 0;
@%p0 st.global.u32 [%a1+128], %r4;
selp.b32 %r2, 1, 2, %p0;
mov.u32 %ray_state, %r2;
bra ROUND;
END:
exit;
}
)";
  return text;
}

std::uint32_t result_of_ray(std::uint32_t index, std::size_t registers) {
  std::vector<std::uint32_t> ray(registers);
  for (std::uint32_t i = 2; i < registers; ++i) ray[i] = index + i;
  for (std::uint32_t rounds = (index * scatter >> 28U) + 1; rounds != 0; --rounds) {
    for (std::size_t i = 2; i < registers; ++i) ray[i] = ray[i] * growth + rounds;
  }
  std::uint32_t result = index;
  for (std::size_t i = 2; i < registers; ++i) result = result * mix + ray[i];
  return result;
}

}  // namespace reconverge::tests
