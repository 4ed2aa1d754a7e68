// SPDX-License-Identifier: Apache-2.0
// Programs from a launch file that fail at run time: each ends with exit code 3 and a line with the place.

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;

namespace {

/// The kernel `k`: %rd1 is the address of a buffer of 256 bytes, %r1 the thread, %p1 whether the thread is thread 37,
/// in lane 5 of warp 1. The body begins at line 8 of `k.ptx`, which is line 70 of `k.cu`.
std::string kernel_with(const std::string& body, const std::string& functions) {
  return ".version 7.0 .target sm_75 .address_size 64 .file 1 \"k.cu\"\n" + functions +
         "\n.entry k(.param .u64 out) {\n"
         ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>; .shared .align 8 .b8 tile[64];\n"
         "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 37;\n"
         ".loc 1 70 3\n\n" +
         body + "\nret; }\n";
}

struct Failure {
  const char* what;
  const char* body;
  std::vector<std::string> parts;  ///< of the message, in addition to the kernel
  const char* functions = "";      ///< on line 2
};

const std::string line = "k.ptx:8 (k.cu:70): ";
const std::string here = "(block 0, warp 1, lane 5)";

const std::vector<Failure> failures = {
    {"a read where no buffer is", "@%p1 ld.global.u32 %r2, [8];", {line, here, "read outside every buffer", "0x8"}},
    {"a write where no buffer is", "@%p1 st.global.u32 [8], %r2;", {line, here, "write outside every buffer", "0x8"}},
    {"an atomic where no buffer is", "@%p1 red.global.add.u32 [8], 1;", {line, here, "outside every buffer", "0x8"}},
    {"a read beyond the buffer", "@%p1 ld.global.u32 %r2, [%rd1+256];", {line, here, "read outside every buffer"}},
    {"a read that is misaligned",
     "@%p1 ld.global.u32 %r2, [%rd1+2];",
     {line, here, "misaligned 4-byte access at address 0x"}},
    {"a vector that is misaligned",
     "@%p1 ld.shared.v2.u32 {%r2, %r3}, [tile+4];",
     {line, here, "misaligned 8-byte access at address 0x4"}},
    {"a write beyond shared memory",
     "mov.u32 %r2, 64; @%p1 st.shared.u32 [%r2], %r2;",
     {line, here, "access outside shared memory at address 0x40"}},
    {"a read beyond local memory",
     "mov.u32 %r2, 4096; @%p1 ld.local.u32 %r2, [%r2];",
     {line, here, "access outside local memory", "0x1000"}},
    {"a read beyond the parameters",
     "mov.u64 %rd2, out; cvta.param.u64 %rd2, %rd2; @%p1 ld.u32 %r2, [%rd2+8];",
     {line, here, "read beyond the parameters", "0x8"}},
    {"a stack that overflows",
     "@%p1 call down;",
     {"k.ptx:2", here, "stack overflow?", "at address 0x"},
     ".func down() { .reg .u32 %a; mov.u32 %a, 1; call down; st.local.u32 [0], %a; ret; }"},
    {"a call of what is no function",
     "cvt.u64.u32 %rd2, %r1; p: .callprototype _ (); @%p1 call %rd2, p;",
     {line, here, "call of 0x25, which is no function"}},
    {"a jump beyond its table",
     "T: .branchtargets A, A; @%p1 brx.idx %r1, T; A:",
     {line, here, "37 of a jump table of 2"}},
    {"a trap", "@%p1 trap;", {line, "trap", "block 0, warp 1, lane"}},
    {"a barrier that is none",
     "mov.u32 %r2, 16; setp.ge.u32 %p2, %r1, 32; @%p2 bar.sync %r2;",
     {line, "barrier 16 does not exist", "block 0, warp 1"}},
    {"a barrier of 33 threads",
     "mov.u32 %r2, 33; bar.sync 1, %r2;",
     {line, "a barrier of 33 threads", "block 0, warp "}},
    {"a barrier that a part of a warp reaches",
     "@!%p1 bar.sync 0;",
     {line, "not all threads", "lane 5 is elsewhere", "block 0, warp 1"}},
    {"a barrier that a warp never reaches",
     "setp.lt.u32 %p2, %r1, 32; @%p2 bar.sync 1, 64;",
     {"deadlock", "block 0 warp 0 lanes 0xffffffff at k.ptx:8 (k.cu:70)"}},
    {"a vote that a lane never joins",
     "@!%p1 vote.sync.any.pred %p2, %p1, -1;",
     {line, "'vote' waits for lane 5, which is not here", "block 0, warp 1, lane 0"}},
};

}  // namespace

