// SPDX-License-Identifier: Apache-2.0
/// The trace and log of a launch, compared with values calculated by hand and with the counters.

#include "platforms/trace/sm_trace.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <tuple>

#include "blocks/dynamic_microkernel.hpp"
#include "blocks/l1_cache.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/launch/session.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/trace/warp_log.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge;
using namespace reconverge::trace;
using launch::Session;

namespace {

const std::string kernels = RECONVERGE_SOURCE_DIR "/platforms/kernels/";

/// Names for all outcomes of an issue slot.
std::vector<std::string> outcomes() {
  std::vector<std::string> names;
  names.reserve(64);
  for (int i = 0; i < 64; ++i) names.push_back("outcome " + std::to_string(i));
  names[static_cast<std::size_t>(WarpSchedulerSlots::memory)] = "memory";
  names[static_cast<std::size_t>(WarpSchedulerSlots::dependency)] = "dependency";
  return names;
}

constexpr CycleWindow all{0, 1'000'000'000};

constexpr const char* divergent = R"(.version 6.5
.target sm_75
.address_size 64
.visible .entry divergent() {
  .reg .pred %p<2>;
  .reg .b32 %r<5>;
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 10;
  @%p1 bra low;
  add.u32 %r2, %r1, 1;
  bra join;
low:
  add.u32 %r2, %r1, 2;
join:
  add.u32 %r3, %r2, 3;
  ret;
}
)";

std::uint64_t number(const Trace& trace, const Slice& slice, const char* name) {
  const auto* const found = trace.find(slice, name);
  REQUIRE(found != nullptr);
  return found->value;
}

std::vector<const Slice*> of_category(const Trace& trace, const std::string& category) {
  std::vector<const Slice*> slices;
  for (const Slice& slice : trace.slices) {
    if (trace.name(slice.category) == category) slices.push_back(&slice);
  }
  return slices;
}

/// The number of executed instructions, according to their slices.
InstructionCounts executed(const Trace& trace) {
  InstructionCounts counts;
  for (const Slice* slice : of_category(trace, instruction_category)) {
    const std::uint64_t lanes = number(trace, *slice, "lanes");
    counts += {trace.find(*slice, "each lane alone") != nullptr ? lanes : 1, lanes};
  }
  return counts;
}

/// A line of a log.
struct LogRow {
  Cycle cycle = 0;
  std::string place;  ///< sm, warp slot, block, pc, line
  LaneMask lanes = 0;
  unsigned count = 0;
  std::string event, what;
};

std::vector<LogRow> rows_of(const std::string& log) {
  std::istringstream in(log);
  std::vector<LogRow> rows;
  for (std::string text; std::getline(in, text);) {
    std::istringstream words(text);
    LogRow row;
    std::string part;
    if (text.starts_with('#') || !(words >> row.cycle)) continue;
    for (int i = 0; i < 5 && words >> part; ++i) row.place += (i == 0 ? "" : " ") + part;
    words >> std::hex >> row.lanes >> std::dec >> row.count >> row.event >> std::ws;
    std::getline(words, row.what);
    rows.push_back(row);
  }
  return rows;
}

/// Counts divergent two-way branches, by their masks.
class PartingBranches final : public SmObserver {
 public:
  void branched(const BranchNote& note) override {
    count += !note.alone && note.taken != 0 && note.taken != note.path ? 1U : 0U;
  }
  std::uint64_t count = 0;
};

}  // namespace

