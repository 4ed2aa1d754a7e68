// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/inspect/inspect_passes.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <string>

#include "models/kernel/partition/partition.hpp"
#include "models/kernel/streams/streaming_graph.hpp"
#include "tests/unit/kernel/ptx.hpp"

using namespace reconverge;
using namespace reconverge::kernel;
using tests::load;

namespace {

/// A loop that threads leave in different iterations, with a uniform if in it.
const std::string sample =
    "ld.param.u64 %rd1, [pa];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nsetp.eq.u32 %p1, %r2, 0;\n"
    "LOOP:\n@%p1 bra SKIP;\nld.global.u32 %r3, [%rd1];\nadd.u32 %r1, %r1, %r3;\n"
    "SKIP: sub.u32 %r1, %r1, 1;\nsetp.gt.s32 %p2, %r1, 0;\n@%p2 bra LOOP;\nst.global.u32 [%rd1], %r1;\nret;";

}  // namespace

TEST_CASE("loops are shown with depth, latches and exits") {
  CHECK(loops_text(load(sample)) == "loop at B1 LOOP: depth 1, blocks B1 B2 B3, back from B3, left to B4\n");
  CHECK(loops_text(load("ret;")) == "no loops\n");
  CHECK(
      loops_text(load("OUT: add.u32 %r1, %r1, 1;\nIN: setp.eq.u32 %p1, %r1, 0;\n@%p1 bra IN;\n@%p2 bra OUT;\nret;")) ==
      "loop at B0 OUT: depth 1, blocks B0 B1 B2, back from B2, left to B3\n"
      "  loop at B1 IN: depth 2, blocks B1, back from B1, left to B2\n");
  CHECK(loops_text(load("@%p1 bra IN;\nUP: add.u32 %r1, %r1, 1;\nIN: setp.eq.u32 %p2, %r1, 0;\n@%p2 bra UP;\nret;")) ==
        "irreducible: blocks B1 B2, entered at B1 B2\n");
  CHECK(loops_text(load("L: bra L;")) == "loop at B0 L: depth 1, blocks B0, back from B0, left to nowhere\n");
}

TEST_CASE("live registers are shown before each instruction") {
  CHECK(liveness_text(load("mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [pa];\nsetp.eq.u32 %p1, %r1, 0;\n"
                           "@%p1 st.global.u32 [%rd1], %r1;\nret;")) ==
        "k: 3 registers in 3 rows, at most 3 live (before pc 2)\n"
        "    pc  live  rows\n"
        "     0     0                                                mov.u32 %r1, %tid.x\n"
        "     1     1  r2                                            ld.param.u64 %rd1, [pa]\n"
        "     2     3  r0-r2                                         setp.eq.u32 %p1, %r1, 0\n"
        "     3     3  r0-r2 p0                                      @%p1 st.global.u32 [%rd1], %r1\n"
        "     4     0                                                ret\n");
}

TEST_CASE("reconvergence points, divergence, barriers and scoreboards are shown") {
  const Program program = load(sample);
  CHECK(reconvergence_text(program) ==
        "     4  @%p1 bra SKIP                                 meets at pc 7, B3 SKIP\n"
        "     9  @%p2 bra LOOP                                 meets at pc 10, B4\n");
  CHECK(reconvergence_text(load("@%p1 bra L;\nret;\nL: exit;")) ==
        "     0  @%p1 bra L                                    meets at exit\n");
  CHECK(reconvergence_text(load("ret;")) == "no branches\n");
  CHECK(divergence_text(program) ==
        "B0: all live values uniform\n"
        "B1 LOOP: r2 may differ\n"
        "     4  uniform    @%p1 bra SKIP\n"
        "B2: r2 may differ\n"
        "B3 SKIP: r2 may differ\n"
        "     9  divergent  @%p2 bra LOOP\n"
        "B4: r2 may differ\n");
  CHECK(barriers_text(program) ==
        "     3  join   B0    before setp.eq.u32 %p1, %r2, 0\n"
        "    10  wait   B0    before st.global.u32 [%rd1], %r1\n");
  CHECK(barriers_text(load("ret;")) == "no divergent branches\n");
  CHECK(barriers_text(load("@%p1 bra L;\nret;\nL: exit;")) ==
        "     0  no barrier for @%p1 bra L: its lanes meet only at exit or return\n");
  CHECK(scoreboards_text(load("ld.param.u64 %rd1, [pa];\nld.global.u32 %r1, [%rd1];\nld.global.u32 %r2, [%rd1+4];\n"
                              "add.u32 %r1, %r1, %r2;\nret;")) ==
        "     0                            ld.param.u64 %rd1, [pa]\n"
        "     1  &wr=sb0                   ld.global.u32 %r1, [%rd1]\n"
        "     2  &wr=sb1                   ld.global.u32 %r2, [%rd1+4]\n"
        "     3  &req=sb0,sb1              add.u32 %r1, %r1, %r2\n"
        "     4                            ret\n");
}

