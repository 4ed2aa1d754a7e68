// SPDX-License-Identifier: Apache-2.0
// Convergence barriers with the parameters that explain measurements of an H100 (docs/results/h100.md), and what papers
// report about diverged warps on GPUs of several generations (Dale, "Characterizing Warp Divergence from Pascal to
// Blackwell", arXiv 2607.23402).

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstring>
#include <numeric>

#include "blocks/convergence_barrier.hpp"
#include "blocks/subwarp_interleaving.hpp"
#include "models/schemes/convergence_barrier/convergence_barrier.hpp"
#include "platforms/launch/session.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "testbenches/contract/kernels.hpp"
#include "testbenches/contract/machines.hpp"
#include "testbenches/contract/waiting_cases.hpp"

namespace reconverge::contract {
namespace {

using Own = ConvergenceBarrierParameters;

/// What an H100 does.
Own silicon() {
  return {.switch_latency = 14,
          .patience = 1,
          .order = ConvergenceBarrierOrder::fewer_lanes,
          .reconvergence_latency = 11,
          .nested_latency = 36,
          .table_latency = 48,
          .spin = ConvergenceBarrierSpin::holder,
          .pointer_calls = ConvergenceBarrierPointerCalls::apart};
}

SubwarpInterleavingParameters silicon_with_interleaving() {
  return {.switch_latency = 14,
          .patience = 1,
          .reconvergence_latency = 11,
          .nested_latency = 36,
          .table_latency = 48,
          .spin = SubwarpInterleavingSpin::holder,
          .pointer_calls = SubwarpInterleavingPointerCalls::apart,
          .order = SubwarpInterleavingOrder::fewer_lanes};
}

/// Instructions and operands are always available.
GpuParameters machine(const Own& own = silicon()) {
  GpuParameters parameters;
  parameters.sms = 1;
  parameters.sm.scheme = {"convergence_barrier"};
  parameters.sm.scheduler.count = 4;
  parameters.sm.scheduler.dispatch = 1;
  parameters.sm.fetch.model = InstructionFetchModel::ideal;
  parameters.sm.operand_collector.units = 0;
  parameters.memory = GpuMemory::fixed_latency;
  parameters.sm.schemes.of<Own>() = own;
  return parameters;
}

ConvergenceBarrierStatistics counts(const TimedOutcome& outcome) {
  return outcome.totals.of<ConvergenceBarrierStatistics>();
}

/// Words of the threads' slices of output: those at `word`, as 64 bits.
std::vector<std::uint64_t> stored(const TimedOutcome& outcome, std::uint64_t threads, unsigned word = 0) {
  std::vector<std::uint64_t> values(threads);
  for (std::uint64_t i = 0; i < threads; ++i) {
    std::memcpy(&values[i], outcome.memory.data() + (i * slice_words + word) * 4, 8);
  }
  return values;
}

std::vector<std::uint64_t> stored_by_lanes(const std::string& body, const Own& own) {
  return stored(run_timed(make_case("one warp", body, {1}, {32}), machine(own)), 32);
}

std::string adds(unsigned length) {
  std::string text;
  for (unsigned i = 0; i < length; ++i) text += "  add.u32 %r0, %r0, 1;\n";
  return text;
}

constexpr std::string_view read_clock = "  mov.u64 %rd1, %clock64;\n";
constexpr std::string_view keep_clock = "  st.global.u64 [%slice], %rd1;\n  ret;";

/// The lanes in the order in which they begin the path on which they read the clock.
std::string order_of_lanes(const std::string& body, const Own& own = silicon()) {
  const std::vector<std::uint64_t> clocks = stored_by_lanes(body + std::string(keep_clock), own);
  std::vector<unsigned> lanes(32);
  std::iota(lanes.begin(), lanes.end(), 0U);
  std::ranges::stable_sort(lanes, {}, [&](unsigned lane) { return clocks[lane]; });
  return fmt::format("{}", fmt::join(lanes, " "));
}

std::string range(unsigned first, unsigned end) {
  std::vector<unsigned> lanes(end - first);
  std::iota(lanes.begin(), lanes.end(), first);
  return fmt::format("{}", fmt::join(lanes, " "));
}

/// An if with an else: the lanes for which `condition` sets %p0 take the branch.
bool taken_path_is_first(const std::string& condition, unsigned lane_that_takes, const Own& own) {
  const std::vector<std::uint64_t> clocks =
      stored_by_lanes(fmt::format("{0}  @%p0 bra TAKEN;\n{1}{2}  bra DONE;\nTAKEN:\n{1}{2}DONE:\n{3}", condition,
                                  read_clock, adds(8), keep_clock),
                      own);
  return clocks[lane_that_takes] < clocks[31 - lane_that_takes];
}

/// Lane i takes the first path of which `ends` is beyond i, by a chain of ifs.
std::string chain_of_ifs(const std::vector<unsigned>& ends) {
  std::string body = "  mov.u32 %r0, 0;\n";
  for (std::size_t path = 0; path < ends.size(); ++path) {
    body += fmt::format("  setp.ge.u32 %p0, %lane, {1};\n  @%p0 bra PAST{0};\n{2}{3}  bra DONE;\nPAST{0}:\n", path,
                        ends[path], read_clock, adds(8));
  }
  return body + std::string(read_clock) + adds(8) + "DONE:\n";
}

/// Each lane takes the path of %r1 through a table of 32.
std::string table_of_paths(const std::string& choose, unsigned length = 8) {
  std::string body = choose + "  mov.u32 %r0, 0;\nTABLE: .branchtargets ";
  for (unsigned path = 0; path < 32; ++path) body += fmt::format("{}PATH{}", path == 0 ? "" : ", ", path);
  body += ";\n  brx.idx %r1, TABLE;\n";
  for (unsigned path = 0; path < 32; ++path) {
    body += fmt::format("PATH{}:\n{}{}  bra DONE;\n", path, read_clock, adds(length));
  }
  return body + "DONE:\n";
}

/// `ways` paths of equal length by a chain of ifs, between two readings of the clock.
Case paths_case(unsigned ways, unsigned length, unsigned warps = 1) {
  std::string body = fmt::format("  mov.u64 %rd0, %clock64;\n  mov.u32 %r0, 0;\n  and.b32 %r1, %lane, {};\n", ways - 1);
  for (unsigned path = 0; path < 32; ++path) {
    body += fmt::format("  setp.ne.u32 %p0, %r1, {0};\n  @%p0 bra PAST{0};\n{1}  bra DONE;\nPAST{0}:\n", path,
                        adds(length));
  }
  body +=
      "DONE:\n  mov.u64 %rd1, %clock64;\n  st.global.u64 [%slice], %rd0;\n  st.global.u64 [%slice+8], %rd1;\n  ret;";
  return make_case("paths", body, {1}, {32 * warps});
}

/// From the first thread's start to the last one's end.
double time_of(const Case& test_case, const GpuParameters& parameters = machine()) {
  const TimedOutcome outcome = run_timed(test_case, parameters);
  const std::vector<std::uint64_t> begin = stored(outcome, test_case.threads());
  const std::vector<std::uint64_t> end = stored(outcome, test_case.threads(), 2);
  return static_cast<double>(std::ranges::max(end) - std::ranges::min(begin));
}

double time_of_body(const std::string& body, const Own& own = silicon()) {
  return time_of(make_case("timed",
                           "  mov.u64 %rd0, %clock64;\n  mov.u32 %r0, 0;\n" + body +
                               "  mov.u64 %rd1, %clock64;\n  st.global.u64 [%slice], %rd0;\n"
                               "  st.global.u64 [%slice+8], %rd1;\n  st.global.u32 [%slice+16], %r0;\n  ret;",
                           {1}, {32}),
                 machine(own));
}

/// How many lanes run the instruction after `body` together, for each lane; one number if all lanes agree.
std::string lanes_together(const std::string& body, const std::string& functions = {}, const Own& own = silicon()) {
  const Case test_case = make_case(
      "lanes together", "  mov.u32 %r0, 0;\n" + body + "  activemask.b32 %r9;\n  st.global.u32 [%slice], %r9;\n  ret;",
      {1}, {32}, {}, functions);
  std::vector<unsigned> together;
  for (const std::uint64_t mask : stored(run_timed(test_case, machine(own)), 32)) {
    together.push_back(static_cast<unsigned>(std::popcount(static_cast<std::uint32_t>(mask))));
  }
  if (std::ranges::count(together, together.front()) == 32) together.resize(1);
  return fmt::format("{}", fmt::join(together, " "));
}

const std::string odd = "  and.b32 %r1, %lane, 1;\n  setp.ne.u32 %p1, %r1, 0;\n";

/// Lanes below `lanes` acquire a spin lock four times each; the others wait at the end.
Case spin_lock(unsigned lanes) {
  return make_case("spin lock",
                   fmt::format(R"(
  mov.u64 %rd0, %clock64;
  mov.u32 %r5, 0;
  setp.ge.u32 %p1, %lane, {};
AGAIN:
  @%p1 bra NEXT;
SPIN:
  atom.global.cas.b32 %r2, [%sums], 0, 1;
  setp.ne.u32 %p2, %r2, 0;
  @%p2 bra SPIN;
  ld.volatile.global.u32 %r3, [%sums+64];
  add.u32 %r3, %r3, 1;
  st.volatile.global.u32 [%sums+64], %r3;
  membar.gl;
  atom.global.exch.b32 %r2, [%sums], 0;
NEXT:
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p0, %r5, 4;
  @%p0 bra AGAIN;
  mov.u64 %rd1, %clock64;
  st.global.u64 [%slice], %rd0;
  st.global.u64 [%slice+8], %rd1;
  ret;)",
                               lanes),
                   {1}, {32});
}

std::uint32_t sum(const Case& test_case, const TimedOutcome& outcome, unsigned word) {
  std::uint32_t value = 0;
  std::memcpy(&value, outcome.memory.data() + test_case.output_bytes + word * 4, 4);
  return value;
}

}  // namespace

