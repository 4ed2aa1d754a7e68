// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/kernel/ptx.hpp"

using namespace reconverge;
using namespace reconverge::kernel;
using tests::kernel_text;
using tests::refusal;
using tests::refusal_of_text;

namespace {

bool begins(const std::string& text, std::string_view head) {
  INFO(text);
  CHECK(text.substr(0, head.size()) == head);
  return text.starts_with(head);
}

}  // namespace

TEST_CASE("unknown instructions and modifiers are refused with valid alternatives") {
  CHECK(refusal("setpp.lt.s32 %p1, %r1, 0;") ==
        "t.ptx:9:1: instruction 'setpp.lt.s32' is not supported; did you mean setp?");
  CHECK(refusal("suld.b.1d.v4.b32.trap {%r1,%r2,%r3,%r4}, [%rd1, {%r5}];") ==
        "t.ptx:9:1: instruction 'suld.b.1d.v4.b32.trap' is not supported; there are no surfaces here: pass a buffer");
  CHECK(refusal("barrier.cluster.arrive.aligned;") ==
        "t.ptx:9:1: instruction 'barrier.cluster.arrive.aligned' is not supported; a block is its own cluster here: "
        "compile without clusters");
  CHECK(refusal("wgmma.fence.sync.aligned;") ==
        "t.ptx:9:1: instruction 'wgmma.fence.sync.aligned' is not supported; warps multiply one by one here: write mma "
        "or "
        "wmma");
  CHECK(refusal("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r1, %r2}, {%r3, %r4}, {%r5, %r6}, {%r1, %r2};") ==
        "t.ptx:9:74: 1 register in braces is needed here; the shape and the types say how many");
  CHECK(refusal("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1}, [%rd1], %r2;") ==
        "t.ptx:9:51: 8 registers in braces are needed here; the shape and the types say how many");
  CHECK(refusal("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%r1}, {%r1}, {%r1}, {%r1};") ==
        "t.ptx:9:1: instruction 'mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32' is not supported; only Volta "
        "multiplies f16 by quarters of a warp: write wmma, or mma.m16n8k8");
  CHECK(refusal("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r1], 64;") ==
        "t.ptx:9:1: instruction 'cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32' is not supported; bulk "
        "copies combine nothing here: combine element by element with red");
  begins(refusal("tex.a2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %f1, %f2, %f3}];"),
         "t.ptx:9:1: instruction 'tex.a2d.v4.f32.f32' is not supported; textures have no layers and are no cubes here");
  begins(refusal("tex.level.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}], %f3;"),
         "t.ptx:9:1: instruction 'tex.level.2d.v4.f32.f32' is not supported; textures have one level here");
  begins(
      refusal("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd1, {%r1}], [%r2];"),
      "t.ptx:9:1: instruction 'cp.async.bulk.tensor.1d.global.shared::cta.bulk_group' is not supported; there are no "
      "tensor maps here");
  begins(refusal("cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 60;"),
         "t.ptx:9:60: a bulk copy of 60 bytes; copy a multiple of 16");
  CHECK(refusal("cp.async.bulk.global.shared::cta.bulk_group [%rd1], [pa], 64;") ==
        "t.ptx:9:54: 'pa' is in .param, not in .shared");
  CHECK(refusal("\n  neg.rn.s32 %r1, %r2;") ==
        "t.ptx:10:3: instruction 'neg.rn.s32' has modifiers that are not supported; models/kernel/README.md lists the "
        "forms of neg");
  begins(refusal("call.uni foo, (%r1);"), "t.ptx:9:10: 'foo' is not declared");
  begins(refusal("rcp.f32 %f1, %f2;"), "t.ptx:9:1: instruction 'rcp.f32' has modifiers that are not supported");
}

TEST_CASE("references to surfaces and samplers are refused only in kernels that use them") {
  const auto with = [](const std::string& body) {
    return refusal_of_text(
        ".version 6.0\n.target sm_60\n.address_size 64\n.global .surfref s;\n"
        ".global .samplerref nearest = { addr_mode_0 = wrap, filter_mode = nearest };\n"
        ".visible .entry k()\n{\n.reg .b64 %rd<2>;\n" +
        body + "\nret;\n}\n");
  };
  CHECK(with("mov.u64 %rd1, 0;") == "accepted");
  CHECK(
      with("mov.u64 %rd1, s;") ==
      "t.ptx:9:15: 's' is a .surfref, of which there are none here; pass a buffer, or a texture whose launch says how "
      "it is read");
  CHECK(with("mov.u64 %rd1, nearest;").find("'nearest' is a .samplerref") != std::string::npos);
}

