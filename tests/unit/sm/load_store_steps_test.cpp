// SPDX-License-Identifier: Apache-2.0
// The load/store unit and the operand collector with several steps per cycle, and lines of texture fetches that are
// written one by one.

#include <vector>

#include "tests/unit/sm/load_store_bench.hpp"

namespace reconverge {

using kernel::Space;
using tests::LoadStoreBench;

namespace {

constexpr Cycle latency = LoadStoreBench::cache_latency;

LoadStoreParameters with_steps(std::uint64_t steps) {
  auto parameters = LoadStoreBench::simple();
  parameters.steps = steps;
  return parameters;
}

Cycle cycles(Cycle steps, Cycle per_cycle) { return (steps + per_cycle - 1) / per_cycle; }

}  // namespace

TEST_CASE("load/store: each step sends a line, and latencies count steps") {
  const std::uint64_t steps = GENERATE(1U, 2U, 4U);
  LoadStoreBench bench(with_steps(steps));
  bench.instruction.opcode = kernel::Opcode::tex;
  bench.lines(7);
  REQUIRE(bench.issue(10).result == 10 + cycles(6 + latency, steps));
  REQUIRE(bench.texture.seen().size() == 7);
  for (Cycle i = 0; i < 7; ++i) REQUIRE(bench.texture.seen()[i].arrival == 10 * steps + i);
  // The next instruction follows in the cycle after the last line.
  const Cycle next = 10 + cycles(7, steps);
  REQUIRE(bench.issue(next - 1).result == never);
  REQUIRE(bench.unit.next_event() == next);
}

TEST_CASE("load/store: with several steps, instructions still start one per cycle") {
  LoadStoreBench bench(with_steps(2));
  bench.instruction.opcode = kernel::Opcode::tex;
  bench.lines(1);
  REQUIRE(bench.issue(10).result == 10 + latency / 2);
  REQUIRE(bench.issue(10).result == never);
  REQUIRE(bench.unit.next_event() == 11);
  bench.unit.tick(11);
  REQUIRE(bench.texture.seen()[0].arrival == 20);
  REQUIRE(bench.texture.seen()[1].arrival == 22);
}

TEST_CASE("load/store: each part of a warp makes its own requests, but not for textures") {
  struct Row {
    std::uint64_t steps;
    unsigned stride;  // of lanes, in bytes
    std::size_t requests;
  };
  // Lines of 128 bytes: 32 lanes, or parts of 16 or 8.
  const Row row = GENERATE(values<Row>({
      {1, 0, 1},
      {2, 0, 2},
      {4, 0, 4},
      {1, 4, 1},
      {2, 4, 2},
      {4, 4, 4},
      {1, 8, 2},
      {2, 8, 2},
      {4, 8, 4},
      {2, 12, 4},  // each half touches two lines, and both the second
      {1, 128, 32},
      {2, 128, 32},
  }));
  LoadStoreBench bench(with_steps(row.steps));
  SECTION("global memory") {
    bench.access(Space::global, 4, [&](unsigned lane) { return DeviceAddress{lane} * row.stride; });
    bench.issue(10);
    REQUIRE(bench.data.seen().size() == row.requests);
  }
  SECTION("textures") {
    bench.instruction.opcode = kernel::Opcode::tex;
    bench.access(Space::global, 4, [&](unsigned lane) { return DeviceAddress{lane} * row.stride; });
    bench.issue(10);
    REQUIRE(bench.texture.seen().size() == std::max(1U, row.stride / 4));
  }
}

TEST_CASE("load/store: shared memory serves a part of the warp per step") {
  struct Row {
    std::uint64_t steps;
    unsigned stride;  // of lanes, in bytes
    Cycle passes;     // distinct words that one of 32 banks serves, summed over the parts
  };
  const Row row = GENERATE(values<Row>({
      {1, 4, 1},
      {2, 4, 2},
      {4, 4, 4},
      {1, 8, 2},
      {2, 8, 2},  // the banks of a half do not conflict
      {2, 16, 4},
      {1, 128, 32},
      {2, 128, 32},
  }));
  auto parameters = with_steps(row.steps);
  parameters.shared_latency = 5;
  LoadStoreBench bench(parameters);
  bench.access(Space::shared, 4, [&](unsigned lane) { return DeviceAddress{lane} * row.stride; });
  // GPGPU-Sim 3.2.1 with one step and no conflict: five cycles; with two steps, passes 1 and 2 and four more steps.
  REQUIRE(bench.issue(10).result == 10 + cycles(row.passes - 1 + 5, row.steps));
  REQUIRE(bench.statistics().shared_conflict_cycles == cycles(row.passes, row.steps) - 1);
  const Cycle next = 10 + cycles(row.passes, row.steps);
  REQUIRE(bench.issue(next).result == next + cycles(row.passes - 1 + 5, row.steps));
}

TEST_CASE("load/store: a line that a cache stalls in the middle of a cycle continues with the next step") {
  LoadStoreBench bench(with_steps(2));
  bench.instruction.opcode = kernel::Opcode::tex;
  bench.lines(3);
  bench.texture.answer = tests::MemoryStandIn::Answer::hold;
  REQUIRE(bench.issue(10).result == never);
  REQUIRE(bench.texture.only().arrival == 20);
  bench.texture.answer = tests::MemoryStandIn::Answer::at_once;
  bench.texture.take(0, 25);
  REQUIRE(bench.texture.seen().size() == 3);
  REQUIRE(bench.texture.seen()[1].arrival == 26);
  REQUIRE(bench.texture.seen()[2].arrival == 27);
  REQUIRE(bench.statistics().blocked_cycles == 2);
  REQUIRE(bench.unit.next_event() == never);
  bench.texture.respond(0, 99);  // after the other two
  REQUIRE(bench.writeback.seen.size() == 1);
  REQUIRE(bench.writeback.seen[0].result == 50);
}

TEST_CASE("load/store: each line of a texture fetch writes the result, one per step") {
  const std::uint64_t steps = GENERATE(1U, 2U);
  auto parameters = with_steps(steps);
  parameters.texture_writeback = LoadStoreTextureWriteback::line;
  LoadStoreBench bench(parameters);
  bench.instruction.opcode = kernel::Opcode::tex;
  bench.lines(3);
  // Lines are answered in steps `first`, first + 1 and first + 2, and written a step before they can be read.
  const Cycle first = 10 * steps + latency;
  std::vector<Cycle> busy;
  bench.results.serve = [&](ResultRequest& request) {
    request.written = std::ranges::find(busy, request.result * steps + request.step + 1) == busy.end();
  };
  const auto steps_tried = [&] {
    std::vector<Cycle> tried;
    for (const ResultRequest& request : bench.results.seen) {
      REQUIRE(request.line);
      REQUIRE(request.slot == LoadStoreBench::slot);
      REQUIRE(request.decoded == &bench.decoded);
      REQUIRE(request.step < steps);
      tried.push_back(request.result * steps + request.step + 1 - first);
    }
    return tried;
  };
  const auto result_after = [&](Cycle later) { return cycles(first + later, steps); };
  SECTION("banks are idle") {
    const auto fetch = bench.issue(10);
    REQUIRE(fetch.written);
    REQUIRE(fetch.result == result_after(2));
    REQUIRE(steps_tried() == std::vector<Cycle>{0, 1, 2});
  }
  SECTION("a line tries again in the next step, and later lines wait") {
    busy = {first, first + 1, first + 4};
    REQUIRE(bench.issue(10).result == result_after(5));
    REQUIRE(steps_tried() == std::vector<Cycle>{0, 1, 2, 3, 4, 5});
  }
  SECTION("lines that are answered later") {
    bench.texture.answer = tests::MemoryStandIn::Answer::later;
    REQUIRE(bench.issue(10).result == never);
    busy = {first + 7};
    for (unsigned i = 0; i < 3; ++i) bench.texture.respond(i, first + 7);
    REQUIRE(steps_tried() == std::vector<Cycle>{7, 8, 9, 10});
    REQUIRE(bench.writeback.seen.size() == 1);
    REQUIRE(bench.writeback.seen[0].result == result_after(10));
    REQUIRE(bench.writeback.seen[0].written);
  }
  SECTION("other loads are written once, by the collector") {
    bench.instruction.opcode = kernel::Opcode::ld;
    REQUIRE_FALSE(bench.issue(10).written);
    REQUIRE(bench.results.seen.empty());
  }
}

}  // namespace reconverge