TEST_CASE("silicon: the path with fewer lanes runs first, and the fall-through path if both have the same number",
          "[silicon_divergence]") {
  for (unsigned lanes = 1; lanes < 32; ++lanes) {
    const std::string lowest = fmt::format("  setp.lt.u32 %p0, %lane, {};\n  mov.u32 %r0, 0;\n", lanes);
    const std::string highest = fmt::format("  setp.ge.u32 %p0, %lane, {};\n  mov.u32 %r0, 0;\n", 32 - lanes);
    INFO(lanes << " lanes take the branch");
    CHECK(taken_path_is_first(lowest, 0, silicon()) == (lanes < 16));
    CHECK(taken_path_is_first(highest, 31, silicon()) == (lanes < 16));
    CHECK(taken_path_is_first(lowest, 0, {}));
    CHECK(taken_path_is_first(highest, 31, {}));
  }
}

TEST_CASE("silicon: at a jump table the path of the lowest lane runs first", "[silicon_divergence]") {
  const std::string all = range(0, 32);
  for (const Own& own : {Own{}, silicon()}) {
    CHECK(order_of_lanes(table_of_paths("  mov.u32 %r1, %lane;\n"), own) == all);
    CHECK(order_of_lanes(table_of_paths("  sub.u32 %r1, 31, %lane;\n"), own) == all);
    // 16, 8, 4, 2, 1 and 1 lanes take paths 5 to 0, or 0 to 5.
    const std::string down = "  sub.u32 %r1, 31, %lane;\n  clz.b32 %r1, %r1;\n  sub.u32 %r1, 32, %r1;\n";
    CHECK(order_of_lanes(table_of_paths(down), own) == all);
    CHECK(order_of_lanes(table_of_paths(down + "  sub.u32 %r1, 5, %r1;\n"), own) == all);
  }
}

