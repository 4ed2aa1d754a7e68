// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/kernel/inspect/inspect.hpp"
#include "tests/unit/kernel/fields.hpp"
#include "tests/unit/kernel/ptx.hpp"

using namespace reconverge;
using namespace reconverge::kernel;
using tests::constant_bits;
using tests::decoded;
using tests::fields;
using tests::load;
using tests::refusal;

namespace {

struct Case {
  const char* ptx;
  const char* expected;
};

void check_all(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    INFO(one.ptx);
    CHECK(fields(decoded(one.ptx)) == one.expected);
  }
}

}  // namespace

// In these tables `wide` has a bit for each 64-bit operand: 0x1 is destination[0], 0x10 is source[0].

TEST_CASE("moves, selections and conversions decode") {
  check_all({
      {"mov.u32 %r1, %r2;", "mov.u32 alu"},
      {"mov.b64 %rd1, %rd2;", "mov.b64 alu wide0x11"},
      {"mov.pred %p1, %p2;", "mov.pred alu"},
      {"mov.f64 %fd1, 0d3FF0000000000000;", "mov.f64 alu wide0x11"},
      {"mov.b64 %rd1, {%r1, %r2};", "pack.b64.b32 alu v2 wide0x1"},
      {"mov.b32 %r1, {%rs1, %rs2};", "pack.b32.b16 alu v2"},
      {"mov.b64 %rd1, {%rs1, %rs2, %rs3, %rs4};", "pack.b64.b16 alu v4 wide0x1"},
      {"mov.b64 {%r1, _}, %rd1;", "unpack.b64.b32 alu v2 wide0x10"},
      {"selp.f32 %f1, %f2, 0f00000000, %p1;", "selp.f32 alu"},
      {"slct.ftz.u64.f32 %rd1, %rd2, %rd3, %f1;", "slct.u64.f32 alu ftz wide0x31"},
      {"cvt.rn.f32.s32 %f1, %r1;", "cvt.f32.s32 multiply rn"},
      {"cvt.rzi.ftz.sat.u8.f32 %rs1, %f1;", "cvt.u8.f32 multiply rzi ftz sat"},
      {"cvt.rmi.f32.f32 %f1, %f2;", "cvt.f32.f32 multiply rmi"},
      {"cvt.rp.f16.f32 %rs1, %f2;", "cvt.f16.f32 multiply rp"},
      {"cvt.f32.f16 %f1, %rs2;", "cvt.f32.f16 multiply"},
      {"cvt.f64.f32 %fd1, %f2;", "cvt.f64.f32 fp64 wide0x1"},
      {"cvt.sat.s8.s32 %r1, %r2;", "cvt.s8.s32 multiply sat"},
      {"cvt.u64.u32 %rd1, %r2;", "cvt.u64.u32 multiply wide0x1"},
      {"cvta.shared.u64 %rd1, %rd2;", "cvta.u64 alu shared wide0x11"},
      {"cvta.to.global.u64 %rd1, %rd2;", "cvta.u64 alu global variant1 wide0x11"},
  });
}

