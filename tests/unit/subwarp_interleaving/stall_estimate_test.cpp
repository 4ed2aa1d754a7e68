// SPDX-License-Identifier: Apache-2.0
// The estimated number of loads on each path of a branch, which determines the order of the paths.

#include "models/schemes/subwarp_interleaving/stall_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "models/kernel/decode/load_program.hpp"

namespace reconverge {
namespace {

kernel::Program program_of(std::string_view body, std::string_view functions = "") {
  return kernel::load_program_text(fmt::format(R"(
.version 6.0
.target sm_60
.address_size 64
{1}
.visible .entry kernel(.param .u64 data)
{{
  .reg .u32 %l, %r<9>;
  .reg .u64 %d;
  .reg .pred %p<4>;
  .shared .u32 near[32];
  ld.param.u64 %d, [data];
  mov.u32 %l, %tid.x;
  setp.lt.u32 %p0, %l, 8;
{0}
  st.global.u32 [%d], %r1;
  ret;
}}
)",
                                               body, functions),
                                   "estimate.ptx", "kernel");
}

struct Ways {
  std::uint64_t taken = 0;
  std::uint64_t on = 0;
};

/// The estimates for both paths of the first conditional branch.
Ways ways(const kernel::Program& program) {
  const auto branch = std::ranges::find_if(program.instructions, [](const kernel::Instruction& one) {
    return one.opcode == kernel::Opcode::bra && one.target != kernel::no_pc;
  });
  const auto pc = static_cast<kernel::Pc>(branch - program.instructions.begin());
  StallEstimate estimate(program);
  return {estimate.stalls(pc, branch->target), estimate.stalls(pc, pc + 1)};
}

}  // namespace

TEST_CASE("The estimate of a path counts loads up to the reconvergence point, except loads of shared memory") {
  const Ways found = ways(program_of(R"(
  @%p0 bra ELSE;
  ld.global.u32 %r0, [%d];
  ld.global.u32 %r1, [%d+4];
  ld.shared.u32 %r2, [near];
  add.u32 %r1, %r1, %r0;
  bra JOIN;
ELSE:
  ld.global.u32 %r1, [%d+8];
JOIN:
  ld.global.u32 %r3, [%d+16];
  add.u32 %r1, %r1, %r3;)"));
  CHECK(found.on == 2);
  CHECK(found.taken == 1);
}

TEST_CASE("A load in a loop counts once per assumed iteration") {
  const Ways found = ways(program_of(R"(
  @%p0 bra ELSE;
  mov.u32 %r1, 0;
AGAIN:
  ld.global.u32 %r0, [%d];
  add.u32 %r1, %r1, %r0;
  setp.lt.u32 %p1, %r1, %l;
  @%p1 bra AGAIN;
  bra JOIN;
ELSE:
  ld.global.u32 %r1, [%d+8];
JOIN:)"));
  CHECK(found.on == StallEstimate::trips);
  CHECK(found.taken == 1);
}

TEST_CASE("The estimate of a path includes the loads of the functions that it calls") {
  const Ways found = ways(program_of(R"(
  @%p0 bra ELSE;
  call (%r1), outer, (%d);
  bra JOIN;
ELSE:
  mov.u32 %r1, 3;
JOIN:)",
                                     R"(
.func (.reg .u32 %r) inner(.reg .u64 %a) { ld.global.u32 %r, [%a]; ret; }
.func (.reg .u32 %r) outer(.reg .u64 %a) {
  .reg .u32 %s;
  call (%r), inner, (%a);
  call (%s), inner, (%a);
  add.u32 %r, %r, %s;
  ret;
}
)"));
  // Two loads of the PTX, and loads that restore saved registers.
  CHECK(found.on >= 2);
  CHECK(found.taken == 0);
}

}  // namespace reconverge