TEST_CASE("instructions on .b128 require 128-bit registers") {
  CHECK(refusal("ld.global.b128 %rd1, [%rd1];") ==
        "t.ptx:9:16: a register of 128 bits is needed here; declare it with .reg .b128");
  CHECK(refusal(".reg .b128 %q<3>; ld.global.v2.b128 {%q0, %q1}, [%rd1];") ==
        "t.ptx:9:19: a vector of .b128 has more bits than an access; access one register of 128 bits after the other");
  begins(refusal("mov.b128 {%rd1, %rd2}, {%rd3, %rd4};"), "t.ptx:9:1: mov.b128 needs a register of 128 bits");
  begins(refusal(".reg .b128 %q<3>; mov.b128 %q0, 5;"), "t.ptx:9:19: mov.b128 needs a register of 128 bits");
  begins(refusal(".reg .b128 %q<3>; mov.b128 %q0, {%r1, %r2, %r3, %r4};"),
         "t.ptx:9:19: mov.b128 needs a register of 128 bits, and another or two of 64");
  begins(refusal(".reg .b128 %q<3>; add.u64 %rd1, %q0, %rd2;"), "t.ptx:9:33: ");
  begins(refusal("atom.global.cas.b128 %rd1, [%rd1], %rd2, %rd3;"), "t.ptx:9:22: a register of 128 bits is needed");
  begins(refusal(".reg .f32x2 %d;"), "t.ptx:9:6: a type expected after .reg");
  begins(refusal("max.abs.f32 %f1, %f2, %f3;"), "t.ptx:9:1: 'max' has 3 operands; write max");
  begins(refusal("max.f64 %fd1, %fd2, %fd3, %fd4;"), "t.ptx:9:1: 'max' has 4 operands; write max.f64 d, a, b");
}

TEST_CASE("special registers that the target does not have are refused") {
  for (const char* name : {"begin", "end", "cap", "0", "1"}) {
    begins(refusal(fmt::format("mov.u32 %r1, %reserved_smem_offset_{};", name)),
           fmt::format("t.ptx:9:14: GPUs before sm_80 have no %reserved_smem_offset_{}; compile for sm_80 or later",
                       name));
  }
  begins(refusal("mov.u32 %r1, %aggr_smem_size;"), "t.ptx:9:14: GPUs before sm_90 have no %aggr_smem_size");
  begins(refusal("mov.u32 %r1, %reserved_smem_offset_2;"), "t.ptx:9:14: '%reserved_smem_offset_2' is not declared");
  const auto shared_bytes = [](std::string_view target) {
    return load_program_text(fmt::format(".version 8.6 .target {} .address_size 64 .entry k() {{ ret; }}", target), "t",
                             "k")
        .shared_bytes;
  };
  CHECK(shared_bytes("sm_75") == 0);
  CHECK(shared_bytes("compute_80") == 1024);
  CHECK(shared_bytes("sm_90a, debug") == 1024);
}

TEST_CASE("an error suggests only forms that have all the given modifiers") {
  for (const auto& [ptx, mnemonic] : std::vector<std::pair<std::string, std::string>>{
           {"ld.global.v2.u4 {%rs1, %rs2}, [%rd1];", "ld"},
           {"add.rn.sat.f32x2 %rd1, %rd2, %rd3;", "add"},
           {"selp.b128 %rd1, %rd2, %rd3, %p1;", "selp"},
           {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r1], %r1, [%r1];", "st"},
           {"add.rz.f16 %rs1, %rs2, %rs3;", "add"}}) {
    INFO(ptx);
    const std::string message = refusal(ptx);
    CHECK(message.find(" has modifiers that are not supported; models/kernel/README.md lists the forms of " +
                       mnemonic) != std::string::npos);
    CHECK(message.find("write") == std::string::npos);
  }
  // The message suggests a missing modifier if few are possible; it shows only a placeholder for a type or comparison.
  CHECK_THAT(refusal("mul.u32 %r1, %r2, %r3;"), Catch::Matchers::EndsWith("; write mul.(lo|hi).u32 or mul.wide.u32"));
  CHECK_THAT(refusal("rcp.f32 %f1, %f2;"),
             Catch::Matchers::EndsWith("; write rcp.approx.f32 or rcp.(rn|rz|rm|rp).f32"));
  CHECK_THAT(refusal("ld.global %r1, [%rd1];"), Catch::Matchers::EndsWith("; write ld.global.<type>"));
  CHECK_THAT(refusal("setp.s32 %p1, %r1, %r2;"), Catch::Matchers::EndsWith("; write setp.<comparison>.s32"));
}