TEST_CASE("silicon: the order of paths in chains of ifs", "[silicon_divergence]") {
  CHECK(order_of_lanes(chain_of_ifs({16, 24, 28})) == range(0, 32));
  CHECK(order_of_lanes(chain_of_ifs({4, 8, 16})) == range(0, 32));
  CHECK(order_of_lanes(chain_of_ifs({8, 16, 24})) == range(0, 32));
  CHECK(order_of_lanes(chain_of_ifs({2, 22})) == range(0, 2) + " " + range(22, 32) + " " + range(2, 22));
  CHECK(order_of_lanes(chain_of_ifs({20, 22})) == range(20, 32) + " " + range(0, 20));
}

TEST_CASE("silicon: the time of a warp is proportional to its number of paths", "[silicon_divergence]") {
  const double one = time_of(paths_case(1, 256));
  for (const unsigned ways : {2U, 4U, 8U, 16U, 32U}) {
    INFO(ways << " paths");
    CHECK(time_of(paths_case(ways, 256)) / one == Approx(ways).epsilon(0.03));
  }
}

TEST_CASE("silicon: other warps do not hide divergence", "[silicon_divergence]") {
  for (const unsigned warps : {1U, 4U, 16U, 32U}) {
    const double times = time_of(paths_case(32, 128, warps)) / time_of(paths_case(1, 128, warps));
    INFO(warps << " warps");
    CHECK(times > (warps == 1 ? 31 : 28));
    CHECK(times < 33);
  }
}