TEST_CASE("integer arithmetic and logic decode") {
  check_all({
      {"add.sat.s32 %r1, %r2, %r3;", "add.s32 alu sat"},
      {"sub.u64 %rd1, %rd2, 1;", "sub.u64 alu wide0x31"},
      {"mul.lo.s32 %r1, %r2, %r3;", "mul.s32 multiply lo"},
      {"mul.hi.u64 %rd1, %rd2, %rd3;", "mul.u64 multiply hi wide0x31"},
      {"mul.wide.s32 %rd1, %r2, 16;", "mul.s32 multiply wide wide0x1"},
      {"mul.wide.u16 %r1, %rs2, %rs3;", "mul.u16 multiply wide"},
      {"mad.lo.s16 %rs1, %rs2, %rs3, %rs4;", "mad.s16 multiply lo"},
      {"mad.wide.u32 %rd1, %r2, %r3, %rd4;", "mad.u32 multiply wide wide0x41"},
      {"mul24.hi.u32 %r1, %r2, %r3;", "mul24.u32 multiply hi"},
      {"mad24.lo.s32 %r1, %r2, %r3, %r4;", "mad24.s32 multiply lo"},
      {"dp4a.u32.s32 %r1, %r2, %r3, %r4;", "dp4a.u32.s32 multiply"},
      {"div.s16 %rs1, %rs2, %rs3;", "div.s16 special"},
      {"rem.u32 %r1, %r2, 7;", "rem.u32 special"},
      {"abs.s64 %rd1, %rd2;", "abs.s64 alu wide0x11"},
      {"neg.s32 %r1, %r2;", "neg.s32 alu"},
      {"min.s32 %r1, %r2, %r3;", "min.s32 alu"},
      {"max.u16 %rs1, %rs2, %rs3;", "max.u16 alu"},
      {"sad.u32 %r1, %r2, %r3, %r4;", "sad.u32 alu"},
      {"and.pred %p1, %p2, %p3;", "and.pred alu"},
      {"or.b16 %rs1, %rs2, %rs3;", "or.b16 alu"},
      {"xor.b64 %rd1, %rd2, -1;", "xor.b64 alu wide0x31"},
      {"not.pred %p1, %p2;", "not.pred alu"},
      {"cnot.b32 %r1, %r2;", "cnot.b32 alu"},
      {"lop3.b32 %r1, %r2, %r3, %r4, 0x96;", "lop3.b32 alu +150"},
      {"shl.b64 %rd1, %rd2, %r3;", "shl.b64 multiply wide0x11"},
      {"shr.s32 %r1, %r2, 31;", "shr.s32 multiply"},
      {"shr.b16 %rs1, %rs2, 3;", "shr.b16 multiply"},
      {"shf.l.clamp.b32 %r1, %r2, %r3, %r4;", "shf.b32 multiply"},
      {"shf.l.wrap.b32 %r1, %r2, %r3, %r4;", "shf.b32 multiply variant1"},
      {"shf.r.clamp.b32 %r1, %r2, %r3, %r4;", "shf.b32 multiply variant2"},
      {"shf.r.wrap.b32 %r1, %r2, %r3, 8;", "shf.b32 multiply variant3"},
      {"popc.b64 %r1, %rd2;", "popc.b64 multiply wide0x10"},
      {"clz.b32 %r1, %r2;", "clz.b32 multiply"},
      {"brev.b64 %rd1, %rd2;", "brev.b64 multiply wide0x11"},
      {"bfe.s64 %rd1, %rd2, %r3, 4;", "bfe.s64 multiply wide0x11"},
      {"bfi.b64 %rd1, %rd2, %rd3, 0, %r4;", "bfi.b64 multiply wide0x31"},
      {"bfind.shiftamt.u64 %r1, %rd2;", "bfind.u64 multiply variant1 wide0x10"},
      {"prmt.b32 %r1, %r2, %r3, 0x123;", "prmt.b32 multiply"},
      {"prmt.b32.rc16 %r1, %r2, %r3, %r4;", "prmt.b32 multiply variant6"},
  });
}