TEST_CASE("a warp with one divergent branch: the trace has its paths in order, with lanes") {
  const tests::TemporaryFolder place;
  SmTrace recording(all, outcomes());
  Session session("timed");
  REQUIRE(session.device().observe_run(recording));
  const kernel::Program& program = session.load(place.write("divergent.ptx", divergent));
  place.write("divergent.ptx", "what runs is what was loaded");
  const launch::LaunchResult result = session.run(program, {1}, {32}, {});
  const Trace trace = from_perfetto(to_perfetto(recording.take()));

  const auto launches = of_category(trace, launch_category);
  REQUIRE(launches.size() == 1);
  CHECK(trace.name(launches[0]->name) == "divergent");
  CHECK(launches[0]->end - launches[0]->begin == result.cycles());

  const auto warps = of_category(trace, warp_category);
  REQUIRE(warps.size() == 1);
  CHECK(trace.name(warps[0]->name) == "block 0 warp 0");
  CHECK(number(trace, *warps[0], "threads") == 32);
  CHECK(warps[0]->end == launches[0]->end);

  // The path that falls through waits on the stack until the taken path reaches `join`.
  const std::vector<std::pair<std::string, LaneMask>> expected{
      {"mov.u32 %r1, %tid.x", 0xffffffffU}, {"setp.lt.u32 %p1, %r1, 10", 0xffffffffU},
      {"@%p1 bra low", 0xffffffffU},        {"add.u32 %r2, %r1, 2", 0x000003ffU},
      {"add.u32 %r2, %r1, 1", 0xfffffc00U}, {"bra join", 0xfffffc00U},
      {"add.u32 %r3, %r2, 3", 0xffffffffU}, {"ret", 0xffffffffU}};
  const auto instructions = of_category(trace, instruction_category);
  REQUIRE(instructions.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(trace.name(instructions[i]->name) == expected[i].first);
    CHECK(number(trace, *instructions[i], "mask") == expected[i].second);
    CHECK(number(trace, *instructions[i], "lanes") == count_lanes(expected[i].second));
    CHECK(instructions[i]->depth == 1);
    CHECK(trace.tracks[instructions[i]->track].name == "warp slot 0");
    if (i > 0) CHECK(instructions[i]->begin == instructions[i - 1]->end);
  }
  CHECK(instructions.back()->end == instructions.back()->begin + 1);
  // The branch waits for the predicate, and no other warp can issue.
  const auto stalls = of_category(trace, stall_category);
  const auto waits = [&](const Slice& instruction) {
    return std::ranges::any_of(stalls, [&](const Slice* stall) {
      return trace.name(stall->name) == "dependency" && stall->begin > instruction.begin &&
             stall->end == instruction.end;
    });
  };
  CHECK(waits(*instructions[1]));
}

TEST_CASE("a warp with one divergent branch: the log has a line for each instruction and path event") {
  const tests::TemporaryFolder place;
  std::string text;
  WarpLog log(all, outcomes(), [&](std::string_view lines) { text += lines; });
  Session session("timed");
  REQUIRE(session.device().observe_run(log));
  CHECK(log.empty());
  session.run(session.load(place.write("divergent.ptx", divergent)), {1}, {32}, {});
  CHECK_FALSE(log.empty());
  CHECK(text.starts_with(log_mark));
  CHECK_THAT(text, Catch::Contains("\n# cycle 0: divergent begins, 1 blocks of 32 threads\n"));

  constexpr LaneMask whole = all_lanes, low = 0x3ff, high = 0xfffffc00U;
  const std::vector<std::tuple<std::string, LaneMask, std::string, std::string>> expected{
      {"0 0 0 0 7", whole, "start", "block 0, threads 0 to 31"},
      {"0 0 0 0 7", whole, "issue", "mov.u32 %r1, %tid.x"},
      {"0 0 0 1 8", whole, "issue", "setp.lt.u32 %p1, %r1, 10"},
      {"0 0 0 2 9", whole, "issue", "@%p1 bra low"},
      {"0 0 0 2 9", whole, "diverge", "0x000003ff to pc 5 (line 13), 0xfffffc00 to pc 3 (line 10)"},
      {"0 0 0 5 13", low, "run", "0xfffffc00 wait"},
      {"0 0 0 5 13", low, "issue", "add.u32 %r2, %r1, 2"},
      {"0 0 0 3 10", high, "switch", "0x000003ff wait"},
      {"0 0 0 3 10", high, "issue", "add.u32 %r2, %r1, 1"},
      {"0 0 0 4 11", high, "issue", "bra join"},
      {"0 0 0 6 15", whole, "meet", "0xfffffc00 and 0x000003ff"},
      {"0 0 0 6 15", whole, "issue", "add.u32 %r3, %r2, 3"},
      {"0 0 0 7 16", whole, "issue", "ret"},
      {"0 0 0 - -", whole, "end", "the warp has ended"}};
  std::vector<LogRow> rows = rows_of(text);
  Cycle waited = 0;
  for (const LogRow& row : rows) {
    if (row.event == "wait" && row.what.ends_with(": dependency")) waited += std::stoul(row.what);
  }
  CHECK(waited > 0);  // the branch waits for the predicate
  std::erase_if(rows, [](const LogRow& row) { return row.event == "wait"; });
  REQUIRE(rows.size() == expected.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(std::tuple(rows[i].place, rows[i].lanes, rows[i].event, rows[i].what) == expected[i]);
    CHECK(rows[i].count == count_lanes(rows[i].lanes));
    if (i > 0) CHECK(rows[i].cycle >= rows[i - 1].cycle);
  }
}

