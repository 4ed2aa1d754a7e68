// SPDX-License-Identifier: Apache-2.0
// Instruction fetch through its sockets, between stand-ins for a scheduler and the SM's instruction cache.

#include "models/sm/instruction_fetch.hpp"

#include <utility>

#include "tests/unit/sm/control_bench.hpp"

namespace reconverge {
namespace {

constexpr Cycle latency = 3;         // from a fetch to its instructions in the buffer
constexpr Cycle cache_latency = 10;  // of the SM's cache, which the scheduler's cache accesses
constexpr std::uint64_t instructions = 30;

/// Groups of four instructions of eight bytes; a line has four groups.
InstructionFetchParameters no_own_cache() {
  InstructionFetchParameters parameters;
  parameters.group = 4;
  parameters.instruction_bytes = 8;
  parameters.latency = latency;
  parameters.line = 128;
  parameters.capacity = 0;
  return parameters;
}

InstructionFetchParameters own_cache() {
  auto parameters = no_own_cache();
  parameters.capacity = 256;
  parameters.ways = 2;
  return parameters;
}

/// Fetches two instructions when the buffer is empty.
InstructionFetchParameters two_when_empty() {
  auto parameters = no_own_cache();
  parameters.refill = InstructionFetchRefill::empty;
  parameters.group = 2;
  return parameters;
}

struct Bench {
  explicit Bench(const InstructionFetchParameters& parameters = no_own_cache())
      : fetch("fetch", parameters, cache_latency, 2), scheduler("scheduler"), cache("cache") {
    cache.serve = [this](LineFetch& request) { request.filled = answered ? request.cycle : never; };
    scheduler.socket.bind(fetch.requests);
    fetch.next_level.bind(cache.socket);
    tests::elaborate();
    fetch.begin(instructions);
  }

  /// The cycle in which the group is in the buffer of a warp that reaches the group in `now` and could issue in
  /// `earliest`.
  Cycle ready(std::uint32_t slot, std::uint32_t group, Cycle now, Cycle earliest, bool begins = false) {
    return scheduler.send({slot, group * 4, now, earliest, begins, kernel::no_pc}).ready;
  }
  Cycle ready(std::uint32_t slot, std::uint32_t group, Cycle now) { return ready(slot, group, now, now); }
  Cycle begin(std::uint32_t slot, Cycle now) { return ready(slot, 0, now, now, true); }
  /// The block's notifications of warps when the line arrives.
  std::vector<std::pair<std::uint32_t, Cycle>> fill(DeviceAddress line, Cycle filled) {
    std::vector<std::pair<std::uint32_t, Cycle>> told;
    fetch.fill({line, filled}, [&](std::uint32_t slot, Cycle cycle) { told.emplace_back(slot, cycle); });
    return told;
  }
  const InstructionFetchStatistics& statistics() const { return fetch.statistics(); }

