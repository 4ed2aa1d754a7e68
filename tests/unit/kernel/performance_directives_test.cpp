// SPDX-License-Identifier: Apache-2.0
// .maxntid and similar directives: which are stored and which are rejected. See the PTX ISA, "Performance-Tuning
// Directives".

#include <catch2/catch.hpp>
#include <string>

#include "ptx.hpp"

namespace reconverge::kernel {
namespace {

const std::string header = ".version 7.0\n.target sm_75\n.address_size 64\n";

LaunchBounds bounds_of(const std::string& directives) {
  return load_program_text(header + ".entry k() " + directives + " { ret; }", "t.ptx", "k").launch_bounds;
}

std::string refusal(const std::string& directives) {
  return tests::refusal_of_text(header + ".entry k() " + directives + " { ret; }");
}

}  // namespace

TEST_CASE("a kernel without directives has no bounds") {
  const LaunchBounds bounds = bounds_of("");
  CHECK_FALSE(bounds.required_block);
  CHECK_FALSE(bounds.maximum_block);
  CHECK(bounds.minimum_blocks == 0);
  CHECK(bounds.maximum_registers == 0);
}

TEST_CASE("the program has the kernel's performance directives") {
  const LaunchBounds most = bounds_of(".maxntid 16, 0x4\n.minnctapersm 2 .maxnreg 24");
  CHECK(most.maximum_block == Extent{16, 4, 1});
  CHECK(threads_of(*most.maximum_block) == 64);
  CHECK(most.minimum_blocks == 2);
  CHECK(most.maximum_registers == 24);
  CHECK(most.line == 4);
  CHECK(bounds_of("\n.reqntid 8,2,3").required_block == Extent{8, 2, 3});
  CHECK(bounds_of("\n.reqntid 8,2,3").line == 5);
  // Like NVIDIA's assembler, the last of several directives takes effect.
  CHECK(bounds_of(".maxntid 64 .maxntid 32").maximum_block == Extent{32, 1, 1});
  CHECK(bounds_of(".maxnctapersm 3").minimum_blocks == 0);
}

TEST_CASE("without a block size, a minimum number of blocks is ignored") {
  CHECK(bounds_of(".minnctapersm 4").minimum_blocks == 0);
  CHECK(bounds_of(".minnctapersm 4 .reqntid 32").minimum_blocks == 4);
}

TEST_CASE("the product of large extents does not overflow") {
  const LaunchBounds bounds = bounds_of(".maxntid 0xffffffff, 0xffffffff, 0xffffffff");
  CHECK(threads_of(*bounds.maximum_block) >= (std::uint64_t{1} << 32U));
}

TEST_CASE("malformed performance directives are refused") {
  CHECK(refusal(".maxntid") == "t.ptx:4:21: a number expected, found '{'");
  CHECK(refusal(".maxntid 0") == "t.ptx:4:21: .maxntid needs positive 32-bit numbers");
  CHECK(refusal(".reqntid 8, 0") == "t.ptx:4:24: .reqntid needs positive 32-bit numbers");
  CHECK(refusal(".maxntid 0x100000000") == "t.ptx:4:21: .maxntid needs positive 32-bit numbers");
  CHECK(refusal(".maxntid -1") == "t.ptx:4:21: a number expected, found '-'");
  CHECK(refusal(".maxntid 1,2,3,4") == "t.ptx:4:27: .maxntid takes at most 3 numbers");
  CHECK(refusal(".maxnreg 16, 2") == "t.ptx:4:25: .maxnreg takes at most 1 number");
  CHECK(refusal(".maxntid 32 .reqntid 32") ==
        "t.ptx:4:24: kernel 'k' has both .maxntid and .reqntid; keep one of them");
  const std::string not_here =
      "is not supported here; .maxntid and its like belong to an .entry, .noreturn to a .func without results";
  CHECK(refusal(".noreturn") == "t.ptx:4:12: directive '.noreturn' " + not_here);
  const std::string kernel = " .entry k() { call f; ret; }";
  CHECK(tests::refusal_of_text(header + ".func f() .maxnreg 16 { ret; }" + kernel) ==
        "t.ptx:4:11: directive '.maxnreg' " + not_here);
  CHECK(tests::refusal_of_text(header + ".func (.reg .u32 r) f() .noreturn { ret; } .entry k() { .reg .u32 %r; call "
                                        "(%r), f; ret; }") == "t.ptx:4:25: directive '.noreturn' " + not_here);
  CHECK(tests::refusal_of_text(header + ".func f() .noreturn { ret; } .entry k() { ret; }") == "accepted");
  CHECK(tests::refusal_of_text(header + ".entry k() { .maxntid 64; ret; }").find("not supported in a body") !=
        std::string::npos);
}

TEST_CASE("a kernel with an unsupported directive is refused, and other kernels are accepted") {
  const std::string text =
      header +
      ".func f() .later 3 { .also \"x\"; @%p bra; }\n"
      ".entry plain() { ret; }\n"
      ".entry clustered(.param .u64 p) .explicitcluster .reqnctapercluster 2, 1, 1 { foo bar { } }\n"
      ".entry sized() .maxntid 32 .maxclusterrank 8 .minnctapersm 2 { ret; }\n"
      ".entry bodied() { ret; { .bogus 3; what ever } }\n"
      ".entry caller() { call f; ret; }\n"
      ".global .u32 after;\n";
  const KernelModule module(text, "t.ptx");
  CHECK(module.entries() == std::vector<std::string>{"plain", "clustered", "sized", "bodied", "caller"});
  CHECK(module.load("plain").instructions.size() == 1);
  const auto refusal_of = [&](const std::string& kernel) {
    try {
      module.load(kernel);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  const std::string clusters = "is not supported here; a block is its own cluster here: compile without clusters";
  CHECK(refusal_of("clustered") == "t.ptx:6:33: directive '.explicitcluster' " + clusters);
  CHECK(refusal_of("sized") == "t.ptx:7:28: directive '.maxclusterrank' " + clusters);
  CHECK(refusal_of("bodied").starts_with("t.ptx:8:26: directive '.bogus' is not supported in a body"));
  CHECK(refusal_of("caller").starts_with("t.ptx:4:11: directive '.later' is not supported here"));
}

TEST_CASE("pragmas are strings and may be anywhere") {
  CHECK(tests::refusal_of_text(
            header + ".pragma \"a\", \"b\"; .entry k() .pragma \"c\"; { .pragma \"nounroll\"; ret; }") == "accepted");
  const std::string hint = "; write .pragma \"nounroll\";";
  CHECK(tests::refusal("\n.pragma nounroll;") ==
        "t.ptx:10:9: a string expected after .pragma, found 'nounroll'" + hint);
  CHECK(tests::refusal("\n.pragma ;") == "t.ptx:10:9: a string expected after .pragma, found ';'" + hint);
  CHECK(tests::refusal("\n.pragma \"a\" ret;") == "t.ptx:10:13: ';' expected after .pragma, found 'ret'");
}

}  // namespace reconverge::kernel