TEST_CASE("a log can write the waits of a failed launch after its program has been destroyed") {
  std::string text;
  WarpLog log(all, outcomes(), [&](std::string_view lines) { text += lines; });
  kernel::Program program = kernel::load_program_text(divergent, "divergent.ptx", "divergent");
  Launch launch;
  launch.program = &program;
  log.launch_started(launch, 0);
  log.slots_lost({{0, 0, 5}, WarpSchedulerSlots::memory, 7, 3, 3});
  program = {};
  log.end_waits();
  const std::vector<LogRow> rows = rows_of(text);
  REQUIRE(rows.size() == 1);
  CHECK(rows.front().cycle == 7);
  CHECK(rows.front().place == "0 0 - 5 13");
  CHECK(rows.front().what == "3 cycles: memory");
}

TEST_CASE("a log has each instruction and each divergent branch of the run or of the window") {
  GpuParameters gpu;
  gpu.sms = 2;
  gpu.sm.scheme = {GENERATE("reconvergence_stack", "mimd", "convergence_barrier", "subwarp_interleaving",
                            "thread_block_compaction")};
  INFO(gpu.sm.scheme.front());
  std::string text, part;
  WarpLog log(all, outcomes(), [&](std::string_view lines) { text += lines; });
  WarpLog window({1000, 1399}, outcomes(), [&](std::string_view lines) { part += lines; });
  PartingBranches branches;
  Session session("timed", gpu);
  session.device().observe_sms(&branches);
  session.device().observe_run(log);
  session.device().observe_run(window);
  const kernel::Program& collatz = session.load(kernels + "collatz.ptx");
  std::vector<std::uint32_t> host(500);
  std::iota(host.begin(), host.end(), 1U);
  const DeviceAddress start = session.upload<std::uint32_t>("start", host);
  const DeviceAddress steps = session.allocate<std::uint32_t>("steps", host.size());
  const InstructionCounts counted = session.run(collatz, {4}, {128}, {start, steps, 500U}).instructions;

  const bool single_lanes = gpu.sm.scheme.front() == "mimd";
  std::map<std::string, std::uint64_t> events;
  std::uint64_t threads = 0;
  std::string inside;
  const std::vector<LogRow> rows = rows_of(text), part_rows = rows_of(part);
  for (const LogRow& row : rows) {
    ++events[row.event];
    threads += row.event == "issue" ? row.count : 0;
    inside += row.event == "issue" && row.cycle >= 1000 && row.cycle < 1400 ? row.place + row.what + '\n' : "";
  }
  CHECK((single_lanes ? threads : events["issue"]) ==
        (single_lanes ? counted.thread_instructions : counted.warp_instructions));
  CHECK(threads == counted.thread_instructions);
  CHECK(events["diverge"] == branches.count);
  CHECK((events["diverge"] > 0) == !single_lanes);
  std::string in_window;
  for (const LogRow& row : part_rows) {
    CHECK((row.cycle >= 1000 && row.cycle < 1400));
    in_window += row.event == "issue" ? row.place + row.what + '\n' : "";
  }
  CHECK(in_window == inside);
  CHECK_FALSE(inside.empty());
}