TEST_CASE("a program error ends the run and names its place") {
  const auto& failure = GENERATE(from_range(failures));
  const auto* machine = GENERATE("machine=timed", "machine=functional");
  const TemporaryFolder place;
  place.write("k.ptx", kernel_with(failure.body, failure.functions));
  place.write("run.yaml",
              "buffers: {out: {type: u32, count: 64}}\n"
              "launches: [{program: k.ptx, grid: 1, block: 64, arguments: [out]}]\n");
  const ProgramResult result = run_program({"run", "run.yaml", "--out", "report", "--set", machine}, {place.path()});
  INFO(failure.what << ", " << machine << ": " << result.errors);
  CHECK(result.exit_code == 3);
  CHECK(result.output.empty());
  CHECK(names_in(place.path()) == std::vector<std::string>{"k.ptx", "run.yaml"});
  CHECK_THAT(result.errors, Contains("kernel 'k'"));
  for (const std::string& part : failure.parts) CHECK_THAT(result.errors, Contains(part));
}

TEST_CASE("integers divided by zero are no error") {
  const TemporaryFolder place;
  place.write("k.ptx", kernel_with("div.u32 %r2, %r1, 0; rem.u32 %r3, %r1, 0; st.global.u32 [%rd1], %r2;\n"
                                   "st.global.u32 [%rd1+4], %r3;",
                                   ""));
  place.write("run.yaml",
              "buffers: {out: {type: u32, count: 64}}\n"
              "launches: [{program: k.ptx, grid: 1, block: 32, arguments: [out]}]\n"
              "expected: [{buffer: out, first: 0, count: 2, values: [0xffffffff, 31]}]\n");
  CHECK(run_program({"run", "run.yaml", "--out", "report"}, {place.path()}).exit_code == 0);
}

TEST_CASE("arguments that do not fit name kernel, parameter, type and size before anything runs") {
  struct Refusal {
    const char* arguments;
    std::vector<std::string> parts;
  };
  const Refusal refusals[] = {
      {"[]", {"run.yaml:2:", "'k'", "1"}},
      {"[out, 5]", {"run.yaml:2:", "'k'", "1", "2"}},
      {"[{f32: 1.5}]", {"run.yaml:2:", "arguments[0]", "out (.u64, 8 bytes)"}},
      {"[1.5]", {"run.yaml:2:", "arguments[0]", "out (.u64, 8 bytes)"}},
      {"[nothing]", {"run.yaml:2:", "arguments[0]", "there is no buffer 'nothing'"}},
  };
  for (const Refusal& refusal : refusals) {
    const TemporaryFolder place;
    place.write("k.ptx", kernel_with("", ""));
    place.write("run.yaml",
                "buffers: {out: {type: u32, count: 64}}\nlaunches: [{program: k.ptx, grid: 1, block: 64, arguments: " +
                    std::string(refusal.arguments) + "}]\n");
    const ProgramResult result = run_program({"run", "run.yaml", "--out", "report"}, {place.path()});
    INFO(refusal.arguments << ": " << result.errors);
    CHECK(result.exit_code == 2);
    CHECK(is_one_complaint(result.errors));
    for (const std::string& part : refusal.parts) CHECK_THAT(result.errors, Contains(part));
  }
}
