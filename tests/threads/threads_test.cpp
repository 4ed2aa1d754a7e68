// SPDX-License-Identifier: Apache-2.0
// What a run shows does not depend on the number of host threads: output of kernels, heap addresses, errors, limits,
// profiles and histories.

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/core/error.hpp"
#include "models/core/simulation_context.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/machines/gpu/gpu.hpp"
#include "testbenches/contract/kernels.hpp"

namespace reconverge::contract {
namespace {

constexpr std::uint32_t sms = 7;

GpuParameters parameters_for(const Case& test_case) {
  GpuParameters parameters = parameters_of(shapes().front(), "reconvergence_stack", test_case);
  parameters.sms = sms;
  return parameters;
}

/// All events of a run, in the order in which an observer sees them, as text.
class EventLog final : public SmObserver {
 public:
  void threads_started(const ThreadsNote& note) override { add("start", note.place, note.cycle); }
  void threads_ended(const ThreadsNote& note) override { add("end", note.place, note.cycle); }
  void issued(const IssueNote& note) override { add("issue", note.place, note.cycle); }
  void branched(const BranchNote& note) override {
    add("branch", note.place, note.taken);
    for_each_lane(note.taken, [&](unsigned lane) { add("to", note.place, note.targets[lane]); });
  }
  void slots_lost(const LostSlotsNote& note) override { add("lost", note.place, note.from); }
  void line_taken(const LineNote& note) override { add("line", note.place, note.taken); }
  void line_answered(std::uint32_t sm, std::uint64_t /*ticket*/, Cycle answer) override {
    add("answer", {sm, 0, 0}, answer);
  }
  const std::vector<std::string>& events() const { return events_; }

 private:
  void add(const char* what, const WarpPlace& place, std::uint64_t value) {
    events_.push_back(std::string(what) + ' ' + std::to_string(place.sm) + ' ' + std::to_string(place.slot) + ' ' +
                      std::to_string(place.pc) + ' ' + std::to_string(value));
  }

  std::vector<std::string> events_;
};

struct Shown {
  std::string printed;
  std::string error;
  std::vector<std::string> events;
  std::vector<std::uint64_t> counters;
  std::vector<std::uint64_t> samples;

  bool operator==(const Shown&) const = default;
};

/// Runs with an observer and a history.
Shown show(const Case& test_case, unsigned threads, Cycle most_cycles = 0) {
  const SimulationContext context;
  Gpu gpu("gpu", parameters_for(test_case));
  gpu.use_threads(threads);
  gpu.stop_after(most_cycles);
  gpu.record(100);
  EventLog log;
  gpu.observe_sms(&log);
  const DeviceAddress input = gpu.memory().upload("input", std::span<const std::uint32_t>(test_case.input));
  const DeviceAddress output = gpu.memory().allocate("output", test_case.output_bytes);
  const DeviceAddress sums = gpu.memory().allocate("sums", sum_words * 4);
  const std::array<Argument, 3> arguments{input, output, sums};
  Launch launch = make_launch(test_case.program, test_case.grid, test_case.block, arguments, 0);
  Shown shown;
  launch.print = [&](std::string_view text) { shown.printed += text; };
  try {
    gpu.run(launch);
    shown.counters = counters(gpu.totals());
    for (const IntervalCounts& sample : gpu.history().samples) {
      shown.samples.insert(shown.samples.end(), {sample.begin, sample.slots.all(), sample.slots.waiting(),
                                                 sample.first_level[0].accesses, sample.memory_bytes});
    }
  } catch (const ExecutionError& error) {
    shown.error = error.what();
  }
  shown.events = log.events();
  return shown;
}

/// The same on 2, 3 and 8 threads; returns what one thread shows.
Shown shown_by_all(const Case& test_case, Cycle most_cycles = 0) {
  const Shown first = show(test_case, 1, most_cycles);
  for (const unsigned threads : {2U, 3U, 8U}) {
    CAPTURE(threads);
    const Shown again = show(test_case, threads, most_cycles);
    CHECK(again.printed == first.printed);
    CHECK(again.error == first.error);
    REQUIRE(again.events.size() == first.events.size());
    const auto differ = std::ranges::mismatch(again.events, first.events);
    if (differ.in1 != again.events.end()) FAIL_CHECK(*differ.in1 << " instead of " << *differ.in2);
    CHECK(again.counters == first.counters);
    CHECK(again.samples == first.samples);
  }
  return first;
}

/// Loads, adds and stores; the later a thread, the more often.
constexpr const char* work = R"(
    shr.u32 %r0, %gid, 8;
    add.u32 %r0, %r0, 1;
again:
    ld.global.u32 %r1, [%slice];
    add.u32 %r1, %r1, %x;
    st.global.u32 [%slice], %r1;
    sub.u32 %r0, %r0, 1;
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra again;
)";

constexpr const char* print_declarations = R"(
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.extern .func (.param .b64 r) malloc (.param .b64 a);
.global .align 1 .b8 format[14] = {37, 117, 32, 103, 111, 116, 32, 37, 108, 108, 120, 10, 0, 0};
)";  // "%u got %llx\n"

}  // namespace

TEST_CASE("observers, histories and counters see the same on any number of threads") {
  const Shown shown = shown_by_all(make_case("work", work, {100}, {64}));
  CHECK(shown.error.empty());
  CHECK(shown.events.size() > 1000);
  CHECK(shown.samples.size() > 10);
}

TEST_CASE("a limit of cycles stops at the same place on any number of threads") {
  const Case test_case = make_case("work", work, {100}, {64});
  CHECK(shown_by_all(test_case, 1234).events.size() < shown_by_all(test_case).events.size());
}

TEST_CASE("kernels print, and get memory, in the order of SMs on any number of threads") {
  const std::string body = std::string(work) + R"(
    .local .align 8 .b8 list[16];
    .param .b64 size;
    .param .b64 place;
    .param .b64 text;
    .param .b64 arguments;
    .param .b32 written;
    mov.u64 %rd0, 24;
    st.param.b64 [size], %rd0;
    call (place), malloc, (size);
    ld.param.b64 %rd1, [place];
    st.local.u32 [list], %gid;
    st.local.u64 [list+8], %rd1;
    mov.u64 %rd2, format;
    cvta.global.u64 %rd2, %rd2;
    mov.u64 %rd3, list;
    cvta.local.u64 %rd3, %rd3;
    st.param.b64 [text], %rd2;
    st.param.b64 [arguments], %rd3;
    call (written), vprintf, (text, arguments);
)";
  const Shown shown = shown_by_all(make_case("print", body, {40}, {1}, {}, print_declarations));
  CHECK(shown.error.empty());
  CHECK(std::ranges::count(shown.printed, '\n') == 40);
}

TEST_CASE("of errors in several SMs, the first in the order of SMs is shown on any number of threads") {
  // Blocks on five SMs fail in the same cycle.
  const std::string body = std::string(work) + R"(
    setp.lt.u32 %p0, %gid, 2;
    @%p0 bra fine;
    trap;
fine:
)";
  const Shown shown = shown_by_all(make_case("trap", body, {sms}, {1}));
  CHECK(shown.error.find("block 2,") != std::string::npos);
}

}  // namespace reconverge::contract