TEST_CASE("a lost slot while two warps wait is charged to the warp that continues first") {
  const tests::TemporaryFolder place;
  GpuParameters gpu;
  gpu.sms = 1;
  gpu.sm.scheduler.count = 1;
  SmTrace recording(all, outcomes());
  Session session("timed", gpu);
  session.device().observe_run(recording);
  // The second warp issues each addition one cycle after the first warp. Then both wait for their results.
  const kernel::Program& program = session.load(place.write("chain.ptx", R"(.version 6.5
.target sm_75
.address_size 64
.visible .entry chain() {
  .reg .b32 %r<5>;
  mov.u32 %r1, %tid.x;
  add.u32 %r1, %r1, 1;
  add.u32 %r1, %r1, 2;
  add.u32 %r1, %r1, 3;
  add.u32 %r1, %r1, 4;
  ret;
}
)"));
  session.run(program, {1}, {64}, {});
  const Trace trace = recording.take();
  std::uint64_t first_ends = 0;
  for (const Slice* slice : of_category(trace, warp_category)) {
    if (trace.name(slice->name) == "block 0 warp 0") first_ends = slice->end;
  }
  std::uint64_t of_first = 0;
  for (const Slice* slice : of_category(trace, stall_category)) {
    if (trace.name(slice->name) != "dependency") continue;
    const bool first = trace.tracks[slice->track].name == "warp slot 0";
    of_first += first ? 1 : 0;
    if (!first) CHECK(slice->begin >= first_ends);
  }
  CHECK(of_first >= 3);
}

TEST_CASE("a window over the whole run has all counted events") {
  GpuParameters gpu;
  gpu.sms = 2;
  gpu.sm.scheme = {GENERATE("reconvergence_stack", "mimd", "convergence_barrier", "subwarp_interleaving",
                            "thread_block_compaction")};
  INFO(gpu.sm.scheme.front());
  SmTrace recording(all, outcomes());
  Session session("timed", gpu);
  session.device().observe_run(recording);
  const kernel::Program& saxpy = session.load(kernels + "saxpy.ptx");
  const std::vector<float> host(5000, 1.0F);
  const DeviceAddress x = session.upload<float>("x", host);
  const DeviceAddress y = session.upload<float>("y", host);
  InstructionCounts counted;
  std::uint64_t misses = 0, merges = 0;
  for (int i = 0; i < 2; ++i) {
    const launch::LaunchResult result = session.run(saxpy, {40}, {128}, {2.0F, x, y, 5000U});
    counted += result.instructions;
    misses += result.counters->of<L1CacheStatistics>().misses;
    merges += result.counters->of<L1CacheStatistics>().merges;
  }
  const Trace trace = from_perfetto(to_perfetto(recording.take()));
  const InstructionCounts traced = executed(trace);
  // If each lane has a pc, the trace has an instruction for each lane. The counters have one for each issue slot, which
  // lanes share.
  const bool single_lanes = gpu.sm.scheme.front() == "mimd";
  CHECK(traced.warp_instructions == (single_lanes ? counted.thread_instructions : counted.warp_instructions));
  CHECK(traced.thread_instructions == counted.thread_instructions);
  CHECK(of_category(trace, launch_category).size() == 2);

  std::map<std::string, std::uint64_t> requests;
  for (const Slice* slice : of_category(trace, memory_category)) {
    if (trace.name(static_cast<NameId>(number(trace, *slice, "cache"))) != "l1") continue;
    ++requests[trace.name(slice->name)];
    CHECK(slice->end > slice->begin);
  }
  CHECK(misses > 0);
  CHECK(requests["miss"] == misses);
  CHECK(requests["merge"] == merges);

  std::uint64_t instructions = 0, threads = 0;
  for (const Sample& sample : trace.samples) {
    const bool warps = trace.tracks[sample.track].name.starts_with("instructions");
    (warps ? instructions : threads) += static_cast<std::uint64_t>(sample.value);
  }
  CHECK(instructions == traced.warp_instructions);
  CHECK(threads == counted.thread_instructions);
}

TEST_CASE("a window clips events at its start and end, and has no other events") {
  SmTrace whole(all, outcomes());
  SmTrace part({300, 399}, outcomes());
  for (SmTrace* const recording : {&whole, &part}) {
    Session session("timed");
    session.device().observe_run(*recording);
    const kernel::Program& saxpy = session.load(kernels + "saxpy.ptx");
    const DeviceAddress y = session.allocate<float>("y", 2000);
    session.run(saxpy, {16}, {128}, {2.0F, y, y, 2000U});
  }
  const Trace everything = whole.take();
  const Trace window = from_perfetto(to_perfetto(part.take()));
  std::size_t reach = 0;
  for (const Slice& slice : everything.slices) {
    const bool at_once = slice.begin == slice.end;  // an event without duration
    reach += slice.begin < 400 && (at_once ? slice.end >= 300 : slice.end > 300) ? 1 : 0;
  }
  CHECK(window.slices.size() == reach);
  CHECK(window.slices.size() > 20);
  for (const Slice& slice : window.slices) {
    CHECK(slice.begin >= 300);
    CHECK(slice.end <= 400);
    const auto* const since = window.find(slice, "since cycle");
    if (since != nullptr) CHECK((slice.begin == 300 && since->value < 300));
  }
}

TEST_CASE("a trace window may end at the largest cycle, and the trace has only names of events in the window") {
  SmTrace whole(all, outcomes());
  SmTrace endless({0, std::numeric_limits<std::uint64_t>::max()}, outcomes());
  SmTrace part({300, 399}, outcomes());
  for (SmTrace* const recording : {&whole, &endless, &part}) {
    GpuParameters gpu;
    gpu.sms = 1;
    Session session("timed", gpu);
    session.device().observe_run(*recording);
    const kernel::Program& saxpy = session.load(kernels + "saxpy.ptx");
    const DeviceAddress y = session.allocate<float>("y", 20'000);
    session.run(saxpy, {160}, {128}, {2.0F, y, y, 20'000U});
  }
  CHECK(to_perfetto(whole.take()) == to_perfetto(endless.take()));
  const Trace trace = part.take();
  std::set<std::string> shown{""};
  for (const Slice& slice : trace.slices) shown.insert({trace.name(slice.name), trace.name(slice.category)});
  for (const std::string& name : trace.names) {
    if (!name.starts_with("block ")) continue;
    INFO(name);
    CHECK(shown.contains(name));
  }
}

TEST_CASE("threads that a warp creates start in another warp, to which an arrow points") {
  GpuParameters gpu;
  gpu.sms = 1;
  gpu.sm.scheme = {"dynamic_microkernel"};
  gpu.sm.schemes.of<DynamicMicrokernelParameters>().state_bytes = 4;
  SmTrace recording(all, outcomes());
  std::string text;
  WarpLog log(all, outcomes(), [&](std::string_view lines) { text += lines; });
  Session session("timed", gpu);
  session.device().observe_run(recording);
  session.device().observe_run(log);
  // Four times, each warp creates the next warp with the same number of threads.
  const kernel::Program& chain = session.load(kernels + "microbench/spawn.ptx", "chain");
  const DeviceAddress buffer = session.allocate<std::uint32_t>("buffer", 1024);
  const launch::LaunchResult result = session.run(chain, {1}, {32}, {buffer, 4U, 0U});
  CHECK(result.counters->of<DynamicMicrokernelStatistics>().full_warps == 4);
  const Trace trace = from_perfetto(to_perfetto(recording.take()));

  const auto warps = of_category(trace, warp_category);
  REQUIRE(warps.size() == 5);
  CHECK(trace.name(warps[0]->name) == "block 0 warp 0");
  CHECK(warps[0]->flows.empty());
  std::map<std::uint64_t, const Slice*> creators;  // by flow
  for (const Slice* slice : of_category(trace, instruction_category)) {
    for (const std::uint64_t flow : slice->flows) CHECK(creators.emplace(flow, slice).second);
  }
  CHECK(creators.size() == 4);
  for (std::size_t i = 1; i < warps.size(); ++i) {
    CHECK_THAT(trace.name(warps[i]->name), Catch::Contains("threads at"));
    REQUIRE(warps[i]->flows.size() == 1);
    const Slice& creator = *creators.at(warps[i]->flows.front());
    CHECK_THAT(trace.name(creator.name), Catch::Contains("spawn"));
    CHECK(creator.begin < warps[i]->begin);
    CHECK(creator.begin >= warps[i - 1]->begin);
  }

  std::map<std::string, std::vector<std::string>> told;
  for (const LogRow& row : rows_of(text)) told[row.event].push_back(row.what);
  REQUIRE(told["start"].size() == 5);
  CHECK(told["start"][0] == "block 0, threads 0 to 31");
  REQUIRE(told["spawn"].size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK("threads that waited" + told["spawn"][i].substr(told["spawn"][i].find(" in ")) == told["start"][i + 1]);
  }
}

TEST_CASE("created threads that start at the first instruction are distinguished from threads of the grid") {
  const tests::TemporaryFolder place;
  GpuParameters gpu;
  gpu.sms = 1;
  gpu.sm.scheme = {"dynamic_microkernel"};
  SmTrace recording(all, outcomes());
  Session session("timed", gpu);
  session.device().observe_run(recording);
  // The first 32 threads create one thread each.
  const kernel::Program& program = session.load(place.write("again.ptx", R"(.version 6.0
.target sm_60
.address_size 64
.visible .entry again(.param .u64 buffer)
{
  .reg .pred %p; .reg .u32 %r<3>; .reg .u64 %a;
FIRST:
  ld.param.u64 %a, [buffer];
  atom.global.add.u32 %r2, [%a], 1;
  setp.lt.u32 %p, %r2, 32;
  mov.u32 %r1, %spawnMemAddr;
  @%p spawn FIRST, %r1;
  exit;
}
)"));
  session.run(program, {1}, {32}, {session.allocate<std::uint32_t>("buffer", 1)});
  const Trace trace = recording.take();
  const auto warps = of_category(trace, warp_category);
  REQUIRE(warps.size() == 2);
  CHECK(trace.name(warps[0]->name) == "block 0 warp 0");
  CHECK(trace.name(warps[1]->name) == "threads at ld.param.u64 %a, [buffer]");
  CHECK(trace.find(*warps[1], "block") == nullptr);
}

TEST_CASE("machines without timed warps write no trace") {
  SmTrace recording(all, outcomes());
  for (const char* const machine : {"functional", "streams", "multi_pass"}) {
    Session session(machine);
    CHECK_FALSE(session.device().observe_run(recording));
  }
}