TEST_CASE("float arithmetic and comparison decode") {
  check_all({
      {"add.f32 %f1, %f2, %f3;", "add.f32 alu"},
      {"add.rn.ftz.sat.f32 %f1, %f2, %f3;", "add.f32 alu rn ftz sat"},
      {"sub.rp.f64 %fd1, %fd2, %fd3;", "sub.f64 fp64 rp wide0x31"},
      {"mul.rz.f32 %f1, %f2, 0f40000000;", "mul.f32 alu rz"},
      {"fma.rm.f32 %f1, %f2, %f3, %f4;", "fma.f32 alu rm"},
      {"mad.rn.f32 %f1, %f2, %f3, %f4;", "fma.f32 alu rn"},
      {"fma.rn.f64 %fd1, %fd2, %fd3, %fd4;", "fma.f64 fp64 rn wide0x71"},
      {"abs.ftz.f32 %f1, %f2;", "abs.f32 alu ftz"},
      {"neg.f64 %fd1, %fd2;", "neg.f64 fp64 wide0x11"},
      {"min.ftz.f32 %f1, %f2, %f3;", "min.f32 alu ftz"},
      {"max.f64 %fd1, %fd2, %fd3;", "max.f64 fp64 wide0x31"},
      {"copysign.f32 %f1, %f2, %f3;", "copysign.f32 alu"},
      {"testp.infinite.f32 %p1, %f2;", "testp.f32 alu variant1"},
      {"testp.subnormal.f64 %p1, %fd2;", "testp.f64 fp64 variant5 wide0x10"},
      {"div.approx.ftz.f32 %f1, %f2, %f3;", "div.f32 special ftz approx"},
      {"div.full.f32 %f1, %f2, %f3;", "div.f32 special approx variant1"},
      {"div.rn.f32 %f1, %f2, %f3;", "div.f32 special rn"},
      {"div.rn.f64 %fd1, %fd2, %fd3;", "div.f64 fp64 rn wide0x31"},
      {"rcp.rn.f32 %f1, %f2;", "rcp.f32 special rn"},
      {"rcp.approx.f32 %f1, %f2;", "rcp.f32 special approx"},
      {"sqrt.rn.ftz.f32 %f1, %f2;", "sqrt.f32 special rn ftz"},
      {"sqrt.approx.f32 %f1, %f2;", "sqrt.f32 special approx"},
      {"rsqrt.approx.f32 %f1, %f2;", "rsqrt.f32 special approx"},
      {"sin.approx.f32 %f1, %f2;", "sin.f32 special approx"},
      {"cos.approx.ftz.f32 %f1, %f2;", "cos.f32 special ftz approx"},
      {"ex2.approx.f32 %f1, %f2;", "ex2.f32 special approx"},
      {"lg2.approx.f32 %f1, %f2;", "lg2.f32 special approx"},
      {"tanh.approx.f32 %f1, %f2;", "tanh.f32 special approx"},
      {"setp.lt.s32 %p1, %r1, 0;", "setp.s32 alu lt"},
      {"setp.ne.b16 %p1, %rs1, 0;", "setp.b16 alu ne"},
      {"setp.hs.u64 %p1, %rd1, %rd2;", "setp.u64 alu hs wide0x30"},
      {"setp.ltu.or.ftz.f32 %p1|%p2, %f1, %f2, !%p3;", "setp.f32 alu ltu or ftz not4"},
      {"setp.nan.f64 %p1, %fd1, %fd1;", "setp.f64 fp64 nan wide0x30"},
      {"set.gt.xor.u32.f32 %r1, %f1, %f2, %p3;", "set.u32.f32 alu gt xor"},
      {"set.eq.f32.b64 %f1, %rd1, %rd2;", "set.f32.b64 alu eq wide0x30"},
      {"set.lo.s32.u16 %r1, %rs1, %rs2;", "set.s32.u16 alu lo"},
  });
}