TEST_CASE("the example of the subwarp-interleaving paper gets its barrier and its scoreboards") {
  // Damani et al., HPCA 2022, Fig. 9: both paths of a branch load a value and use it; the lanes reconverge afterwards.
  const Program program = load(
      "ld.param.u64 %rd1, [pa];\nmov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra Else;\n"
      "ld.global.f32 %f2, [%rd1];\nmul.f32 %f10, %f5, 0f40000000;\nmul.f32 %f2, %f2, %f10;\nbra syncPoint;\n"
      "Else: ld.global.f32 %f1, [%rd1+4];\nadd.f32 %f1, %f1, %f3;\nsyncPoint: ret;");
  CHECK(barriers_text(program) ==
        "     3  join   B0    before @%p1 bra Else\n"
        "    10  wait   B0    before ret\n");
  const std::string text = scoreboards_text(program);
  CHECK(text.find("     4  &wr=sb0                   ld.global.f32 %f2, [%rd1]\n"
                  "     5                            mul.f32 %f10, %f5, 0f40000000\n"
                  "     6  &req=sb0                  mul.f32 %f2, %f2, %f10\n") != std::string::npos);
  CHECK(text.find("     8  &wr=sb0                   ld.global.f32 %f1, [%rd1+4]\n"
                  "     9  &req=sb0                  add.f32 %f1, %f1, %f3\n") != std::string::npos);
}

TEST_CASE("occupancy is shown with the kernel's declarations") {
  const Program program = load_program_text(
      ".version 7.0\n.target sm_75\n.address_size 64\n.entry k() .maxntid 128 .minnctapersm 9 .maxnreg 1\n{\n"
      ".reg .b32 %r<3>; .shared .b32 s[256];\nmov.u32 %r1, %tid.x; mov.u32 %r2, %laneid;\n"
      "st.shared.u32 [s], %r1; st.shared.u32 [s+4], %r2; ret; }",
      "t.ptx", "k");
  const std::array<std::uint32_t, 2> sizes = {64, 128};
  OccupancyQuestion question;
  question.limits = {16384, 1, 16384, 32, 16};
  question.block_sizes = sizes;
  question.dynamic_shared_bytes = 512;
  CHECK(occupancy_text(program, question) ==
        "k: 2 registers a thread, 1536 B shared memory a block, started by block\n"
        ".maxnreg 1: exceeded\n"
        "  block  blocks   warps threads  limit\n"
        "     64      10      20     640  shared memory; .minnctapersm 9 kept\n"
        "    128       8      32    1024  warp slots; .minnctapersm 9 missed\n");
  question.unit = LaunchUnit::warp;
  question.block_sizes = std::span(sizes).first(1);
  CHECK(occupancy_text(program, question).find("started by warp") != std::string::npos);
}

TEST_CASE("10000 ifs become one node and one kernel in linear time") {
  std::string body = "ld.param.u64 %rd1, [pa];\nmov.u32 %r1, %tid.x;\n";
  for (unsigned i = 0; i < 10'000; ++i) {
    const std::string label = "L" + std::to_string(i);
    body.append("setp.eq.u32 %p1, %r1, 0;\n@%p1 bra ").append(label).append(";\nadd.u32 %r1, %r1, 1;\n");
    body.append(label).append(":\n");
  }
  const Program program = load(body + "st.global.u32 [%rd1], %r1;\nret;");
  const StreamingGraph graph = make_streaming_graph(program, {});
  REQUIRE(graph.nodes.size() == 1);
  CHECK(graph.nodes.front().blocks.size() == program.blocks.size());
  const Partition partition = make_partition(program, {});
  REQUIRE(partition.kernels.size() == 1);
  CHECK(partition.kernels.front().blocks.size() == program.blocks.size());
}

TEST_CASE("a listing of loops names a limited number of blocks") {
  constexpr unsigned depth = 5000;
  std::string head = "ld.param.u64 %rd1, [pa];\n";
  std::string tail;
  for (unsigned i = 0; i < depth; ++i) {
    head.append("L").append(std::to_string(i)).append(": add.u32 %r1, %r1, 1;\n");
    tail.append("setp.eq.u32 %p1, %r1, 0;\n@%p1 bra L").append(std::to_string(depth - 1 - i)).append(";\n");
  }
  const Program program = load(head + tail + "ret;");
  CHECK_THROWS_WITH(
      loops_text(program),
      "t.ptx:10: the loops are nested so deep that a list names 25000000 blocks, and at most 16777216 are "
      "listed; nest less, or look at the graph: reconverge inspect cfg");
  CHECK(make_streaming_graph(program, {}).nodes.size() > depth);
  CHECK(make_partition(program, {}).kernels.size() > depth);
}