TEST_CASE("operands that do not fit are refused at their line and column") {
  CHECK(refusal("add.s32 %r1, %r2;") == "t.ptx:9:1: 'add' has 2 operands; write add{.sat}.s32 d, a, b");
  CHECK(refusal("add.s32 %r1, %rd2, %r3;") ==
        "t.ptx:9:14: register '%rd2' is declared .b64 but .s32 is needed here; use a register of that size, or convert "
        "with cvt");
  CHECK(refusal("add.s32 %p1, %r2, %r3;").find("'%p1' is declared .pred but .s32") != std::string::npos);
  CHECK(refusal("add.s32 %r1, %r2, %r77;") ==
        "t.ptx:9:19: '%r77' is not declared; declare it with .reg or as a variable, or use a special register that the "
        "README lists");
  CHECK(refusal("bra TOP; TOPP: ret;") == "t.ptx:9:5: 'TOP' is not declared; did you mean TOPP?");
  CHECK(refusal("bra %r1;") == "t.ptx:9:5: '%r1' is no label");
  CHECK(refusal("add.s32 5, %r2, %r3;") == "t.ptx:9:9: a destination must be a register");
  CHECK(refusal("add.s32 %tid.x, %r2, %r3;").find("'%tid.x' is not declared") != std::string::npos);
  CHECK(refusal("add.f32 %f1, %f2, 1;") ==
        "t.ptx:9:19: an integer stands where .f32 is needed; write 0f and 8 hex digits, 0d and 16, or a number with a "
        "point");
  CHECK(refusal("add.s32 %r1, %r2, 1.0;") == "t.ptx:9:19: a float stands where .s32 is needed; write an integer");
  CHECK(refusal("add.s32 %r1, %r2, !%r3;") == "t.ptx:9:19: '!' is only for predicates that are read; use not");
  CHECK(refusal("add.f32 %f1, %f2+4, %f3;") == "t.ptx:9:14: '%f2' takes no offset here; compute the sum with add");
  CHECK(refusal("add.s32 %r1+4, %r2, %r3;") == "t.ptx:9:9: '%r1' takes no offset here; compute the sum with add");
  CHECK(refusal("add.s32 %r1, %tid.x+4, %r3;") ==
        "t.ptx:9:14: '%tid.x' takes no offset here; compute the sum with add");
  CHECK(refusal("mov.u32 %r1, %clock+4;") == "t.ptx:9:14: '%clock' takes no offset here; compute the sum with add");
  CHECK(refusal("mov.u32 %r1, %envreg1+4;").find("'%envreg1' takes no offset here") != std::string::npos);
  CHECK(refusal("bra TOP+4; TOP: ret;") ==
        "t.ptx:9:5: 'TOP' takes no offset here; put a label where the branch shall go");
  CHECK(refusal("add.s32 %r1, [%r2], %r3;").find("a register or constant of type .s32 is needed here") !=
        std::string::npos);
  CHECK(refusal("@%r1 ret;") == "t.ptx:9:2: guard '%r1' is no predicate register; declare it with .reg .pred");
  CHECK(refusal("add.s32 %r1|%p1, %r2, %r3;") == "t.ptx:9:9: one destination is needed here, not a pair");
  CHECK(
      refusal("setp.lt.and.s32 %p1, %r1, %r2;") ==
      "t.ptx:9:1: a boolean operator and a predicate to combine with go together; write setp.lt.and.s32 p, a, b, c or "
      "setp.lt.s32 p, a, b");
  CHECK(refusal("setp.lt.s32 %p1, %r1, %r2, %p2;").find("go together") != std::string::npos);
  CHECK(refusal("bar.sync 16;") == "t.ptx:9:10: barrier 16 does not exist; barriers are 0 to 15");
  CHECK(refusal("lop3.b32 %r1, %r2, %r3, %r4, %r5;") == "t.ptx:9:30: this operand must be an integer constant");
  CHECK(refusal("mov.b64 %rd1, {%r1, %r2, %r3};").find("mov of 3 parts and 64 bits") != std::string::npos);
  CHECK(refusal("brx.idx %r1, L; L: ret;").find("'L' is no .branchtargets table") != std::string::npos);
}