TEST_CASE("memory instructions decode") {
  check_all({
      {"ld.global.u32 %r1, [%rd2+16];", "ld.u32 load global +16 wide0x10"},
      {"ld.u32 %r1, [%rd2];", "ld.u32 load generic wide0x10"},
      {"ld.shared.s8 %r1, [%r2+-4];", "ld.s8 load shared narrow-address -4"},
      {"ld.volatile.shared.u32 %r1, [%r2];", "ld.u32 load shared narrow-address variant9"},
      {"ld.relaxed.gpu.global.u32 %r1, [%rd2];", "ld.u32 load global variant10 wide0x10"},
      {"ld.global.cg.u32 %r1, [%rd2];", "ld.u32 load global variant2 wide0x10"},
      {"ld.global.nc.v4.f32 {%f1,%f2,%f3,%f4}, [%rd2];", "ld.f32 load global v4 variant8 wide0x10"},
      {"ld.global.nc.L1::no_allocate.L2::128B.v2.u64 {%rd3, %rd4}, [%rd2];", "ld.u64 load global v2 variant8 wide0x13"},
      {"ld.global.s16 %rd1, [%rd2];", "ld.s16.b64 load global wide0x11"},
      {"ld.const.f32 %f1, [%rd2];", "ld.f32 load const wide0x10"},
      {"ldu.global.u32 %r1, [%rd2];", "ld.u32 load global wide0x10"},
      {"st.local.v2.u32 [%rd1+4], {%r1, 5};", "st.u32 store local v2 +4 wide0x10"},
      {"st.global.wt.u8 [%rd1], %rs1;", "st.u8 store global variant7 wide0x10"},
      {"st.global.u32 [%rd1], %rd2;", "st.u32.b64 store global wide0x30"},
      {"ld.param.u64 %rd1, [pa];", "ld.param.u64 load param wide0x1"},
      {"ld.param.u32 %r1, [pb];", "ld.param.u32 load param +8"},
      {"ld.param.v2.u32 {%r1, %r2}, [pc+4];", "ld.param.u32 load param v2 +16"},
      {"ld.param.u8 %rs1, [pc+11];", "ld.param.u8 load param +23"},
      {"ld.param.u32 %r1, [%rd1+4];", "ld.u32 load param +4 wide0x10"},
      {"atom.global.add.u32 %r1, [%rd1], 1;", "atom.u32 atomic global add wide0x10"},
      {"atom.add.f32 %f1, [%rd1], %f2;", "atom.f32 atomic generic add wide0x10"},
      {"atom.relaxed.gpu.global.max.s64 %rd2, [%rd1], %rd3;", "atom.s64 atomic global max wide0x31"},
      {"atom.shared.cas.b32 %r1, [%r2], %r3, %r4;", "atom.b32 atomic shared cas narrow-address"},
      {"atom.global.exch.b64 %rd2, [%rd1+8], %rd3;", "atom.b64 atomic global exch +8 wide0x31"},
      {"atom.global.inc.u32 %r1, [%rd1], %r2;", "atom.u32 atomic global inc wide0x10"},
      {"red.global.and.b32 [%rd1], %r2;", "red.b32 atomic global and wide0x10"},
      {"red.shared.min.u32 [%r1], %r2;", "red.u32 atomic shared min narrow-address"},
      {"membar.cta;", "membar barrier"},
      {"membar.gl;", "membar barrier variant1"},
      {"fence.acq_rel.sys;", "membar barrier variant2"},
  });
}

TEST_CASE("block and warp instructions decode") {
  check_all({
      {"bar.sync 0;", "bar barrier"},
      {"bar.sync 3, 64;", "bar barrier +3"},
      {"bar.sync %r1;", "bar barrier -1"},
      {"bar.arrive 2, %r1;", "bar barrier variant1 +2"},
      {"bar.red.popc.u32 %r1, 1, %p1;", "bar barrier variant2 +1"},
      {"bar.red.and.pred %p1, 1, %r2, !%p2;", "bar barrier variant3 not4 +1"},
      {"bar.red.or.pred %p1, 0, %p2;", "bar barrier variant4"},
      {"bar.warp.sync 0xffffffff;", "bar barrier variant5"},
      {"barrier.sync.aligned 1;", "bar barrier uni +1"},
      {"barrier.cta.arrive 1, 32;", "bar barrier variant1 +1"},
      {"vote.sync.any.pred %p1, !%p2, 0xffffffff;", "vote warp variant1 not1"},
      {"vote.sync.ballot.b32 %r1, %p2, %r3;", "vote warp variant3"},
      {"vote.uni.pred %p1, %p2;", "vote warp variant2"},
      {"vote.ballot.b32 %r1, %p2;", "vote warp variant3"},
      {"shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;", "shfl.b32 warp variant2"},
      {"shfl.sync.up.b32 %r1, %r2, 1, 0, -1;", "shfl.b32 warp"},
      {"shfl.idx.b32 %f1, %f2, %r3, 31;", "shfl.b32 warp variant3"},
      {"activemask.b32 %r1;", "activemask.b32 warp"},
      {"match.any.sync.b64 %r1, %rd2, -1;", "match.b64 warp wide0x10"},
      {"match.all.sync.b32 %r1|%p1, %r2, -1;", "match.b32 warp variant1"},
      {"redux.sync.max.s32 %r1, %r2, -1;", "redux.s32 warp max"},
      {"redux.sync.xor.b32 %r1, %r2, %r3;", "redux.b32 warp xor"},
  });
}