TEST_CASE("silicon: with k paths, 32/k threads are active in an instruction", "[silicon_divergence]") {
  for (const unsigned ways : {1U, 2U, 4U, 8U, 16U, 32U}) {
    const ByLanes shorter = by_lanes(run_timed(paths_case(ways, 8), machine()).totals);
    ByLanes longer = by_lanes(run_timed(paths_case(ways, 24), machine()).totals);
    for (const auto& [lanes, issued] : shorter) longer[lanes] -= issued;
    for (const auto& [lanes, issued] : longer) CHECK(issued == (lanes == 32 / ways ? 16 * ways : 0));
  }
}

TEST_CASE("silicon: if lanes select operands instead of paths, the cost falls to that of one path",
          "[silicon_divergence]") {
  std::string selected = "  and.b32 %r1, %lane, 1;\n  setp.ne.u32 %p0, %r1, 0;\n  selp.b32 %r2, 3, 5, %p0;\n";
  std::string branches = "  and.b32 %r1, %lane, 1;\n  setp.ne.u32 %p0, %r1, 0;\n  @%p0 bra ODD;\n";
  for (unsigned i = 0; i < 128; ++i) selected += "  add.u32 %r0, %r0, %r2;\n";
  for (unsigned i = 0; i < 128; ++i) branches += "  add.u32 %r0, %r0, 5;\n";
  branches += "  bra DONE;\nODD:\n";
  for (unsigned i = 0; i < 128; ++i) branches += "  add.u32 %r0, %r0, 3;\n";
  CHECK(time_of_body(branches + "DONE:\n") / time_of_body(selected) == Approx(2).epsilon(0.1));
}