TEST_CASE("conversions require a rounding mode exactly if they round") {
  CHECK(refusal("cvt.s32.f32 %r1, %f1;") ==
        "t.ptx:9:1: float to integer needs an integer rounding; write .rni, .rzi, .rmi or .rpi");
  CHECK(refusal("cvt.rn.s32.f32 %r1, %f1;").find("needs an integer rounding") != std::string::npos);
  CHECK(refusal("cvt.f32.s32 %f1, %r1;") ==
        "t.ptx:9:1: this conversion to float rounds, so it needs a rounding; write .rn, .rz, .rm or .rp");
  CHECK(refusal("cvt.f32.f64 %f1, %fd1;").find("needs a rounding") != std::string::npos);
  CHECK(refusal("cvt.rn.f64.f32 %fd1, %f1;") == "t.ptx:9:1: this conversion does not round; leave the rounding out");
  CHECK(refusal("cvt.rzi.s64.s32 %rd1, %r1;").find("does not round") != std::string::npos);
  CHECK(refusal("cvt.rni.f32.f32 %f1, %f2;") == "accepted");
  CHECK(refusal("cvt.f32.f32 %f1, %f2;") == "accepted");
  CHECK(refusal("cvt.sat.s32.s16 %r1, %rs1;") == "t.ptx:9:1: this conversion cannot leave the range; leave .sat out");
  CHECK(refusal("cvt.sat.u32.s16 %r1, %rs1;") == "accepted");
  CHECK(refusal("cvt.rn.f16x2.f32 %r1, %f1, %f2;") == "accepted");
  CHECK(refusal("cvt.rn.f16x2.f32 %r1, %f1;").find("operands") != std::string::npos);
}

TEST_CASE("modifiers that a type does not have are refused") {
  for (const char* const ptx : {"add.ftz.f64 %fd1, %fd2, %fd3;",
                                "add.sat.f64 %fd1, %fd2, %fd3;",
                                "add.rz.f16 %rs1, %rs2, %rs3;",
                                "add.ftz.bf16 %rs1, %rs2, %rs3;",
                                "fma.f32 %f1, %f2, %f3, %f4;",
                                "fma.rn.sat.relu.f16 %rs1, %rs2, %rs3, %rs4;",
                                "min.NaN.f64 %fd1, %fd2, %fd3;",
                                "min.ftz.bf16x2 %r1, %r2, %r3;",
                                "rcp.approx.f64 %fd1, %fd2;",
                                "div.approx.f64 %fd1, %fd2, %fd3;",
                                "sin.f32 %f1, %f2;",
                                "tanh.approx.ftz.f32 %f1, %f2;",
                                "setp.lo.s32 %p1, %r1, %r2;",
                                "setp.hs.f32 %p1, %f1, %f2;",
                                "setp.nan.u32 %p1, %r1, %r2;",
                                "setp.lt.b32 %p1, %r1, %r2;",
                                "setp.lt.ftz.f64 %p1, %fd1, %fd2;",
                                "set.lt.ftz.f32.f64 %f1, %fd1, %fd2;",
                                "cvt.rni.ftz.s32.f64 %r1, %fd1;",
                                "cvt.rni.s8.bf16 %r1, %rs1;",
                                "cvt.rn.relu.f16.f64 %rs1, %fd1;"}) {
    INFO(ptx);
    CHECK(refusal(ptx).find("has modifiers that are not supported; ") != std::string::npos);
  }
  CHECK(refusal("setp.lt.f16 %p1|%p2, %rs1, %rs2;").find("not a pair") != std::string::npos);
  CHECK(refusal("add.f16 %rs1, %rs2, 0x3c00;") ==
        "t.ptx:9:21: an integer stands where .f16 is needed; mov its bits to a register first: PTX has no constants of "
        "this type");
  CHECK(refusal("fma.rn.bf16x2 %r1, %r2, %r3, 1.0;").find("no constants of this type") != std::string::npos);
}