TEST_CASE("modifiers may be in any order, but types have a fixed order") {
  const auto decoded = [](const std::string& text) { return fields(load(text).instructions.front()); };
  CHECK(decoded("vote.ballot.sync.b32 %r1, %p2, -1;") == decoded("vote.sync.ballot.b32 %r1, %p2, -1;"));
  CHECK(decoded("atom.global.cta.add.u32 %r1, [%rd1], 5;") == decoded("atom.cta.global.add.u32 %r1, [%rd1], 5;"));
  CHECK(decoded("atom.add.release.gpu.u32 %r1, [%rd1], 5;") == decoded("atom.release.gpu.add.u32 %r1, [%rd1], 5;"));
  CHECK(decoded("ld.global.v2.relaxed.gpu.f32 {%f1, %f2}, [%rd1];") ==
        decoded("ld.relaxed.gpu.global.v2.f32 {%f1, %f2}, [%rd1];"));
  CHECK(decoded("vadd4.sat.s32.u32.s32 %r1, %r2, %r3, %r4;") == decoded("vadd4.s32.u32.s32.sat %r1, %r2, %r3, %r4;"));
  CHECK(decoded("lg2.approx.f32.ftz %f1, %f2;") == decoded("lg2.approx.ftz.f32 %f1, %f2;"));
  CHECK(decoded("cvt.u16.s32.sat %rs1, %r2;") == decoded("cvt.sat.u16.s32 %rs1, %r2;"));
  CHECK_THROWS_AS(load("atom.add.global.add.u32 %r1, [%rd1], 5;"), InputError);
}

TEST_CASE("control instructions decode") {
  const Program program = load(
      "@!%p1 bra L1;\n@%p2 ret;\nL0: bra.uni L0;\nL1: brx.idx %r1, T;\nT: .branchtargets L0, L1, L2;\nL2: exit;\n "
      "trap;");
  const auto& code = program.instructions;
  REQUIRE(code.size() == 6);
  CHECK(fields(code[0]) == "bra control");
  CHECK(code[0].guard_negated);
  CHECK(code[0].guard.bank() == Bank::predicate);
  CHECK(code[0].target == 3);
  CHECK(code[0].line == 9);
  CHECK(fields(code[1]) == "exit control");
  CHECK(fields(code[2]) == "bra control uni");
  CHECK(code[2].target == 2);
  CHECK(fields(code[3]) == "brx control");
  CHECK(program.branch_tables == std::vector<std::vector<Pc>>{{2, 3, 4}});
  CHECK(code[3].target == 0);
  CHECK(fields(code[5]) == "trap control");
  CHECK(program.text[0] == "@!%p1 bra L1");
}

TEST_CASE("special registers are rows, or are read by an instruction if they change with time or lanes") {
  const auto tid = decoded("mov.u32 %r1, %tid.y;");
  CHECK(tid.opcode == Opcode::mov);
  CHECK(tid.source[0] == Operand(Bank::special, static_cast<unsigned>(SpecialRow::tid_y)));
  CHECK(fields(decoded("mov.u64 %rd1, %gridid;")) == "cvt.u64.u32 alu wide0x1");
  CHECK(fields(decoded("cvt.u64.u32 %rd1, %ntid.x;")) == "cvt.u64.u32 multiply wide0x1");
  CHECK(fields(decoded("mov.u32 %r1, %clock;")) == "read_special.u32 alu");
  CHECK(fields(decoded("mov.u64 %rd1, %clock64;")) == "read_special.u64 alu variant2 wide0x1");
  CHECK(decoded("mov.u32 %r1, %lanemask_lt;").variant == static_cast<unsigned>(DynamicRegister::lanemask_lt));
  CHECK(refusal("mov.u32 %r1, %clock64;") == "t.ptx:9:14: %clock64 has 64 bits; read it with mov.u64");
  const Program warp = load("mov.u32 %r1, WARP_SZ;");
  CHECK(constant_bits(warp, warp.instructions[0].source[0]) == 32);
}