TEST_CASE("silicon: the second path begins when the first waits at the barrier, not when it waits for memory",
          "[silicon_divergence]") {
  // Eight loads along separate lines, each of an address that depends on the one before. The kernel has read line 0.
  const auto loads = [](unsigned path) {
    std::string text = fmt::format("  add.u64 %rd2, %in, {};\n", 1024 * path + 128);
    for (unsigned i = 0; i < 8; ++i) {
      text += fmt::format(
          "  ld.global.u32 %r2, [%rd2+{}];\n  and.b32 %r2, %r2, 0;\n  cvt.u64.u32 %rd3, %r2;\n  add.u64 %rd2, %rd2, "
          "%rd3;\n",
          128 * i);
    }
    return text;
  };
  const auto begins_after = [&](unsigned lanes_of_first) {
    const std::string body = fmt::format(
        "  setp.ge.u32 %p0, %lane, {0};\n  @%p0 bra SECOND;\n  mov.u64 %rd0, %clock64;\n{1}  mov.u64 %rd1, %clock64;\n"
        "  bra DONE;\nSECOND:\n  mov.u64 %rd0, %clock64;\n{2}  mov.u64 %rd1, %clock64;\nDONE:\n"
        "  st.global.u64 [%slice], %rd0;\n  st.global.u64 [%slice+8], %rd1;\n  ret;",
        lanes_of_first, loads(0), loads(1));
    const TimedOutcome outcome = run_timed(make_case("two paths of loads", body, {1}, {32}), machine());
    return stored(outcome, 32)[31] > stored(outcome, 32, 2)[0];
  };
  CHECK(begins_after(8));
  CHECK(begins_after(16));
  const auto time = [&](unsigned paths) {
    std::string body = fmt::format("  and.b32 %r1, %lane, 3;\n  setp.ge.u32 %p0, %r1, {};\n  @%p0 bra DONE;\n", paths);
    for (unsigned path = 0; path < 4; ++path) {
      body += fmt::format("  setp.ne.u32 %p0, %r1, {0};\n  @%p0 bra PAST{0};\n{1}  bra DONE;\nPAST{0}:\n", path,
                          path < 3 ? loads(path) : adds(1));
    }
    return time_of_body(body + "DONE:\n");
  };
  CHECK(time(2) / time(1) == Approx(2).epsilon(0.05));
  CHECK(time(3) / time(1) == Approx(3).epsilon(0.05));
}

TEST_CASE("silicon: where lanes of a warp run together again", "[silicon_divergence]") {
  const std::string count = "  mov.u32 %r2, 0;\n";
  const std::string round = "MORE:\n" + adds(8) + "  add.u32 %r2, %r2, 1;\n";
  const std::string again = "  setp.le.u32 %p2, %r2, %lane;\n  @%p2 bra MORE;\n";
  // After if and else, loops, and loops that some lanes leave early.
  CHECK(lanes_together(odd + "  @%p1 bra ELSE;\n" + adds(24) + "  bra DONE;\nELSE:\n" + adds(24) + "DONE:\n") == "32");
  CHECK(lanes_together(count + round + again) == "32");
  CHECK(lanes_together(count + odd + round +
                       "  setp.gt.u32 %p3, %r2, 3;\n  and.pred %p3, %p3, %p1;\n  @%p3 bra OUT;\n" + again + adds(24) +
                       "OUT:\n") == "32");
  CHECK(lanes_together(count + odd + "OUTER:\n  mov.u32 %r3, 0;\n" + round +
                       "  setp.gt.u32 %p3, %r2, 20;\n  and.pred %p3, %p3, %p1;\n  @%p3 bra OUT;\n"
                       "  add.u32 %r3, %r3, 1;\n  setp.le.u32 %p2, %r3, %lane;\n  @%p2 bra MORE;\n" +
                       adds(8) + "  setp.lt.u32 %p4, %r2, 60;\n  @%p4 bra OUTER;\n" + adds(24) + "OUT:\n") == "32");
  // After a switch, by a table and by ifs.
  CHECK(lanes_together(table_of_paths("  mov.u32 %r1, %lane;\n")) == "32");
  CHECK(lanes_together(chain_of_ifs({4, 8, 16})) == "32");
}

