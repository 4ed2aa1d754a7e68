// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "tests/unit/kernel/ptx.hpp"

using namespace reconverge::kernel;
using tests::load;

namespace {

/// Code with four values that are live at once, none of them constant. A value that is live across this code needs a
/// fifth register.
const std::string pressure =
    "mov.u32 %r40, %tid.x;\nmov.u32 %r41, %ctaid.x;\nmov.u32 %r42, %ntid.x;\nmov.u32 %r43, %laneid;\n"
    "add.u32 %r40, %r40, %r41;\nadd.u32 %r42, %r42, %r43;\nadd.u32 %r40, %r40, %r42;\n";

struct Demand {
  std::uint32_t registers, rows;
  bool operator==(const Demand&) const = default;
};

Demand demand(const std::string& body, std::string_view variables = "") {
  const Program program = load(body, variables);
  return {program.registers, program.register_rows};
}

}  // namespace

TEST_CASE("a parameter that only arithmetic reads takes no register") {
  CHECK(demand("ld.param.u32 %r1, [pb];\n" + pressure + "add.u32 %r40, %r40, %r1;\nmov.b32 %f1, %r40;") ==
        Demand{4, 5});
  // It takes none even if it is read several times, and neither does a pair.
  CHECK(demand("ld.param.u64 %rd1, [pa];\nld.param.u32 %r1, [pb];\n" + pressure +
               "add.u32 %r40, %r40, %r1;\nxor.b32 %r40, %r40, %r1;\nmul.wide.u32 %rd2, %r40, %r40;\n"
               "add.u64 %rd2, %rd2, %rd1;") == Demand{4, 7});
  CHECK(demand(pressure) == Demand{4, 4});
}

TEST_CASE("a constant needs registers only at instructions that read it from a register") {
  // A constant address needs a pair, together with the data, after the four values are dead.
  CHECK(demand("ld.param.u64 %rd1, [pa];\n" + pressure + "st.global.u32 [%rd1], %r40;") == Demand{4, 6});
  // Constant data of a store need a register together with the address.
  CHECK(demand("ld.param.u64 %rd1, [pa];\nld.param.u32 %r1, [pb];\nst.global.u32 [%rd1], %r1;") == Demand{3, 3});
  // An instruction that reads two constants, or one constant twice, needs one register; an immediate counts as a
  // constant.
  CHECK(demand("ld.param.u32 %r1, [pc];\nld.param.u32 %r2, [pc+4];\nadd.u32 %r3, %r1, %r2;").registers == 1);
  const std::string three = "mov.u32 %r5, %tid.x;\nmov.u32 %r6, %laneid;\n";
  const std::string use = "add.u32 %r7, %r5, %r6;";
  CHECK(demand("ld.param.u32 %r1, [pb];\n" + three + "mul.lo.u32 %r3, %r1, %r1;\nadd.u32 %r5, %r5, %r3;\n" + use) ==
        Demand{3, 3});
  CHECK(demand("ld.param.u32 %r1, [pb];\n" + three + "mad.lo.u32 %r5, %r5, %r1, 3;\n" + use) == Demand{3, 3});
  CHECK(demand("ld.param.u32 %r1, [pb];\n" + three + "mad.lo.u32 %r5, %r5, %r1, %r6;\n" + use) == Demand{2, 3});
}

TEST_CASE("a constant is a register that is set once to an immediate, parameter, constant variable or copy of one") {
  const std::string use = pressure + "add.u32 %r40, %r40, %r1;\nmov.b32 %f1, %r40;";
  CHECK(demand("mov.u32 %r1, 77;\n" + use) == Demand{4, 5});
  CHECK(demand("ld.const.u32 %r1, [table+4];\n" + use, ".const .u32 table[4] = {1, 2, 3, 4};") == Demand{4, 5});
  CHECK(demand("ld.const.u32 %r1, [%rd9];\n" + use, ".const .u32 table[4] = {1, 2, 3, 4};") == Demand{5, 5});
  CHECK(demand("ld.global.u32 %r1, [table+4];\n" + use, ".global .u32 table[4];") == Demand{5, 5});
  CHECK(demand("ld.param.u32 %r2, [pb];\nmov.u32 %r1, %r2;\n" + use) == Demand{4, 5});
  CHECK(demand("ld.param.u32 %r1, [pb];\n@%p1 ld.param.u32 %r1, [pc];\n" + use) == Demand{5, 5});
  CHECK(demand("@%p1 ld.param.u32 %r1, [pb];\n" + use) == Demand{5, 5});
  CHECK(demand("mov.u32 %r1, %warpid;\n" + use) == Demand{5, 5});
  CHECK(demand("ld.param.u32 %r2, [pb];\nadd.u32 %r1, %r2, 1;\n" + use) == Demand{5, 5});
  CHECK(demand("mov.u32 %r2, 7;\nadd.u32 %r1, %r2, 1;\n" + use) == Demand{4, 5});
  CHECK(demand("mov.u32 %r2, %tid.y;\nadd.u32 %r1, %r2, 1;\n" + use) == Demand{5, 5});
  CHECK(demand("add.u32 %r1, %tid.y, 1;\n" + use) == Demand{5, 5});
}

TEST_CASE("a parameter remains constant when it is converted to a global address, but not to a shared address") {
  const std::string use = pressure + "cvt.u64.u32 %rd5, %r40;\nadd.u64 %rd5, %rd5, %rd2;";
  CHECK(demand("ld.param.u64 %rd1, [pa];\ncvta.to.global.u64 %rd2, %rd1;\n" + use) == Demand{4, 6});
  CHECK(demand("ld.param.u64 %rd1, [pa];\ncvta.to.shared.u64 %rd2, %rd1;\n" + use) == Demand{6, 6});
}

TEST_CASE("parameters that loops read hold no registers, as in a persistent traversal") {
  const Program program = load(
      "ld.param.u64 %rd1, [pa];\nld.param.u32 %r9, [pb];\nmov.u32 %r1, %tid.x;\nLOOP:\nmul.wide.u32 %rd2, %r1, 4;\n"
      "add.u64 %rd3, %rd1, %rd2;\nld.global.u32 %r1, [%rd3];\nsetp.lt.u32 %p1, %r1, %r9;\n@%p1 bra LOOP;\n");
  CHECK(program.registers == 2);
  CHECK(program.register_rows == 5);
}

TEST_CASE("a ray register is not constant, even if only rdctrl writes it again") {
  CHECK(demand("mov.u32 %r1, 7;\n" + pressure + "add.u32 %r40, %r40, %r1;") == Demand{4, 5});
  CHECK(demand("mov.u32 %r1, 7;\nrdctrl.b32 %r2, {%r1};\n" + pressure + "add.u32 %r40, %r40, %r1;") == Demand{5, 5});
}