TEST_CASE("equal immediates become one constant") {
  const Program program = load(
      "add.s32 %r1, %r1, -1;\nadd.s32 %r2, %r2, 0xffffffff;\nadd.s64 %rd1, %rd1, -1;\n"
      "add.f32 %f1, %f1, 0f3F800000;\nadd.f32 %f1, %f1, 1.0;\nadd.f64 %fd1, %fd1, 0f3F800000;\n"
      "and.b32 %r1, %r1, 0x3f800000;\nmov.f32 %f2, -1.0;");
  const auto bits = [&](Pc pc, unsigned source) {
    return constant_bits(program, program.instructions[pc].source[source]);
  };
  CHECK(bits(0, 1) == 0xffffffffU);
  CHECK(program.instructions[0].source[1] == program.instructions[1].source[1]);
  CHECK(bits(2, 1) == ~std::uint64_t{0});
  CHECK(bits(3, 1) == 0x3f800000U);
  CHECK(program.instructions[3].source[1] == program.instructions[4].source[1]);
  CHECK(bits(5, 1) == 0x3ff0000000000000U);
  CHECK(program.instructions[3].source[1] == program.instructions[6].source[1]);
  CHECK(bits(7, 0) == 0xbf800000U);
  for (const Constant& constant : program.constants) {
    if (constant.wide) CHECK(constant.row % 2 == 0);
    CHECK(constant.row + (constant.wide ? 2U : 1U) <= program.constant_rows);
  }
  for (std::size_t i = 0; i < program.constants.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Constant& a = program.constants[i];
      const Constant& b = program.constants[j];
      CHECK((a.row + (a.wide ? 2 : 1) <= b.row || b.row + (b.wide ? 2 : 1) <= a.row));
    }
  }
}

TEST_CASE("predicates with constants become simpler operations") {
  CHECK(fields(decoded("mov.pred %p1, -1;")) == "setp.u32 alu ne");
  CHECK(fields(decoded("mov.pred %p1, 0;")) == "setp.u32 alu ne");
  CHECK(fields(decoded("and.pred %p1, %p2, 1;")) == "mov.pred alu");
  CHECK(fields(decoded("and.pred %p1, %p2, 0;")) == "setp.u32 alu ne");
  CHECK(fields(decoded("or.pred %p1, %p2, -1;")) == "setp.u32 alu ne");
  CHECK(fields(decoded("or.pred %p1, %p2, 0;")) == "mov.pred alu");
  CHECK(fields(decoded("xor.pred %p1, %p2, -1;")) == "not.pred alu");
  CHECK(fields(decoded("xor.pred %p1, %p2, 0;")) == "mov.pred alu");
  const Program one = load("mov.pred %p1, -1;");
  CHECK(constant_bits(one, one.instructions[0].source[0]) == 1);
  CHECK(constant_bits(one, one.instructions[0].source[1]) == 0);
}

TEST_CASE("a further conversion adapts 64-bit registers to narrower types") {
  const Program sign = load("@%p1 cvt.s64.s8 %rd1, %rd2;");
  REQUIRE(sign.instructions.size() == 3);
  CHECK(fields(sign.instructions[0]) == "cvt.s32.u64 multiply wide0x10");
  CHECK(fields(sign.instructions[1]) == "cvt.s64.s8 multiply wide0x1");
  CHECK(sign.instructions[0].destination[0] == sign.instructions[1].source[0]);
  CHECK(sign.instructions[0].guard == sign.instructions[1].guard);
  CHECK(sign.instructions[0].guard.present());

  const Program parameter = load("ld.param.v2.s32 {%rd1, %rd2}, [pc];");
  REQUIRE(parameter.instructions.size() == 4);
  CHECK(fields(parameter.instructions[0]) == "ld.param.s32 load param v2 +12");
  CHECK(fields(parameter.instructions[1]) == "cvt.s64.s32 multiply wide0x1");
  CHECK(parameter.instructions[2].source[0] == parameter.instructions[0].destination[1]);

  const Program narrow = load("cvt.u8.u32 %rd1, %r1;");
  REQUIRE(narrow.instructions.size() == 3);
  CHECK(fields(narrow.instructions[0]) == "cvt.u8.u32 multiply");
  CHECK(fields(narrow.instructions[1]) == "cvt.u64.u32 multiply wide0x1");
}