TEST_CASE("silicon: lanes that come to a block by two conditions reconverge after it, not in it",
          "[silicon_divergence]") {
  // Compilers decide this, and NVIDIA's compilers differ between releases. Here, lanes reconverge at the immediate
  // post-dominator of the first branch.
  const std::string conditions = odd + "  and.b32 %r1, %lane, 2;\n  setp.ne.u32 %p2, %r1, 0;\n  @%p1 bra BLOCK;\n" +
                                 adds(24) + "  @!%p2 bra DONE;\n" + adds(24) + "BLOCK:\n";
  std::string in_block;
  for (unsigned lane = 0; lane < 32; ++lane) {
    // Odd lanes come from the first branch, and lanes 2, 6, 10 and so on from the second. Lanes 0, 4, 8 never come.
    in_block += fmt::format("{}{}", lane == 0 ? "" : " ", lane % 2 == 1 ? 16 : lane % 4 == 2 ? 8 : 0);
  }
  CHECK(lanes_together("  mov.u32 %r8, 0;\n" + conditions +
                       "  activemask.b32 %r8;\nDONE:\n  st.global.u32 [%slice], "
                       "%r8;\n") == "32");
  const std::vector<std::uint64_t> masks =
      stored_by_lanes("  mov.u32 %r0, 0;\n  mov.u32 %r8, 0;\n" + conditions +
                          "  activemask.b32 %r8;\nDONE:\n  st.global.u32 [%slice], %r8;\n  ret;",
                      silicon());
  std::vector<int> together;
  for (const std::uint64_t mask : masks) together.push_back(std::popcount(static_cast<std::uint32_t>(mask)));
  CHECK(fmt::format("{}", fmt::join(together, " ")) == in_block);
}

TEST_CASE("silicon: lanes do not reconverge after a call through a pointer that diverges", "[silicon_divergence]") {
  const std::string functions = R"(
.func (.reg .u32 %r) one(.reg .u32 %n) { add.u32 %r, %n, 1; ret; }
.func (.reg .u32 %r) two(.reg .u32 %n) { add.u32 %r, %n, 2; ret; }
.global .u64 table[2] = { one, two };
)";
  const auto call = [](const std::string& index) {
    return index + R"(
  mul.wide.u32 %rd1, %r1, 8;
  mov.u64 %rd0, table;
  add.u64 %rd0, %rd0, %rd1;
  ld.global.u64 %rd2, [%rd0];
  p : .callprototype (.reg .u32 _) _ (.reg .u32 _);
  call (%r0), %rd2, (%lane), p;
)";
  };
  const std::string by_parity = call("  and.b32 %r1, %lane, 1;\n");
  CHECK(lanes_together(by_parity, functions) == "16");
  CHECK(lanes_together(by_parity, functions, Own{}) == "32");
  // Lanes that call the same function stay together; so do all lanes in a region that ends after the call.
  CHECK(lanes_together(call("  mov.u32 %r1, 1;\n"), functions) == "32");
  CHECK(lanes_together("  setp.lt.u32 %p0, %lane, 31;\n  @!%p0 bra DONE;\n" + by_parity + "DONE:\n", functions) ==
        "32");
  // Lanes that do not call also continue.
  const std::string guarded = by_parity.substr(0, by_parity.find("  call")) +
                              "  setp.lt.u32 %p0, %lane, 16;\n  @%p0 call (%r0), %rd2, (%lane), p;\n";
  std::string expected = "8";
  for (unsigned lane = 1; lane < 32; ++lane) expected += lane < 16 ? " 8" : " 16";
  CHECK(lanes_together(guarded, functions) == expected);
}

TEST_CASE("silicon: lanes that wait for a spin lock do not slow the lane that holds it", "[silicon_divergence]") {
  const auto time = [](unsigned lanes, const Own& own) {
    const Case lock = spin_lock(lanes);
    const TimedOutcome outcome = run_timed(lock, machine(own));
    CHECK(sum(lock, outcome, 16) == 4 * lanes);
    return time_of(lock, machine(own));
  };
  const double one = time(1, silicon());
  CHECK(time(2, silicon()) / one == Approx(2).epsilon(0.2));
  CHECK(time(8, silicon()) / one == Approx(8).epsilon(0.15));
  CHECK(time(32, silicon()) / one == Approx(30.5).epsilon(0.15));
  // With turns, each acquisition costs as many tries as the barrier has patience.
  CHECK(time(32, Own{}) / time(1, Own{}) > 150);
}

