// SPDX-License-Identifier: Apache-2.0
// What diverged warps cost, and whether the paths of a warp overlap.

#include <fmt/format.h>

#include "benchmarks/silicon/ways.hpp"

namespace reconverge::silicon {

namespace {

constexpr const char* group = "divergence";

void add_ways(std::vector<Measurement>& all) {
  for (const Form form : {Form::ifs, Form::table}) {
    for (const unsigned length : {16U, 48U}) {
      for (const unsigned ways : {1U, 2U, 4U, 8U, 16U, 32U}) {
        const TimedKernel kernel = ways_kernel(ways, length, form);
        const std::string name = fmt::format("{} ways of {} multiply-adds by {}", ways, length,
                                             form == Form::ifs ? "a chain of ifs" : "brx.idx");
        all.push_back(cycles_a_round(group, name, kernel));
      }
    }
  }
}

/// Loads of one path wait in memory. `paths` of them, by lane, each along separate lines.
TimedKernel waiting_kernel(unsigned paths, bool used_in_path) {
  constexpr unsigned most = 4;
  constexpr unsigned loads = 8;
  TimedKernel kernel;
  kernel.rounds = 16;
  kernel.data_bytes = std::uint64_t{64} << 20U;
  // Lane i takes path i modulo 4; those beyond `paths` take none.
  kernel.setup =
      "  mov.u32 %r0, %lane;\n  and.b32 %r1, %lane, 3;\n  mul.wide.u32 %d3, %r1, 8388608;\n"
      "  add.u64 %d0, %data, %d3;\n  mov.u32 %r5, 0;\n";
  kernel.body = fmt::format("  setp.ge.u32 %p1, %r1, {};\n  @%p1 bra DONE;\n", paths);
  for (unsigned path = 0; path < most; ++path) {
    kernel.body += fmt::format("  setp.ne.u32 %p1, %r1, {0};\n  @%p1 bra PAST{0};\n", path);
    for (unsigned i = 0; i < loads; ++i) {
      // Zero is stored everywhere: the sum is the next address all the same.
      kernel.body += fmt::format("  ld.global.cg.u64 %d{}, [%d0+{}];\n", 10 + i, 65536 * i + 128 * path);
      if (used_in_path) kernel.body += fmt::format("  add.u64 %d0, %d0, %d{};\n", 10 + i);
    }
    kernel.body += chain(path, 8) + fmt::format("  bra DONE;\nPAST{}:\n", path);
  }
  kernel.body += "DONE:\n";
  if (!used_in_path) {
    for (unsigned i = 0; i < loads; ++i) kernel.body += fmt::format("  add.u64 %d0, %d0, %d{};\n", 10 + i);
  }
  kernel.body += "  add.u64 %d0, %d0, 4096;\n";
  for (unsigned i = 0; i < loads; ++i) kernel.setup += fmt::format("  mov.u64 %d{}, 0;\n", 10 + i);
  kernel.keep = "  cvt.u64.u32 %d1, %r0;\n  add.u64 %d63, %d0, %d1;\n";
  return kernel;
}

/// The same in every warp of an SM: other warps can run while one waits.
void add_ways_of_many_warps(std::vector<Measurement>& all) {
  for (const unsigned warps : {4U, 16U, 32U}) {
    for (const unsigned ways : {1U, 32U}) {
      TimedKernel kernel = ways_kernel(ways, 48, Form::ifs);
      kernel.threads = 32 * warps;
      all.push_back(cycles_a_round(
          group, fmt::format("{} ways of 48 multiply-adds by a chain of ifs, {} warps", ways, warps), kernel));
    }
  }
}

void add_overlap(std::vector<Measurement>& all) {
  for (const bool used : {true, false}) {
    for (const unsigned paths : {1U, 2U, 4U}) {
      const TimedKernel kernel = waiting_kernel(paths, used);
      const std::string name =
          fmt::format("{} paths of 8 loads that are used {}", paths, used ? "in them" : "after them");
      all.push_back(cycles_a_round(group, name, kernel));
    }
  }
}

void add_loops(std::vector<Measurement>& all) {
  for (const bool unequal : {false, true}) {
    TimedKernel kernel;
    kernel.setup =
        "  mov.u32 %r0, %lane;\n" + std::string(unequal ? "  mov.u32 %r3, %lane;\n" : "  mul.lo.u32 %r3, %one, 31;\n");
    kernel.body = "  mov.u32 %r2, 0;\nMORE:\n  .pragma \"nounroll\";\n" + chain(0, 16) +
                  "  add.u32 %r2, %r2, 1;\n  setp.le.u32 %p2, %r2, %r3;\n  @%p2 bra MORE;\n";
    kernel.keep = keep_r0;
    all.push_back(cycles_a_round(
        group, unequal ? "a loop of 1 to 32 rounds, by lane" : "a loop of 32 rounds, all lanes", kernel));
  }
  for (const unsigned depth : {1U, 2U, 3U, 4U, 5U}) {
    TimedKernel kernel;
    kernel.setup = "  mov.u32 %r0, %lane;\n";
    for (unsigned i = 0; i < depth; ++i) {
      kernel.setup += fmt::format("  and.b32 %r1, %lane, {0};\n  setp.ne.u32 %p{1}, %r1, 0;\n", 1U << i, 10 + i);
      kernel.body += fmt::format("  @%p{0} bra PAST{1};\n", 10 + i, i) + chain(i, 24);
    }
    for (unsigned i = depth; i-- > 0;) kernel.body += fmt::format("PAST{}:\n", i) + chain(20 + i, 4);
    kernel.keep = keep_r0;
    all.push_back(
        cycles_a_round(group, fmt::format("ifs nested {} deep, half of the lanes enter each", depth), kernel));
  }
}

/// Branches that all lanes take, or none; the compiler does not know which, nor whether they agree.
void add_branches(std::vector<Measurement>& all) {
  for (const bool taken : {false, true}) {
    for (const bool uniform : {true, false}) {
      TimedKernel kernel;
      // Data is zero.
      kernel.setup = uniform
                         ? "  sub.u32 %r1, %one, 1;\n"
                         : "  mul.wide.u32 %d1, %lane, 4;\n  add.u64 %d1, %d1, %data;\n  ld.global.u32 %r1, [%d1];\n";
      kernel.setup += "  mov.u32 %r0, %lane;\n  mov.u32 %r2, 0;\n";
      std::string piece = "  setp.eq.u32 %p1, %r1, {};\n";
      // Each compares with a separate number, of which only one or none is the data's.
      kernel.setup += taken ? "  add.u32 %r1, %r1, 99;\n" : "  add.u32 %r1, %r1, 1000;\n";
      piece = taken ? "  setp.gt.u32 %p1, %r1, {};\n  @%p1 bra OVER{};\n  mov.u32 %r2, {};\n  st.volatile.global.u32 "
                      "[%data+16], %r2;\n  st.volatile.global.u32 [%data+20], %r2;\n"
                      "  st.volatile.global.u32 [%data+24], %r2;\n  st.volatile.global.u32 [%data+28], %r2;\n  "
                      "bar.warp.sync 1;\nOVER{}:\n"
                    : "  setp.lt.u32 %p1, %r1, {};\n  @%p1 bra OUT;\n  add.u32 %r0, %r0, %r1;\n";
      kernel.leave = taken ? "" : "OUT:\n";
      kernel.keep = keep_r0;
      all.push_back(cost_of_copy(group,
                                 fmt::format("a comparison and a branch {}, the condition is {}",
                                             taken ? "taken" : "not taken", uniform ? "uniform" : "by lane"),
                                 kernel, piece));
    }
  }
}

/// Calls through a pointer that is the same for all lanes.
void add_calls(std::vector<Measurement>& all) {
  TimedKernel kernel;
  kernel.functions =
      ".func (.reg .b32 %y) triple(.reg .b32 %x)\n{\n  mul.lo.u32 %y, %x, 3;\n  ret;\n}\n"
      ".global .align 8 .u64 functions[1] = {triple};\n";
  kernel.setup =
      "  mov.u32 %r0, %lane;\n  mov.u64 %d2, functions;\n  ld.global.u64 %d1, [%d2];\n"
      "SHAPE: .callprototype (.reg .b32 _) _ (.reg .b32 _);\n";
  kernel.keep = keep_r0;
  all.push_back(cost_of_copy(group, "a call through a pointer of a function of one multiplication", kernel,
                             "  call (%r0), %d1, (%r0), SHAPE;\n", 4, 12));
}

void add_locks(std::vector<Measurement>& all) {
  for (const unsigned lanes : {1U, 2U, 8U, 32U}) {
    TimedKernel kernel;
    kernel.rounds = 4;
    kernel.setup = fmt::format("  mov.u32 %r0, %lane;\n  setp.ge.u32 %p1, %lane, {};\n", lanes);
    kernel.body =
        "  @%p1 bra DONE;\nSPIN:\n  atom.global.cas.b32 %r2, [%data], 0, 1;\n  setp.ne.u32 %p2, %r2, 0;\n"
        "  @%p2 bra SPIN;\n  ld.volatile.global.u32 %r3, [%data+64];\n  add.u32 %r3, %r3, 1;\n"
        "  st.volatile.global.u32 [%data+64], %r3;\n  membar.gl;\n  atom.global.exch.b32 %r2, [%data], 0;\nDONE:\n";
    kernel.keep = keep_r0;
    all.push_back(cycles_a_round(group, fmt::format("a spin lock in turn, {} lanes", lanes), kernel));
  }
}

}  // namespace

std::vector<Measurement> divergence_measurements() {
  std::vector<Measurement> all;
  add_ways(all);
  add_ways_of_many_warps(all);
  add_overlap(all);
  add_loops(all);
  add_branches(all);
  add_calls(all);
  add_locks(all);
  return all;
}

}  // namespace reconverge::silicon