TEST_CASE("variables get addresses in their state spaces") {
  const Program program = load(
      ".local .align 8 .b8 depot[20]; .shared .u32 word; .shared .align 16 .b8 tile[64];\n"
      "mov.u64 %rd1, depot;\nmov.u64 %rd2, tile+4;\nst.shared.u32 [word+4], 1;\nmov.u64 %rd3, dynamic;\n"
      "ld.global.u32 %r1, [numbers+8];\nmov.u64 %rd4, numbers;\nld.const.f32 %f1, [scale];\nmov.u64 %rd5, numbers+12;\n"
      "mov.u64 %rd6, pc;",
      ".extern .shared .align 32 .b8 dynamic[]; .global .align 4 .u32 numbers[4] = {1, 2, -1};"
      ".const .f32 scale = 1.5; .global .u64 unused = numbers;");
  const auto bits = [&](Pc pc) { return constant_bits(program, program.instructions[pc].source[0]); };
  CHECK(program.local_bytes == 20);
  CHECK(bits(0) == 0);
  CHECK(bits(1) == 4);   // tile is used first, so it has the lower address
  CHECK(bits(2) == 64);  // word follows
  CHECK(program.instructions[2].offset == 4);
  CHECK(program.shared_bytes == 96);
  CHECK(bits(3) == 96);
  CHECK(bits(8) == 12);
  REQUIRE(program.globals.size() == 2);
  CHECK(program.globals[0].name == "numbers");
  CHECK(program.globals[0].initial ==
        std::vector<std::uint8_t>{1, 0, 0, 0, 2, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0});
  CHECK(program.globals[1].space == Space::constant);
  CHECK(program.globals[1].initial == std::vector<std::uint8_t>{0, 0, 0xc0, 0x3f});
  CHECK(program.instructions[4].source[0] == program.instructions[5].source[0]);

  Program placed = program;
  place_globals(placed, {0x1000, 0x2000});
  const auto address = [&](Pc pc) { return constant_bits(placed, placed.instructions[pc].source[0]); };
  CHECK(address(4) == 0x1000);
  CHECK(address(6) == 0x2000);
  CHECK(address(7) == 0x100c);
  CHECK(bits(4) == 0);
}

TEST_CASE("nested scopes hide registers and labels") {
  const Program program = load(
      "mov.u32 %r1, 1;\n{ .reg .b64 %r1; mov.u64 %r1, 2; bra L; L: mov.u64 %rd1, %r1; }\nbra L;\nL: st.global.u32 "
      "[%rd1], %r1;");
  const auto& code = program.instructions;
  CHECK_FALSE(code[0].wide_destination(0));
  CHECK(code[1].wide_destination(0));
  CHECK(code[2].target == 3);
  CHECK(code[4].target == 5);
  CHECK(code[5].source[1] == code[0].destination[0]);
}

TEST_CASE("a kernel returns at the end of its body") {
  CHECK(load("").instructions.back().opcode == Opcode::exit);
  CHECK(load("mov.u32 %r1, 0;").instructions.size() == 2);
  CHECK(load("@%p1 exit;").instructions.size() == 2);
  CHECK(load("exit;").instructions.size() == 1);
  const Program label_last = load("@%p1 bra L; mov.u32 %r1, 0; L:");
  CHECK(label_last.instructions[0].target == 2);
  CHECK(label_last.instructions[2].opcode == Opcode::exit);
}

