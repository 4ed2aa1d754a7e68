// SPDX-License-Identifier: Apache-2.0
// The output of `inspect` for a program with several functions: one calls itself, one is called in a loop, and one is
// called by pointer.

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "models/kernel/analysis/call_graph.hpp"
#include "models/kernel/inspect/inspect.hpp"
#include "models/kernel/inspect/inspect_passes.hpp"
#include "tests/unit/kernel/ptx.hpp"

using namespace reconverge;
using namespace reconverge::kernel;

namespace {

Program sample() {
  return load_program_text(R"(.version 7.0 .target sm_75 .address_size 64
.func (.reg .u32 %r) leaf(.reg .u32 %n)
{ .reg .pred %q; setp.lt.u32 %q, %n, 4; @%q bra SMALL; add.u32 %r, %n, 1; ret; SMALL: mov.u32 %r, 7; ret; }
.func (.reg .u32 %r) fact(.reg .u32 %n)
{ .reg .pred %q; .reg .u32 %a; setp.eq.u32 %q, %n, 0; mov.u32 %r, 1; @%q ret; sub.u32 %a, %n, 1;
call (%r), fact, (%a); mul.lo.u32 %r, %r, %n; ret; }
.func (.reg .u32 %r) sum(.reg .u64 %p, .reg .u32 %n)
{ .reg .pred %q; .reg .u32 %a; mov.u32 %r, 0;
LOOP: ld.global.u32 %a, [%p]; add.u32 %r, %r, %a; sub.u32 %n, %n, 1; setp.ne.u32 %q, %n, 0; @%q bra LOOP;
call (%r), leaf, (%r); ret; }
.entry k(.param .u64 out, .param .u32 n)
{ .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p;
mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [out]; ld.param.u32 %r2, [n]; setp.lt.u32 %p, %r1, 8; @!%p bra DONE;
call (%r3), fact, (%r1);
call (%r4), sum, (%rd1, %r2);
mov.u64 %rd2, leaf; f: .callprototype (.reg .u32 _) _ (.reg .u32 _); call (%r4), %rd2, (%r4), f;
st.global.u32 [%rd1], %r4;
DONE: ret; })",
                           "t.ptx", "k");
}

/// The part of `text` after the heading of `function`.
std::string part(const std::string& text, const std::string& function) {
  const std::size_t at = text.find(function + ":\n");
  REQUIRE(at != std::string::npos);
  const std::size_t begin = at + function.size() + 2;
  std::size_t end = text.size();
  for (const char* other : {"\nk:\n", "\nfact:\n", "\nsum:\n", "\nleaf:\n"})
    end = std::min(end, text.find(other, begin - 1));
  return text.substr(begin, end + 1 - begin);
}

}  // namespace

TEST_CASE("functions are shown with their calls and the local memory of the calls") {
  // k saves %rd1 and %r2 across its calls. fact: n, result, return address, n. sum: p, n, result, return address.
  CHECK(functions_text(sample()) ==
        "k: 80 B local memory a thread, and the stack that the launch gives\n"
        "function           pc    frame      stack  calls\n"
        "k                0-31     16 B  unbounded  fact sum (by pointer)\n"
        "fact            32-50     16 B  unbounded  fact\n"
        "sum             51-68     32 B       48 B  leaf\n"
        "leaf            69-78     16 B       16 B  nothing\n");
  CHECK(functions_text(tests::load("ret;")) ==
        "k: 0 B local memory a thread\n"
        "function           pc    frame      stack  calls\n"
        "k                 0-0      0 B        0 B  nothing\n");
}

TEST_CASE("the call graph shows callers and callees and recursion") {
  const Program program = sample();
  const CallGraph graph = call_graph(program);
  using Indices = std::vector<std::uint32_t>;
  CHECK(graph.callees == std::vector<Indices>{{1, 2}, {1}, {3}, {}});
  CHECK(graph.by_pointer == std::vector<bool>{true, false, false, false});
  CHECK_FALSE(graph.stack_bytes[0]);
  CHECK_FALSE(graph.stack_bytes[1]);
  CHECK(graph.stack_bytes[2] == 48);
  CHECK(graph.stack_bytes[3] == 16);
  for (std::uint32_t i = 0; i < program.functions.size(); ++i) {
    CHECK(function_of(program, program.functions[i].first) == i);
    CHECK(function_of(program, program.functions[i].end - 1) == i);
  }
}