TEST_CASE("invalid memory operands are refused") {
  CHECK(refusal("ld.global.u32 %r1, %rd1;") == "t.ptx:9:20: an address in [ ] is needed here");
  CHECK(refusal("ld.global.u32 %r1, [%f1];") ==
        "t.ptx:9:21: register '%f1' is declared .f32; addresses are held in 32-bit or 64-bit integer registers");
  CHECK(refusal("ld.global.u64 %r1, [%rd1];").find("'%r1' is declared .b32 but .u64 is needed here") !=
        std::string::npos);
  CHECK(refusal("ld.global.v2.u32 %r1, [%rd1];") ==
        "t.ptx:9:18: 2 registers in braces are needed here; .v2 takes {a, b}, .v4 takes {a, b, c, d}");
  CHECK(refusal("ld.global.v2.u32 {%r1, %rd1}, [%rd1];").find("as the others of the vector") != std::string::npos);
  CHECK(refusal("ld.global.u32 %r1, [pb];") == "t.ptx:9:20: 'pb' is a parameter of the kernel; read it with ld.param");
  CHECK(refusal("ld.param.u64 %rd1, [pc+8];") == "t.ptx:9:20: bytes 8 to 16 of parameter 'pc', which has 12");
  CHECK(refusal("ld.param.u32 %r1, [pd];") ==
        "t.ptx:9:20: 'pd' is not declared; declare it with .reg or as a variable, or use a special register that the "
        "README lists");
  CHECK(refusal(".shared .u32 s; ld.global.u32 %r1, [s];") ==
        "t.ptx:9:37: 's' is in .shared, not in .global; write .shared, or convert its address with cvta");
  CHECK(refusal("ld.global.u32 %r1, [%rd1+99999999999];").find("at most 32 bits") != std::string::npos);
  CHECK(refusal("mov.u64 %rd1, g;", ".global .u64 g = h; .global .u32 h;") == "accepted");
  begins(refusal("mov.u64 %rd1, g;", ".global .u64 g = h;"),
         "t.ptx:4:18: 'h' is no variable or function of the module");
  CHECK(refusal("mov.u64 %rd1, g;", ".extern .global .u64 g;") ==
        "t.ptx:9:15: 'g' is .extern: no module defines it; define the variable in the module of the kernel");
  CHECK(refusal("mov.u64 %rd1, g;", ".global .u8 g[2] = {1,2,3};").find("'g' has more values than elements") !=
        std::string::npos);
  CHECK(refusal("mov.f32 %f1, g;", ".global .u8 g;").find("the address of 'g' is no .f32") != std::string::npos);
}

TEST_CASE("sizes that overflow are refused, not wrapped") {
  CHECK(refusal("ret;", ".global .u8 g[4294967296][4294967296];").find("more than 4 G elements") != std::string::npos);
  CHECK(refusal("mov.u64 %rd1, g;", ".global .u64 g[4294967296];").find("'g' is larger than 1 GiB") !=
        std::string::npos);
  CHECK(refusal(".shared .u64 s[134217728]; .shared .u8 t; mov.u64 %rd1, s; mov.u64 %rd1, t;")
            .find("'t' does not fit its state space") != std::string::npos);
  CHECK(refusal("ld.global.u32 %r1, [%rd1-9223372036854775808];").find("at most 32 bits") != std::string::npos);
  CHECK(refusal_of_text(".version 7.0\n.entry k(.param .b8 p[4294967296]) { ret; }") ==
        "t.ptx:2:1: the parameters take 4294967296 bytes; a kernel has at most 32764 bytes of parameters; pass a "
        "pointer");
}

TEST_CASE("names declared twice are refused") {
  CHECK(refusal("L: L: ret;") == "t.ptx:9:4: 'L' is declared twice; rename one, or put it in a separate scope { }");
  CHECK(refusal(".reg .b32 %r<3>;") == "t.ptx:9:11: registers '%r<>' are declared twice");
}

TEST_CASE("the error for a missing kernel names the nearest kernel") {
  const std::string text = kernel_text("ret;") + ".entry trace() { ret; }\n.func helper { ret; }\n";
  CHECK(refusal_of_text(text, "trance") == "t.ptx: no kernel 'trance' in the module; did you mean trace?");
  CHECK(refusal_of_text(text, "") ==
        "t.ptx: the module has more than one kernel, so one must be named; kernels: k, trace");
  CHECK(refusal_of_text(kernel_text("ret;"), "") == "accepted");
  CHECK(refusal_of_text(".version 7.0", "k") ==
        "t.ptx: the module has no kernel; mark a function __global__ (.entry in PTX)");
  CHECK(entries_of_text(text, "t.ptx") == std::vector<std::string>{"k", "trace"});
  try {
    load_program("/nonexistent/x.ptx", "k");
    FAIL("accepted");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()) == "/nonexistent/x.ptx: there is no such file; check the path");
  }
}