TEST_CASE("extension instructions need only an entry in a table") {
  const std::vector<ExtensionInstruction> extensions = {
      {.mnemonic = "launch", .sources = {DataType::u64}, .target = true},
      {.mnemonic = "ld.own", .memory = true, .space = Space::global},
      {.mnemonic = "rdctrl.pred", .destinations = {DataType::pred, DataType::u32}},
  };
  const Program program =
      load("@%p1 rdctrl.pred %p2, %r1;\nlaunch K, %rd1;\nld.own.u32 %r2, [%rd1+8];\nexit;\nK: exit;", "", extensions);
  REQUIRE(program.extensions.size() == 3);
  CHECK(program.extensions[0].mnemonic == "rdctrl.pred");
  CHECK(program.extensions[2].mnemonic == "ld.own");
  CHECK(fields(program.instructions[0]) == "extension extension");
  CHECK(program.instructions[0].destination[0].bank() == Bank::predicate);
  CHECK(program.instructions[1].extension == 1);
  CHECK(program.instructions[1].target == 4);
  CHECK(fields(program.instructions[2]).starts_with("ld.u32"));
  CHECK(program.instructions[2].operation_class == OperationClass::load);
  CHECK(program.instructions[2].offset == 8);
  CHECK(program.instructions[2].extension == 2);
  CHECK(program.instructions[3].extension == no_extension);
  CHECK(program.blocks.back().first == 4);
  CHECK(program.blocks.back().predecessors.empty());
  CHECK(refusal("launch K, %rd1;").find("t.ptx:9:1: instruction 'launch' is not supported") == 0);
  try {
    load("launch K;", "", extensions);
    FAIL("accepted");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()) ==
          "t.ptx:9:1: 'launch' has 1 operands; it takes a label, 0 destinations, 1 sources");
  }
}

TEST_CASE("loads and stores of a scheme's memory use the syntax of shared memory") {
  const std::vector<ExtensionInstruction> extensions = {
      {.mnemonic = "ld.own", .memory = true, .space = Space::spawn},
      {.mnemonic = "st.own", .memory = true, .space = Space::spawn},
      {.mnemonic = "spawn", .sources = {DataType::b32}, .stores_at_state = true, .target = true, .space = Space::spawn},
      {.mnemonic = "mov %own", .reads_identity = "%own"}};
  const Program program = load(
      "mov.u32 %r1, %own;\nld.own.v4.f32 {%f1, %f2, %f3, %f4}, [%r1+16];\nld.own %r2, [%r1];\n"
      "@%p1 st.volatile.own.v2.u64 [%r1+8], {%rd1, %rd2};\n@!%p1 spawn K, %r2;\nexit;\nK: exit;",
      "", extensions);
  const auto& all = program.instructions;
  CHECK(fields(all[0]).starts_with("mov.u32"));
  CHECK(all[0].source[0] == Operand(Bank::special, static_cast<unsigned>(SpecialRow::extension_0)));
  CHECK(program.extensions[all[0].extension].mnemonic == "mov %own");
  CHECK(fields(all[1]).starts_with("ld.f32"));
  CHECK(all[1].space == Space::spawn);
  CHECK(all[1].vector_width == 4);
  CHECK(all[1].offset == 16);
  CHECK_FALSE(all[1].wide_address);
  CHECK(all[2].type == DataType::b32);
  CHECK(all[3].space == Space::spawn);
  CHECK(all[3].guard.present());
  CHECK(all[3].type == DataType::u64);
  CHECK(all[4].opcode == Opcode::st);
  CHECK(all[4].operation_class == OperationClass::store);
  CHECK(all[4].source[0] == Operand(Bank::special, static_cast<unsigned>(SpecialRow::extension_1)));
  CHECK(all[4].target == 6);
  CHECK(program.blocks.back().predecessors.empty());
  CHECK(refusal("ld.own.u32 %r1, [%r2];").find("own") != std::string::npos);
  CHECK(refusal("mov.u32 %r1, %own;").find("'%own' is not declared") != std::string::npos);
}