TEST_CASE("control flow and loops are shown for each function") {
  const Program program = sample();
  CHECK(flow_text(program) ==
        "k:\n"
        "B0: pc 0-4, from entry, to B2 B1, meets at B2 DONE\n"
        "B1: pc 5-30, from B0, to B2, meets at B2 DONE\n"
        "B2 DONE: pc 31-31, from B0 B1, to exit, meets at exit\n"
        "fact:\n"
        "B3: pc 32-50, from entry, to return, meets at return\n"
        "sum:\n"
        "B4: pc 51-54, from entry, to B5, meets at B5 LOOP\n"
        "B5 LOOP: pc 55-59, from B4 B5, to B5 B6, meets at B6\n"
        "B6: pc 60-68, from B5, to return, meets at return\n"
        "leaf:\n"
        "B7: pc 69-72, from entry, to B9 B8, meets at return\n"
        "B8: pc 73-75, from B7, to return, meets at return\n"
        "B9 SMALL: pc 76-78, from B7, to return, meets at return\n");
  CHECK(loops_text(program) ==
        "k:\nno loops\nfact:\nno loops\nsum:\n"
        "loop at B5 LOOP: depth 1, blocks B5, back from B5, left to B6\nleaf:\nno loops\n");
  CHECK(reconvergence_text(program) ==
        "k:\n     4  @!%p bra DONE                                 meets at pc 31, B2 DONE\n"
        "fact:\nno branches\n"
        "sum:\n    59  @%q bra LOOP                                  meets at pc 60, B6\n"
        "leaf:\n    72  @%q bra SMALL                                 meets at return\n");
  const std::string dot = flow_dot(program);
  for (const char* line :
       {"  subgraph \"cluster_fact\" {\n  label=\"fact\";\n  B3 [label=", "  B1 -> B3 [style=dotted];\n",
        "  B1 -> B4 [style=dotted];\n", "  B3 -> B3 [style=dotted];\n", "  B8 -> return;\n", "  B2 -> exit;\n"}) {
    CHECK_THAT(dot, Catch::Contains(line));
  }
}

TEST_CASE("a listing shows functions, calls, tables and the stack") {
  const std::string text = listing(sample());
  CHECK_THAT(text, Catch::StartsWith("k: ") && Catch::Contains(" 80 B local and a stack\nk:\nB0: to B2 B1"));
  CHECK_THAT(part(text, "fact"), Catch::StartsWith("B3: to return, meets at return\n    32  mov") &&
                                     Catch::Contains("(enter)") && Catch::Contains("-> 32 ") &&
                                     Catch::Contains("(save)"));
  const std::string table =
      listing(tests::load("T: .branchtargets A, B;\nbrx.idx %r1, T;\nA: mov.u32 %r1, 1;\nB: ret;"));
  CHECK_THAT(table, Catch::Contains("brx <- r0 -> table 0 meet 2") && Catch::Contains("\ntable 0 = 1 2\n"));
}

TEST_CASE("liveness is separate for caller and callee") {
  const Program program = sample();
  const std::string live = liveness_text(program);
  const auto line = [](const std::string& text, const char* pc) {
    const std::size_t at = text.find(pc);
    return at == std::string::npos ? std::string("no such pc") : text.substr(at, text.find('\n', at) - at);
  };
  // fact receives the return address and the stack pointer; across its recursive call only the latter is live.
  CHECK_THAT(line(live, "    32  "), Catch::Contains("    32     2  "));
  CHECK_THAT(line(live, "    43  "), Catch::Contains("    43     1  ") && Catch::Contains("call (%r), fact"));
  const std::string divergence = divergence_text(program);
  for (const char* function : {"fact", "sum", "leaf"}) {
    CHECK_THAT(part(divergence, function), Catch::Contains("may differ"));
  }
  CHECK_THAT(part(divergence, "sum"), Catch::Contains("divergent  @%q bra LOOP"));
  CHECK(barriers_text(program) ==
        "k:\n     4  join   B0    before @!%p bra DONE\n    31  wait   B0    before ret\n"
        "fact:\nno divergent branches\n"
        "sum:\n    54  join   B1    before mov.u32 %r, 0\n    60  wait   B1    before call (%r), leaf, (%r)\n"
        "leaf:\n    72  no barrier for @%q bra SMALL: its lanes meet only at exit or return\n");
}

TEST_CASE("no load is pending on a scoreboard across a call or a return") {
  const Program program = load_program_text(R"(.version 7.0 .target sm_75 .address_size 64
.func f() { .reg .u32 %a; ld.global.u32 %a, [64]; ret; }
.entry k() { .reg .u32 %r<3>; ld.global.u32 %r1, [128]; call f; ret; })",
                                            "t.ptx", "k");
  CHECK(scoreboards_text(program) ==
        "k:\n     0  &wr=sb0                   ld.global.u32 %r1, [128]\n"
        "     1                            (stack pointer)\n"
        "     2  &req=sb0                  call f\n"
        "     3                            (stack pointer)\n"
        "     4                            ret\n"
        "f:\n     5                            (enter)\n"
        "     6  &wr=sb0                   ld.global.u32 %a, [64]\n"
        "     7  &req=sb0                  ret\n");
}