  const SimulationContext context;
  InstructionFetch fetch;
  tests::ControlSource<FetchRequest> scheduler;
  tests::ControlStandIn<LineFetch> cache;
  bool answered = true;  // the cache has all lines
};

/// The cycle in which the instruction at `pc` is in the empty buffer of warp 0. `past`: the pc after the last buffered
/// instruction, if the warp jumped from there.
Cycle ready_at(Bench& bench, kernel::Pc pc, Cycle now, Cycle earliest, kernel::Pc past = kernel::no_pc) {
  return bench.scheduler.send({0, pc, now, earliest, false, past}).ready;
}

}  // namespace

TEST_CASE("fetch: a group arrives after the latency, and the next group is prefetched") {
  Bench bench;
  REQUIRE(bench.begin(0, 10) == 10 + latency);
  // The port accepted the first group in cycle 10 and the next in cycle 11.
  REQUIRE(bench.cache.seen.size() == 2);
  REQUIRE(bench.cache.seen[0].line == code_address);
  REQUIRE(bench.cache.seen[0].now == 10);
  REQUIRE(bench.cache.seen[0].cycle == 10);
  REQUIRE(bench.cache.seen[1].line == code_address);
  REQUIRE(bench.cache.seen[1].cycle == 11);
  REQUIRE(bench.ready(0, 1, 20) == 11 + latency);
  REQUIRE(bench.ready(0, 1, 25) == 11 + latency);  // the warp uses it
  REQUIRE(bench.cache.seen.size() == 3);
  REQUIRE(bench.cache.seen[2].cycle == 20);
  REQUIRE(bench.statistics().fetches == 3);
  REQUIRE(bench.statistics().redirects == 1);
  REQUIRE(bench.statistics().misses == 3);
  REQUIRE(bench.statistics().hits == 0);
}

TEST_CASE("fetch: group numbers determine the line and the end of the program") {
  Bench bench;
  bench.begin(0, 0);
  // 30 instructions are 8 groups: no group follows the last.
  REQUIRE(bench.ready(0, 7, 20) == 20 + latency);
  REQUIRE(bench.cache.seen.size() == 3);
  REQUIRE(bench.cache.seen[2].line == code_address + 128);
  REQUIRE(bench.statistics().redirects == 2);
}

TEST_CASE("fetch: the latency of a branch hides a fetch that hits") {
  Bench bench;
  bench.begin(0, 0);
  REQUIRE(bench.ready(0, 4, 10, 20) == 20);
  REQUIRE(bench.cache.seen[2].cycle == 20 - latency);
  // A shorter branch latency does not.
  REQUIRE(bench.ready(0, 2, 40, 41) == 40 + latency);
}

TEST_CASE("fetch: the port accepts one group a cycle, in the order of the warps' requests") {
  Bench bench;
  REQUIRE(bench.begin(0, 10) == 10 + latency);  // cycle 10, and 11 for the next group
  REQUIRE(bench.begin(1, 10) == 12 + latency);  // cycle 12, and 13 for the next group
  REQUIRE(bench.ready(0, 4, 12) == 14 + latency);
}

TEST_CASE("fetch: a new warp has an empty buffer") {
  Bench bench;
  bench.begin(0, 0);
  REQUIRE(bench.ready(0, 0, 50) == latency);
  REQUIRE(bench.begin(0, 50) == 50 + latency);
  REQUIRE(bench.statistics().redirects == 2);
}

TEST_CASE("fetch: the scheduler's cache keeps lines that it fetches from the SM's cache") {
  Bench bench(own_cache());
  // The line is requested in cycle 10 and arrives in the scheduler's cache in cycle 20. The next group is in this line.
  REQUIRE(bench.begin(0, 10) == 10 + cache_latency + latency);
  REQUIRE(bench.ready(0, 1, 12) == 10 + cache_latency + latency);
  REQUIRE(bench.begin(1, 30) == 30 + latency);
  REQUIRE(bench.cache.seen.size() == 1);
  REQUIRE(bench.statistics().misses == 1);
  REQUIRE(bench.statistics().hits == 4);
  bench.fetch.begin(instructions);  // a new program clears the cache
  REQUIRE(bench.begin(0, 50) == 50 + cache_latency + latency);
  REQUIRE(bench.cache.seen.size() == 2);
}

TEST_CASE("fetch: a stream buffer requests the lines after a miss, and a further one for each that is fetched") {
  auto parameters = own_cache();
  parameters.capacity = 2048;
  parameters.prefetch = 2;
  Bench bench(parameters);
  bench.fetch.begin(96);  // six lines of four groups
  const auto line = [&](std::size_t request) { return (bench.cache.seen.at(request).line - code_address) / 128; };
  REQUIRE(bench.begin(0, 10) == 10 + cache_latency + latency);
  REQUIRE(bench.cache.seen.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    REQUIRE(line(i) == i);
    REQUIRE(bench.cache.seen[i].cycle == 10 + i);
  }
  // The second line is here in cycle 21.
  REQUIRE(bench.ready(0, 4, 15) == 11 + cache_latency + latency);
  REQUIRE(bench.cache.seen.size() == 4);
  REQUIRE(line(3) == 3);
  REQUIRE(bench.cache.seen[3].cycle == 16);
  // A miss begins a new stream; no code follows its line.
  REQUIRE(bench.ready(0, 20, 40) == 40 + cache_latency + latency);
  REQUIRE(bench.cache.seen.size() == 5);
  // Earlier lines do not belong to it.
  REQUIRE(bench.ready(0, 8, 60) == 60 + latency);
  REQUIRE(bench.cache.seen.size() == 5);
  REQUIRE(bench.statistics().misses == 2);
}

TEST_CASE("fetch: a buffer that refills when empty gets instructions from the warp's pc on") {
  Bench bench(two_when_empty());
  REQUIRE(bench.begin(0, 10) == 10 + latency);
  REQUIRE(bench.cache.seen.size() == 1);  // no prefetch
  REQUIRE(ready_at(bench, 15, 20, 20) == 20 + latency);
  REQUIRE(bench.cache.seen[1].line == code_address);  // the line of the first instruction
  REQUIRE(ready_at(bench, 17, 25, 25) == 25 + latency);
  REQUIRE(bench.cache.seen[2].line == code_address + 128);
  // After a branch the fetch starts when the branch is resolved.
  REQUIRE(ready_at(bench, 3, 30, 31) == 31 + latency);
}

TEST_CASE("fetch: if the buffer ran empty before a jump, the instructions after the jump are fetched first, unused") {
  Bench bench(two_when_empty());
  REQUIRE(ready_at(bench, 3, 30, 31, 8) == 30 + latency + latency);
  REQUIRE(bench.cache.seen.size() == 2);
  REQUIRE(bench.cache.seen[0].cycle == 30);
  REQUIRE(bench.cache.seen[1].cycle == 30 + latency);
  REQUIRE(bench.statistics().fetches == 2);
  // There are no instructions to fetch after the end of the program.
  REQUIRE(ready_at(bench, 3, 50, 51, instructions) == 51 + latency);
}

TEST_CASE("fetch: warps that wait for a line are notified once its arrival time is known") {
  const bool own = GENERATE(false, true);
  Bench bench(own ? own_cache() : no_own_cache());
  const Cycle there = 60 + (own ? cache_latency : 0) + latency;
  bench.answered = false;
  REQUIRE(bench.begin(0, 10) == never);
  REQUIRE(bench.ready(1, 4, 10) == never);
  REQUIRE(bench.fill(code_address + 256, 50).empty());
  using Told = std::vector<std::pair<std::uint32_t, Cycle>>;
  REQUIRE(bench.fill(code_address, 60) == Told{{0, there}});
  REQUIRE(bench.ready(0, 1, 40) == there);  // prefetched, from the same line
  REQUIRE(bench.fill(code_address + 128, 70) == Told{{1, there + 10}});
  REQUIRE(bench.fill(code_address + 128, 80).empty());
}

}  // namespace reconverge
