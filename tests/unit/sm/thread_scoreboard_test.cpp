// SPDX-License-Identifier: Apache-2.0
// A scoreboard that tracks threads, through its sockets: several paths of one warp, and threads that change warps.

#include <algorithm>
#include <array>
#include <random>

#include "tests/unit/sm/scoreboard_bench.hpp"

namespace reconverge {
namespace {

constexpr LaneMask low = 0x0000ffff;
constexpr LaneMask high = ~low;

struct Bench : tests::ScoreboardBench {
  Bench() : ScoreboardBench(DependencyTracking::thread) {}
};

/// The low lanes have threads of slot 0, the others have threads of slot 1.
Homes two_homes() {
  Homes homes;
  homes.moved = true;
  for_each_lane(high, [&](unsigned lane) { homes.slot[lane] = 1; });
  return homes;
}

}  // namespace

TEST_CASE("thread scoreboard: a path does not wait for registers of another path of its warp") {
  Bench bench;
  bench.after({bench.writes(1), 20}, nullptr, {0, low});
  bench.after({bench.writes(1), 30}, nullptr, {0, high});
  CHECK(bench.ask(bench.reads(1), {0, low}).ready == 20);
  CHECK(bench.ask(bench.reads(1), {0, high}).ready == 30);
  // After reconvergence, an instruction waits for the later of both results.
  CHECK(bench.ask(bench.reads(1)).ready == 30);
  // A later write of one path does not make the other wait.
  bench.after({bench.writes(1), never, true}, nullptr, {0, low});
  CHECK(bench.ask(bench.reads(1), {0, high}).ready == 30);
  CHECK(bench.ask(bench.reads(1)).ready == never);
}

TEST_CASE("thread scoreboard: issued and requested instructions may have different lanes") {
  Bench bench;
  ScoreboardRequest request;
  const DecodedInstruction written = bench.writes(1);
  const DecodedInstruction next = bench.reads(1);
  request.lanes = low;
  request.next_lanes = high;
  request.issued = &written;
  request.next = &next;
  request.result = 20;
  CHECK(bench.scheduler.send(request).ready == 0);
  CHECK(bench.ask(next, {0, low}).ready == 20);
}

TEST_CASE("thread scoreboard: registers belong to threads, also when threads change warps") {
  Bench bench;
  const Homes homes = two_homes();
  bench.after({bench.writes(1), 20}, nullptr, {0});
  bench.after({bench.writes(1), 30}, nullptr, {1});
  // Slot 2 runs threads of slots 0 and 1.
  CHECK(bench.ask(bench.reads(1), {2, low, &homes}).ready == 20);
  CHECK(bench.ask(bench.reads(1), {2, high, &homes}).ready == 30);
  CHECK(bench.ask(bench.reads(1), {2, all_lanes, &homes}).ready == 30);
  CHECK(bench.ask(bench.reads(1), {2}).ready == 0);
  // Their writes in slot 2 also count when the threads are at home again.
  bench.after({bench.writes(2), 40}, nullptr, {2, all_lanes, &homes});
  CHECK(bench.ask(bench.reads(2), {0, low}).ready == 40);
  CHECK(bench.ask(bench.reads(2), {0, high}).ready == 0);
  CHECK(bench.ask(bench.reads(2), {1, high}).ready == 40);
  CHECK(bench.ask(bench.reads(2), {2}).ready == 0);
}

TEST_CASE("thread scoreboard: a load of moved threads is written back to the homes of the threads") {
  Bench bench;
  const Homes homes = two_homes();
  const bool moves_back = GENERATE(true, false);
  const tests::Threads there{2, all_lanes, &homes};
  bench.after({bench.writes(1), never, true}, nullptr, there);
  const tests::Threads asking = moves_back ? tests::Threads{1, high} : there;
  CHECK(bench.ask(bench.reads(1), asking).ready == never);
  bench.after({bench.writes(1), 60, true, true}, nullptr, there);
  const auto known = bench.ask(bench.reads(1), asking);
  CHECK(known.ready == 60);
  CHECK(known.waits_for_memory);
}

TEST_CASE("thread scoreboard: a thread ends when its loads have arrived, regardless of other threads") {
  Bench bench;
  const Homes homes = two_homes();
  bench.after({bench.writes(1), never, true}, nullptr, {0, low});
  bench.after({bench.writes(1), 50, true}, nullptr, {0, high});
  CHECK(bench.ask(bench.exit(), {0, low}).ready == never);
  CHECK(bench.ask(bench.exit(), {0, high}).ready == 50);
  CHECK(bench.ask(bench.exit(), {0, high}).waits_for_memory);
  CHECK(bench.ask(bench.exit(), {2, low, &homes}).ready == never);
  CHECK(bench.ask(bench.exit(), {2, high, &homes}).ready == 0);
  bench.after({bench.writes(1), 70, true, true}, nullptr, {0, low});
  CHECK(bench.ask(bench.exit(), {0}).ready == 70);
}

TEST_CASE("thread scoreboard: new threads have ready registers, and other lanes keep theirs") {
  Bench bench;
  bench.after({bench.writes(1), 20}, nullptr, {0});
  bench.scoreboard->clear(0, low);
  CHECK(bench.ask(bench.reads(1), {0, low}).ready == 0);
  CHECK(bench.ask(bench.reads(1), {0, high}).ready == 20);
}

TEST_CASE("thread scoreboard: random writes with random times match a table by thread and register") {
  Bench bench;
  const Homes homes = two_homes();
  std::array<std::array<std::array<Cycle, warp_size>, 4>, 2> expected{};  // by slot, register and lane
  std::mt19937 random(7);
  const auto below = [&](unsigned end) { return std::uniform_int_distribution<unsigned>(0, end - 1)(random); };
  for (int step = 0; step < 3000; ++step) {
    const unsigned number = below(4);
    const LaneMask lanes = below(3) == 0 ? all_lanes : static_cast<LaneMask>(random());
    const std::uint32_t slot = below(2);
    const tests::Threads threads{slot, lanes, below(4) == 0 ? &homes : nullptr};
    const auto home = [&](unsigned lane) { return threads.homes != nullptr ? homes.slot[lane] : slot; };
    const Cycle result = below(10) == 0 ? never : below(1000);
    bench.after({bench.writes(number), result}, nullptr, threads);
    for_each_lane(lanes, [&](unsigned lane) { expected.at(home(lane)).at(number).at(lane) = result; });

    const unsigned first = below(4);
    const unsigned second = below(4);
    const LaneMask asking = static_cast<LaneMask>(random());
    Cycle latest = 0;
    for_each_lane(asking, [&](unsigned lane) {
      const auto& registers = expected.at(home(lane));
      latest = std::max({latest, registers.at(first).at(lane), registers.at(second).at(lane)});
    });
    CHECK(bench.ask(bench.instruction({}, {first, second}), {slot, asking, threads.homes}).ready == latest);
  }
}

TEST_CASE("scoreboards report for each lane when it can issue an instruction") {
  const auto tracking = GENERATE(DependencyTracking::warp, DependencyTracking::thread);
  tests::ScoreboardBench bench(tracking);
  // The second addition of the kernel reads the result of the first.
  bench.after({bench.image.decoded(0), never, true}, nullptr, {0, low});
  ReadinessRequest request;
  request.slot = 0;
  request.pc = 1;
  request.lanes = all_lanes;
  request.ready.fill(99);
  const auto answered = bench.scheme.send(request);
  const bool of_threads = tracking == DependencyTracking::thread;
  CHECK(answered.ready[0] == never);
  CHECK(answered.ready[31] == (of_threads ? 0 : never));
  CHECK(answered.from_memory == (of_threads ? low : all_lanes));
}

}  // namespace reconverge
