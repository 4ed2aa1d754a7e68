// SPDX-License-Identifier: Apache-2.0
// Which path of a diverged warp goes first, and where lanes come together again.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "benchmarks/silicon/ways.hpp"

namespace reconverge::silicon {

namespace {

constexpr const char* group = "paths";

/// The clock that a path read, and nothing of %r0, which the compiler must keep all the same.
constexpr std::string_view keep_clock =
    "  sub.u32 %r62, %one, 1;\n  mul.lo.u32 %r62, %r62, %r0;\n  cvt.u64.u32 %d63, %r62;\n  add.u64 %d63, %d63, %d62;\n";

/// Every lane's clock as it begins its path, in the order of lanes.
TimedKernel order_kernel(const std::string& takes_branch) {
  TimedKernel kernel;
  kernel.once = true;
  kernel.setup = "  mov.u32 %r0, %lane;\n" + takes_branch;
  kernel.body = "  @%p1 bra TAKEN;\n  mov.u64 %d62, %clock64;\n" + chain(0, 24) + "  bra DONE;\nTAKEN:\n" +
                "  mov.u64 %d62, %clock64;\n" + chain(1, 24) + "DONE:\n";
  kernel.keep = keep_clock;
  return kernel;
}

/// 1 if the first lane for which `taken` holds began before the first other lane.
double branch_first(const device::Buffers& after, const TimedKernel& kernel,
                    const std::function<bool(unsigned)>& taken) {
  const auto clocks = kept(after, kernel);
  std::array<std::uint64_t, 2> first{~0ULL, ~0ULL};
  for (unsigned lane = 0; lane < 32; ++lane) {
    std::uint64_t& begin = first.at(taken(lane) ? 1 : 0);
    begin = std::min(begin, clocks.at(lane));
  }
  return first[1] < first[0] ? 1 : 0;
}

/// The lanes, by the clock in %d62.
Measurement by_begin(const std::string& name, const TimedKernel& kernel) {
  return measure(group, "lanes by the time at which they begin, " + name, "lanes", kernel,
                 [=](const device::Buffers& after) {
                   const auto clocks = kept(after, kernel);
                   std::vector<std::pair<std::uint64_t, unsigned>> order;
                   for (unsigned lane = 0; lane < 32; ++lane) order.emplace_back(clocks.at(lane), lane);
                   std::sort(order.begin(), order.end());
                   std::vector<double> lanes;
                   lanes.reserve(order.size());
                   for (const auto& [clock, lane] : order) lanes.push_back(lane);
                   return lanes;
                 });
}

/// The lanes in the order in which they begin their path through a table of 32 paths. %r1 is the lane's path.
Measurement table_order(const std::string& name, const std::string& choose) {
  TimedKernel table = ways_kernel(32, 8, Form::table);
  table.once = true;
  table.setup += choose;
  for (unsigned path = 0; path < 32; ++path) {
    const std::string label = fmt::format("PATH{}:\n", path);
    table.body.insert(table.body.find(label) + label.size(), "  mov.u64 %d62, %clock64;\n");
  }
  table.keep = keep_clock;
  return by_begin(name, table);
}

/// The lanes in the order in which they begin their path through a chain of ifs: lane i takes the first path of which
/// `ends` is beyond i.
Measurement chain_order(const std::string& name, const std::vector<unsigned>& ends) {
  TimedKernel kernel;
  kernel.once = true;
  kernel.setup = "  mov.u32 %r0, %lane;\n";
  for (unsigned path = 0; path < ends.size(); ++path) {
    // The sum keeps the compiler from knowing how many.
    kernel.body += fmt::format("  add.u32 %r1, %zero, {1};\n  setp.ge.u32 %p1, %lane, %r1;\n  @%p1 bra PAST{0};\n",
                               path, ends[path]);
    kernel.body += "  mov.u64 %d62, %clock64;\n" + chain(path, 24) + fmt::format("  bra DONE;\nPAST{}:\n", path);
  }
  kernel.body += "  mov.u64 %d62, %clock64;\n" + chain(31, 24) + "DONE:\n";
  kernel.keep = keep_clock;
  return by_begin(name, kernel);
}

void add_order(std::vector<Measurement>& all) {
  for (const bool low : {true, false}) {
    Measurement result;
    result.group = group;
    result.name = fmt::format("is the taken path first where the n {} lanes take a branch, n from 1 to 31",
                              low ? "lowest" : "highest");
    result.unit = "1 or 0";
    const auto kernel_of = [=](unsigned lanes) {
      // The sum keeps the compiler from knowing how many.
      return order_kernel(low ? fmt::format("  add.u32 %r1, %zero, {};\n  setp.lt.u32 %p1, %lane, %r1;\n", lanes)
                              : fmt::format("  add.u32 %r1, %zero, {};\n  setp.ge.u32 %p1, %lane, %r1;\n", 32 - lanes));
    };
    result.jobs = [=, name = result.name] {
      std::vector<device::Job> jobs;
      for (unsigned lanes = 1; lanes < 32; ++lanes) jobs.push_back(kernel_of(lanes).job(name));
      return jobs;
    };
    result.values = [=](std::span<const device::Buffers> after) {
      std::vector<double> values;
      for (unsigned lanes = 1; lanes < 32; ++lanes) {
        values.push_back(branch_first(after[lanes - 1], kernel_of(lanes),
                                      [=](unsigned lane) { return low ? lane < lanes : lane >= 32 - lanes; }));
      }
      return values;
    };
    all.push_back(std::move(result));
  }
  all.push_back(table_order("lane i takes path i of brx.idx", ""));
  all.push_back(table_order("lane i takes path 31 - i of brx.idx", "  sub.u32 %r1, 31, %r1;\n"));
  // Lanes 0 to 15 take path 5, 16 to 23 path 4, and so on to lane 31, which takes path 0.
  all.push_back(table_order("16, 8, 4, 2, 1 and 1 lanes take paths 5 to 0 of brx.idx",
                            "  sub.u32 %r1, 31, %r1;\n  clz.b32 %r1, %r1;\n  sub.u32 %r1, 32, %r1;\n"));
  all.push_back(table_order("16, 8, 4, 2, 1 and 1 lanes take paths 0 to 5 of brx.idx",
                            "  sub.u32 %r1, 31, %r1;\n  clz.b32 %r1, %r1;\n  sub.u32 %r1, %r1, 27;\n"));
  all.push_back(chain_order("16, 8, 4 and 4 lanes by a chain of ifs", {16, 24, 28}));
  all.push_back(chain_order("4, 4, 8 and 16 lanes by a chain of ifs", {4, 8, 16}));
  all.push_back(chain_order("8, 8, 8 and 8 lanes by a chain of ifs", {8, 16, 24}));
  all.push_back(chain_order("2, 20 and 10 lanes by a chain of ifs", {2, 22}));
  all.push_back(chain_order("20, 2 and 10 lanes by a chain of ifs", {20, 22}));
}

/// How many lanes run the instruction after `body` together, lane by lane.
Measurement together(const std::string& name, const std::string& setup, const std::string& body,
                     const std::string& functions = {}) {
  TimedKernel kernel;
  kernel.once = true;
  kernel.setup = "  mov.u32 %r0, %lane;\n" + setup;
  kernel.body = body + "  activemask.b32 %r62;\n";
  kernel.keep =
      "  cvt.u64.u32 %d63, %r62;\n  cvt.u64.u32 %d1, %r0;\n  shl.b64 %d1, %d1, 32;\n  or.b64 %d63, %d63, %d1;\n";
  kernel.functions = functions;
  return measure(group, "lanes together after " + name, "lanes", kernel, [=](const device::Buffers& after) {
    std::vector<double> all;
    for (const std::uint64_t each : kept(after, kernel)) all.push_back(std::popcount(static_cast<std::uint32_t>(each)));
    return all;
  });
}

void add_reconvergence(std::vector<Measurement>& all) {
  const std::string odd = "  and.b32 %r1, %lane, 1;\n  setp.ne.u32 %p1, %r1, 0;\n";
  all.push_back(together("if and else", odd,
                         "  @%p1 bra ELSE;\n" + chain(0, 24) + "  bra DONE;\nELSE:\n" + chain(1, 24) + "DONE:\n"));
  const std::string count = "  mov.u32 %r2, 0;\n";
  const std::string round = "MORE:\n  .pragma \"nounroll\";\n" + chain(0, 8) + "  add.u32 %r2, %r2, 1;\n";
  const std::string again = "  setp.le.u32 %p2, %r2, %lane;\n  @%p2 bra MORE;\n";
  all.push_back(together("a loop of lane + 1 rounds", count, round + again));
  all.push_back(together("a loop that odd lanes leave in its middle", count + odd,
                         round + "  setp.gt.u32 %p3, %r2, 3;\n  and.pred %p3, %p3, %p1;\n  @%p3 bra OUT;\n" + again +
                             chain(1, 24) + "OUT:\n"));
  all.push_back(together("two nested loops that odd lanes leave at once", count + odd,
                         "OUTER:\n  .pragma \"nounroll\";\n  mov.u32 %r3, 0;\n" + round +
                             "  setp.gt.u32 %p3, %r2, 20;\n  and.pred %p3, %p3, %p1;\n  @%p3 bra OUT;\n"
                             "  add.u32 %r3, %r3, 1;\n  setp.le.u32 %p2, %r3, %lane;\n  @%p2 bra MORE;\n" +
                             chain(2, 8) + "  setp.lt.u32 %p4, %r2, 60;\n  @%p4 bra OUTER;\n" + chain(1, 24) +
                             "OUT:\n"));
  // A short-circuit or: both conditions lead to the same block.
  all.push_back(together("a block that two conditions lead to",
                         odd + "  and.b32 %r1, %lane, 2;\n  setp.ne.u32 %p2, %r1, 0;\n",
                         "  @%p1 bra BLOCK;\n" + chain(0, 24) + "  @!%p2 bra DONE;\n" + chain(1, 24) + "BLOCK:\n" +
                             chain(2, 24) + "DONE:\n"));
  all.push_back(together("a table of 32 ways", "  mov.u32 %r1, %lane;\n", ways_kernel(32, 8, Form::table).body));
  const std::string function =
      ".func (.reg .b32 %y) twice(.reg .b32 %x)\n{\n  .reg .b32 %z;\n  add.u32 %z, %x, %x;\n  mov.b32 %y, %z;\n  "
      "ret;\n}\n"
      ".func (.reg .b32 %y) square(.reg .b32 %x)\n{\n  .reg .b32 %z;\n  mul.lo.u32 %z, %x, %x;\n  mov.b32 %y, %z;\n"
      "  ret;\n}\n.global .align 8 .u64 functions[2] = {twice, square};\n";
  all.push_back(together("a call of two functions through a pointer", odd,
                         "  mul.wide.u32 %d1, %r1, 8;\n  mov.u64 %d2, functions;\n  add.u64 %d1, %d1, %d2;\n"
                         "  ld.global.u64 %d1, [%d1];\n"
                         "SHAPE: .callprototype (.reg .b32 _) _ (.reg .b32 _);\n  call (%r0), %d1, (%r0), SHAPE;\n",
                         function));
}

}  // namespace

std::vector<Measurement> path_measurements() {
  std::vector<Measurement> all;
  add_order(all);
  add_reconvergence(all);
  return all;
}

}  // namespace reconverge::silicon