TEST_CASE("silicon: threads that wait for each other make progress", "[silicon_divergence]") {
  for (const std::uint64_t patience : {1U, 2U, 16U, 200U}) {
    Own own = silicon();
    own.patience = patience;
    INFO(patience << " rounds");
    const Case lock = lock_in_loop();
    CHECK(sum(lock, run_timed(lock, machine(own)), 1) == 128);
    const Case flag = flag_after_loop();
    CHECK_THAT(difference(run_scalar(flag).memory, run_timed(flag, machine(own)).memory), Catch::Equals(""));
    for (const Case& waiting : {barrier_on_two_sides(), vote_after_loop()}) {
      CHECK_THAT(difference(run_scalar(waiting).memory, run_timed(waiting, machine(own)).memory), Catch::Equals(""));
    }
    GpuParameters interleaving = machine();
    interleaving.sm.scheme = {"subwarp_interleaving"};
    SubwarpInterleavingParameters others = silicon_with_interleaving();
    others.patience = patience;
    interleaving.sm.schemes.of<SubwarpInterleavingParameters>() = others;
    CHECK(sum(lock, run_timed(lock, interleaving), 1) == 128);
  }
}

TEST_CASE("silicon: a lane that gets the lock continues before the lanes that wait try again", "[silicon_divergence]") {
  const TimedOutcome outcome = run_timed(spin_lock(32), machine());
  // Each of the 128 turns of a holder but the last begins at a barrier that opens for it.
  const ConvergenceBarrierStatistics own = counts(outcome);
  CHECK(own.opened >= 31);
  CHECK(own.opened <= 128);
  CHECK(own.yields[ConvergenceBarrierYields::waiting_round] >= own.opened);
}

TEST_CASE("silicon: latencies of a divergent branch, a reconvergence and a jump table", "[silicon_divergence]") {
  // Writes of registers that no instruction in flight writes: a latency does not show while the next instruction waits.
  // The sum at the end of the kernel keeps the registers apart.
  const auto writes = [](unsigned first, unsigned length) {
    std::string text;
    for (unsigned i = 0; i < length; ++i) text += fmt::format("  mov.u32 %r{}, 1;\n", 10 + first + i);
    return text;
  };
  // Half of the lanes enter each of `depth` nested ifs.
  const auto nest = [&](unsigned depth) {
    std::string body = writes(0, 20);
    for (unsigned i = 0; i < depth; ++i) {
      body += fmt::format("  and.b32 %r1, %lane, {0};\n  setp.ne.u32 %p0, %r1, 0;\n  @%p0 bra PAST{1};\n", 1U << i, i) +
              writes(0, 20);
    }
    for (unsigned i = depth; i-- > 0;) body += fmt::format("PAST{}:\n{}", i, writes(4 * (depth - 1 - i), 4));
    for (unsigned i = 20; i-- > 0;) body += fmt::format("  add.u32 %r0, %r0, %r{};\n", 10 + i);
    return body;
  };
  const Own none{.order = ConvergenceBarrierOrder::fewer_lanes};
  const auto longer = [&](const std::string& body, Own own) {
    return time_of_body(body, own) - time_of_body(body, none);
  };
  for (const unsigned depth : {1U, 2U, 3U, 4U, 5U}) {
    INFO(depth << " deep");
    Own reconverging = none;
    reconverging.reconvergence_latency = 11;
    CHECK(longer(nest(depth), reconverging) == 11 * depth);
    // A subwarp that has not begun waits at each further level.
    Own nested = none;
    nested.nested_latency = 36;
    CHECK(longer(nest(depth), nested) == 36 * (depth - 1));
  }
  // The table runs once for each path.
  Own table = none;
  table.table_latency = 48;
  CHECK(longer(table_of_paths("  mov.u32 %r1, 0;\n"), table) == 48);
  CHECK(longer(table_of_paths("  and.b32 %r1, %lane, 3;\n"), table) == 4 * 48);
  CHECK(longer(table_of_paths("  mov.u32 %r1, %lane;\n"), table) == 32 * 48);
  CHECK(longer(chain_of_ifs({4, 8, 16}), table) == 0);
}

TEST_CASE("silicon: the issue slots of these latencies go to the switch", "[silicon_divergence]") {
  GpuParameters parameters = machine();
  parameters.sm.scheduler.count = 1;
  const auto first = static_cast<std::size_t>(first_cause_of(convergence_barrier_scheme(), built_in_schemes()));
  const auto lost = [&](const Own& own) {
    parameters.sm.schemes.of<Own>() = own;
    const Case table =
        make_case("table", table_of_paths("  mov.u32 %r1, %lane;\n") + std::string(keep_clock), {1}, {32});
    return run_timed(table, parameters)
        .totals.of<WarpSchedulerStatistics>()
        .slots.values[first + static_cast<std::size_t>(ConvergenceBarrierCause::divergence_switch)];
  };
  CHECK(lost({.switch_latency = 0}) == 0);
  CHECK(lost({.switch_latency = 0, .table_latency = 48}) >= 32 * 48);
  CHECK(lost({.switch_latency = 0, .reconvergence_latency = 11}) >= 11);
}

TEST_CASE("silicon: in a loop by lane, lanes that end wait at the barrier before the others go on",
          "[silicon_divergence]") {
  const std::string loop = "  mov.u32 %r2, 0;\nMORE:\n" + adds(16) +
                           "  add.u32 %r2, %r2, 1;\n  setp.le.u32 %p2, %r2, %lane;\n  @%p2 bra MORE;\n";
  const Case by_lane =
      make_case("loop", "  mov.u32 %r0, 0;\n" + loop + "  st.global.u32 [%slice], %r0;\n  ret;", {1}, {32});
  // One switch for each of the 31 lanes that leave before the last; with the taken path first, they all leave at once.
  CHECK(counts(run_timed(by_lane, machine())).switches == 31);
  CHECK(counts(run_timed(by_lane, machine(Own{}))).switches == 1);
  CHECK(counts(run_timed(by_lane, machine())).reconvergences == 1);
}

TEST_CASE("silicon: memory is the same with these parameters", "[silicon_divergence]") {
  std::size_t turn = 0;
  for (const Case& test_case : cases()) {
    const std::string_view scheme = turn++ % 2 == 0 ? "convergence_barrier" : "subwarp_interleaving";
    GpuParameters parameters = parameters_of(shapes()[turn % shapes().size()], scheme, test_case);
    parameters.sm.schemes.of<Own>() = silicon();
    parameters.sm.schemes.of<SubwarpInterleavingParameters>() = silicon_with_interleaving();
    INFO(scheme << ": " << test_case.name);
    const Outcome expected = run_scalar(test_case);
    const TimedOutcome found = run_timed(test_case, parameters);
    CHECK_THAT(difference(expected.memory, found.memory), Catch::Equals(""));
    CHECK(found.thread_instructions == expected.thread_instructions);
  }
}

TEST_CASE("silicon: the platforms of Volta and later GPUs diverge in this way", "[silicon_divergence]") {
  for (const std::string name : {"v100", "rtx2060", "t4", "rtx3080"}) {
    CAPTURE(name);
    const GpuParameters platform =
        launch::load_platform(fmt::format("{}/yaml/platforms/{}.yaml", RECONVERGE_SOURCE_DIR, name));
    CHECK(platform.sm.scheme == std::vector<std::string>{"convergence_barrier"});
    const Own& own = platform.sm.schemes.of<Own>();
    const Own expected = silicon();
    CHECK(own.switch_latency == expected.switch_latency);
    CHECK(own.patience == expected.patience);
    CHECK(own.order == expected.order);
    CHECK(own.reconvergence_latency == expected.reconvergence_latency);
    CHECK(own.nested_latency == expected.nested_latency);
    CHECK(own.table_latency == expected.table_latency);
    CHECK(own.spin == expected.spin);
    CHECK(own.pointer_calls == expected.pointer_calls);
  }
}

}  // namespace reconverge::contract
