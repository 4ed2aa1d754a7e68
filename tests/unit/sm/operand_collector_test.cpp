// SPDX-License-Identifier: Apache-2.0
// The operand collector through its sockets, between stand-ins for a scheduler, the lanes and the load/store unit.

#include "models/sm/operand_collector.hpp"

#include <initializer_list>

#include "models/execution/warp.hpp"
#include "tests/unit/sm/control_bench.hpp"

namespace reconverge {
namespace {

constexpr Cycle latency = 10;  // of the lanes

/// Row r of slot s is in bank (r + s) modulo 4.
OperandCollectorParameters four_banks() {
  OperandCollectorParameters parameters;
  parameters.units = 2;
  parameters.banks = 4;
  parameters.result_bus = 1;
  return parameters;
}

DecodedInstruction instruction(std::initializer_list<unsigned> read, std::initializer_list<unsigned> written,
                               bool memory = false) {
  DecodedInstruction decoded;
  for (const unsigned row : read) decoded.rows.read.push(row);
  for (const unsigned row : written) decoded.rows.written.push(row);
  decoded.memory = memory;
  return decoded;
}

struct Bench {
  explicit Bench(const OperandCollectorParameters& parameters = four_banks(), const LanesParameters& pipes = {},
                 OperandCollector::Neighbours neighbours = {})
      : collector("collector", parameters, PipeTable(pipes), neighbours),
        scheduler("scheduler"),
        results("results"),
        swaps("swaps"),
        lanes("lanes"),
        load_store("load_store") {
    scheduler.socket.bind(collector.issue);
    results.socket.bind(collector.results);
    swaps.socket.bind(collector.banks);
    collector.lanes.bind(lanes.socket);
    collector.load_store.bind(load_store.socket);
    lanes.serve = [this](IssueRequest& request) {
      request.start = request.operands + pipe_wait;
      request.result = request.start + latency;
    };
    load_store.serve = [this](IssueRequest& request) {
      request.refusal = load_store_full ? Refusal::pipe : Refusal::none;
      request.retry = load_store_full ? request.now + 7 : 0;
      request.start = request.operands;
      request.result = never;
    };
    tests::elaborate();
    collector.begin();
  }

  /// The answer for an instruction that a warp slot issues in `now`.
  IssueRequest issue(const DecodedInstruction& decoded, Cycle now, std::uint32_t slot = 0) {
    warp.slot = slot;
    IssueRequest request;
    request.warp = &warp;
    request.decoded = &decoded;
    request.lanes = all_lanes;
    request.now = now;
    return scheduler.send(request);
  }
  /// The cycle in which a result is written whose time was unknown at issue and that arrives in `result`.
  Cycle write(const DecodedInstruction& decoded, Cycle now, Cycle result, std::uint32_t slot = 0) {
    return results.send({slot, &decoded, now, result}).result;
  }
  /// Whether a line of a texture fetch is written in this step.
  bool write_line(const DecodedInstruction& decoded, Cycle now, Cycle cycle, unsigned step = 0) {
    ResultRequest request{0, &decoded, now, cycle, true};
    request.step = step;
    return results.send(request).written;
  }
  bool granted(std::uint32_t slot, std::uint16_t row, Cycle now) { return swaps.send({slot, row, now}).granted; }
  const OperandCollectorStatistics& statistics() const { return collector.statistics(); }

  const SimulationContext context;
  OperandCollector collector;
  tests::ControlSource<IssueRequest> scheduler;
  tests::ControlSource<ResultRequest> results;
  tests::ControlSource<BankRequest> swaps;
  tests::ControlStandIn<IssueRequest> lanes;
  tests::ControlStandIn<IssueRequest> load_store;
  Warp warp;
  Cycle pipe_wait = 0;
  bool load_store_full = false;
};

}  // namespace

TEST_CASE("operand collector: a bank reads one row a cycle") {
  Bench bench;
  SECTION("rows in different banks are read in the same cycle") {
    const auto request = bench.issue(instruction({0, 1, 2, 3}, {}), 5);
    REQUIRE(request.operands == 5);
    REQUIRE(request.collected);
    REQUIRE(bench.lanes.seen.size() == 1);
    REQUIRE(bench.lanes.seen[0].operands == 5);
    REQUIRE(bench.load_store.seen.empty());
  }
  SECTION("rows of one bank one after the other") {
    REQUIRE(bench.issue(instruction({0, 4, 8}, {}), 5).operands == 7);
    REQUIRE(bench.statistics().read_wait_cycles == 2);
    REQUIRE(bench.statistics().reads == 3);
  }
  SECTION("older instructions read first; rows of adjacent slots are in adjacent banks") {
    REQUIRE(bench.issue(instruction({0}, {}), 5).operands == 5);
    REQUIRE(bench.issue(instruction({0}, {}), 5).operands == 6);
    bench.collector.begin();  // frees all units and banks
    REQUIRE(bench.issue(instruction({0}, {}), 5).operands == 5);
    REQUIRE(bench.issue(instruction({0}, {}), 5, 1).operands == 5);
    bench.collector.begin();
    REQUIRE(bench.issue(instruction({0}, {}), 5).operands == 5);
    REQUIRE(bench.issue(instruction({3}, {}), 5, 1).operands == 6);
  }
}

TEST_CASE("operand collector: an instruction occupies a unit from its issue until its pipe accepts it") {
  Bench bench;
  bench.pipe_wait = 4;
  REQUIRE(bench.issue(instruction({0}, {}), 10).start == 14);
  REQUIRE(bench.issue(instruction({1}, {}), 11).start == 15);
  for (const Cycle now : {11U, 14U}) {
    const auto refused = bench.issue(instruction({2}, {}), now);
    REQUIRE(refused.refusal == Refusal::collector);
    REQUIRE(refused.retry == 15);
  }
  REQUIRE(bench.lanes.seen.size() == 2);
  REQUIRE(bench.issue(instruction({2}, {}), 15).refusal == Refusal::none);
  REQUIRE(bench.issue(instruction({2}, {}), 15).retry == 16);
  REQUIRE(bench.statistics().reads == 3);
  REQUIRE(bench.statistics().pipe_wait_cycles == 3 * 4);
}

TEST_CASE("operand collector: results are written in the cycle before they can be read") {
  auto parameters = four_banks();
  parameters.units = 8;
  SECTION("as many results a cycle as result buses") {
    parameters.result_bus = 2;
    Bench bench(parameters);
    for (unsigned row = 0; row < 3; ++row) {
      REQUIRE(bench.issue(instruction({}, {row}), 0).result == latency + (row < 2 ? 0 : 1));
    }
    REQUIRE(bench.statistics().write_wait_cycles == 1);
    REQUIRE(bench.statistics().writes == 3);
  }
  SECTION("rows of one bank one after the other") {
    Bench bench(parameters);
    REQUIRE(bench.issue(instruction({}, {0, 4}), 0).result == latency + 1);
  }
  SECTION("an instruction without a result uses no bus") {
    Bench bench(parameters);
    REQUIRE(bench.issue(instruction({0}, {}), 0).result == latency);
    REQUIRE(bench.issue(instruction({}, {0}), 0).result == latency);
  }
  SECTION("a bank that writes is busy for reads") {
    Bench bench(parameters);
    bench.issue(instruction({}, {0}), 0);  // written in cycle 9
    REQUIRE(bench.issue(instruction({4}, {}), latency - 1).operands == latency);
  }
}

TEST_CASE("operand collector: a refusal by the load/store unit occupies no collector unit") {
  Bench bench;
  const auto load = instruction({0}, {1}, true);
  bench.load_store_full = true;
  const auto refused = bench.issue(load, 10);
  REQUIRE(refused.refusal == Refusal::pipe);
  REQUIRE(refused.retry == 17);
  REQUIRE(bench.load_store.seen.size() == 1);
  REQUIRE(bench.load_store.seen[0].only_ask);
  REQUIRE(bench.statistics().reads == 0);
  bench.load_store_full = false;
  const auto taken = bench.issue(load, 10);
  REQUIRE(taken.operands == 10);  // the refused instruction used no unit or bank
  REQUIRE(taken.result == never);
  REQUIRE(bench.load_store.seen.size() == 3);
  REQUIRE_FALSE(bench.load_store.seen[2].only_ask);
  REQUIRE(bench.lanes.seen.empty());
}

TEST_CASE("operand collector: late results use result bus and banks like others") {
  Bench bench;
  const auto load = instruction({0}, {1}, true);
  REQUIRE(bench.write(load, 50, 60) == 60);
  REQUIRE(bench.write(load, 50, 60, 1) == 61);                                // waits for the bus
  REQUIRE(bench.issue(instruction({}, {2}), 50).result == 50 + 2 + latency);  // the bus is in use in 59 and 60
  REQUIRE(bench.statistics().write_wait_cycles == 1 + 2);
}

TEST_CASE("operand collector: a swap uses a bank in the requested cycle or not at all") {
  Bench bench;
  REQUIRE(bench.granted(0, 0, 20));
  REQUIRE_FALSE(bench.granted(0, 0, 20));
  REQUIRE_FALSE(bench.granted(1, 3, 20));
  REQUIRE(bench.granted(1, 0, 20));
  REQUIRE(bench.issue(instruction({0}, {}), 20).operands == 21);
  REQUIRE_FALSE(bench.granted(0, 4, 21));
  REQUIRE(bench.granted(0, 4, 22));
}

TEST_CASE("operand collector: with latches, unit, each read, latch and pipe take a cycle each") {
  auto parameters = four_banks();
  parameters.units = 2;
  parameters.latches = 2;
  parameters.unit_reads = 1;
  parameters.result_bus = 4;
  Bench bench(parameters);
  SECTION("issue, unit, one row a cycle, latch, pipe") {
    REQUIRE(bench.issue(instruction({}, {}), 10).start == 13);
    REQUIRE(bench.issue(instruction({0}, {}), 20).start == 24);
    REQUIRE(bench.issue(instruction({0, 1}, {}), 30).start == 35);
    const auto three = bench.issue(instruction({0, 1, 2}, {3}), 40);
    REQUIRE(three.operands == 46);
    REQUIRE(three.start == 46);
    REQUIRE(three.result == 46 + latency);
    REQUIRE(bench.statistics().read_wait_cycles == 0);
    REQUIRE(bench.statistics().pipe_wait_cycles == 0);
  }
  SECTION("a unit accepts an instruction of three rows every four cycles, so two units one every two cycles") {
    const auto decoded = instruction({0, 1, 2}, {});
    Cycle now = 0;
    std::vector<Cycle> starts;
    for (unsigned i = 0; i < 8; ++i) {
      IssueRequest request = bench.issue(decoded, now, i % 4);
      while (request.refusal != Refusal::none) {
        REQUIRE(request.refusal == Refusal::collector);
        REQUIRE(request.retry > now);
        now = request.retry;
        request = bench.issue(decoded, now, i % 4);
      }
      starts.push_back(request.start);
    }
    for (unsigned i = 2; i < 8; ++i) REQUIRE(starts[i] == starts[i - 2] + 4);
  }
  SECTION("a latch is free when a unit has accepted its instruction") {
    const auto decoded = instruction({0, 1, 2}, {});
    for (unsigned slot = 0; slot < 2; ++slot) REQUIRE(bench.issue(decoded, 0, slot).refusal == Refusal::none);
    REQUIRE(bench.issue(decoded, 0, 2).retry == 1);
    for (unsigned slot = 2; slot < 4; ++slot) REQUIRE(bench.issue(decoded, 1, slot).refusal == Refusal::none);
    REQUIRE(bench.issue(decoded, 1, 2).retry == 5);  // the units accept instructions in cycles 1 and 5
  }
  SECTION("instructions that wait for the pipe occupy the latch after the units, and then a unit") {
    bench.pipe_wait = 20;
    for (unsigned i = 0; i < 2; ++i) REQUIRE(bench.issue(instruction({}, {}), 0).start == 23);
    REQUIRE(bench.issue(instruction({}, {}), 2).start == 44);  // it leaves its unit in 23
    REQUIRE(bench.statistics().pipe_wait_cycles == 20 + 20 + 19 + 20);
  }
}

TEST_CASE("operand collector: with latches, an instruction moves once per step and starts with a cycle") {
  auto parameters = four_banks();
  parameters.units = 2;
  parameters.latches = 2;
  parameters.unit_reads = 1;
  parameters.result_bus = 4;
  parameters.steps = 2;
  Bench bench(parameters);
  SECTION("unit in the first step of the next cycle, a row per step, latch, and the pipe in the cycle after that") {
    REQUIRE(bench.issue(instruction({}, {}), 10).start == 12);         // steps 22, 23: cycle 11
    REQUIRE(bench.issue(instruction({0}, {}), 20).start == 23);        // 42, 43, 44: cycle 22
    REQUIRE(bench.issue(instruction({0, 1}, {}), 30).start == 33);     // 62, 63, 64, 65: cycle 32
    REQUIRE(bench.issue(instruction({0, 1, 2}, {}), 40).start == 44);  // 82, 83 to 85, 86: cycle 43
    REQUIRE(bench.statistics().read_wait_cycles == 0);
    REQUIRE(bench.statistics().pipe_wait_cycles == 0);
  }
  SECTION("a unit of three rows takes an instruction in four steps, so two take one per cycle") {
    const auto decoded = instruction({0, 1, 2}, {});
    Cycle now = 0;
    std::vector<Cycle> starts;
    for (unsigned i = 0; i < 8; ++i) {
      IssueRequest request = bench.issue(decoded, now, i % 4);
      while (request.refusal != Refusal::none) {
        REQUIRE(request.retry > now);
        now = request.retry;
        request = bench.issue(decoded, now, i % 4);
      }
      starts.push_back(request.start);
    }
    for (unsigned i = 2; i < 8; ++i) REQUIRE(starts[i] == starts[i - 2] + 2);
  }
}

TEST_CASE("operand collector: a bank serves a row per step, and results come in the first step") {
  auto parameters = four_banks();
  parameters.units = 8;
  parameters.steps = 2;
  Bench bench(parameters);
  SECTION("reads") {
    REQUIRE(bench.issue(instruction({0, 4}, {}), 5).operands == 5);
    REQUIRE(bench.issue(instruction({8}, {}), 5).operands == 6);
    REQUIRE(bench.issue(instruction({0, 4, 8}, {}), 10).operands == 11);
  }
  SECTION("writes") {
    REQUIRE(bench.issue(instruction({}, {0, 4}), 0).result == latency);  // one instruction per cycle on the bus
    REQUIRE(bench.issue(instruction({}, {0}), 0).result == latency + 1);
  }
  SECTION("a read in the cycle of a write takes the second step") {
    bench.issue(instruction({}, {0}), 0);  // written in cycle 9
    REQUIRE(bench.issue(instruction({4}, {}), latency - 1).operands == latency - 1);
    REQUIRE(bench.issue(instruction({4}, {}), latency - 1).operands == latency);
  }
  SECTION("swaps") {
    REQUIRE(bench.granted(0, 0, 20));
    REQUIRE(bench.granted(0, 0, 20));
    REQUIRE_FALSE(bench.granted(0, 0, 20));
  }
}

TEST_CASE("operand collector: a line of a texture fetch needs the banks of all its rows in one step") {
  auto parameters = four_banks();
  parameters.units = 8;
  parameters.result_bus = 4;
  const auto fetch = instruction({}, {0, 1, 2, 3}, true);
  SECTION("another result is written to one of them") {
    Bench bench(parameters, {}, {.lines = true});
    REQUIRE(bench.issue(instruction({}, {2}), 0).result == latency);
    REQUIRE_FALSE(bench.write_line(fetch, 0, latency - 1));
    REQUIRE(bench.write_line(fetch, 0, latency));
    REQUIRE_FALSE(bench.write_line(fetch, 0, latency));  // one line
    REQUIRE(bench.statistics().write_wait_cycles == 2);
    // The first line took the banks of rows 0 and 1 before it failed, the second all four.
    REQUIRE(bench.issue(instruction({0}, {}), latency - 1).operands == latency + 1);
    REQUIRE(bench.issue(instruction({3}, {}), latency - 1).operands == latency - 1);
  }
  SECTION("reads give way: the line takes the next step of the bank from them") {
    Bench bench(parameters, {}, {.lines = true});
    REQUIRE(bench.issue(instruction({0}, {}), 5).operands == 5);
    REQUIRE(bench.write_line(fetch, 5, 5));
    REQUIRE(bench.issue(instruction({0}, {}), 5).operands == 7);
    REQUIRE(bench.issue(instruction({1}, {}), 5).operands == 6);
  }
  SECTION("reads give way to results of pipes, too") {
    Bench bench(parameters, {}, {.lines = true});
    REQUIRE(bench.issue(instruction({0}, {}), 0).operands == 0);
    REQUIRE(bench.issue(instruction({}, {4}), 0).result == latency);  // in cycle 9
    REQUIRE(bench.issue(instruction({0}, {}), latency - 1).operands == latency);
    REQUIRE(bench.issue(instruction({8}, {4}), latency + 1).result == 2 * latency + 1);
    REQUIRE(bench.write_line(fetch, 20, 2 * latency + 5));
    REQUIRE(bench.issue(instruction({}, {4}), latency + 6).result == 2 * latency + 6);  // in the cycle of the line
  }
  SECTION("with two steps, the second is free of other results") {
    parameters.steps = 2;
    Bench bench(parameters, {}, {.lines = true});
    REQUIRE(bench.issue(instruction({}, {2}), 0).result == latency);
    REQUIRE_FALSE(bench.write_line(fetch, 0, latency - 1, 0));
    REQUIRE(bench.write_line(fetch, 0, latency - 1, 1));
  }
  SECTION("rows that share a bank are no obstacle") {
    Bench bench(parameters, {}, {.lines = true});
    REQUIRE(bench.write_line(instruction({}, {0, 4}, true), 0, 5));
    REQUIRE(bench.issue(instruction({0}, {}), 5).operands == 7);
  }
  SECTION("without units, there are no banks") {
    parameters.units = 0;
    Bench bench(parameters, {}, {.lines = true});
    for (unsigned i = 0; i < 2; ++i) REQUIRE(bench.write_line(fetch, 0, 5));
  }
}

TEST_CASE("operand collector: special and memory instructions may have separate units") {
  auto parameters = four_banks();
  parameters.units = 1;
  parameters.special_units = 1;
  parameters.memory_units = 1;
  LanesParameters pipes;
  pipes.grouping = LanesGrouping::opcodes;
  Bench bench(parameters, pipes);
  bench.pipe_wait = 10;
  const auto of = [](kernel::Opcode opcode) {
    kernel::Instruction one;
    one.opcode = opcode;
    one.type = kernel::DataType::f32;
    return one;
  };
  const kernel::Instruction add = of(kernel::Opcode::add);
  const kernel::Instruction root = of(kernel::Opcode::sqrt);
  const kernel::Instruction product = of(kernel::Opcode::mul);
  const auto decoded = [](const kernel::Instruction& one) {
    auto result = instruction({0}, {});
    result.instruction = &one;
    return result;
  };
  REQUIRE_FALSE(bench.issue(decoded(add), 0).special);
  REQUIRE(bench.issue(decoded(add), 1).refusal == Refusal::collector);
  // A floating-point multiplication uses any free unit.
  const auto either = bench.issue(decoded(product), 1);
  REQUIRE(either.refusal == Refusal::none);
  REQUIRE(either.special);
  REQUIRE(bench.issue(decoded(root), 2).refusal == Refusal::collector);
  REQUIRE(bench.issue(decoded(product), 2).retry == 11);  // when a unit of either kind is free
  REQUIRE(bench.issue(instruction({0}, {1}, true), 2).refusal == Refusal::none);
  REQUIRE(bench.issue(decoded(root), 12).refusal == Refusal::none);
}

TEST_CASE("operand collector: without units operands are always ready") {
  auto parameters = four_banks();
  parameters.units = 0;
  Bench bench(parameters);
  for (unsigned i = 0; i < 3; ++i) {
    const auto request = bench.issue(instruction({0, 4}, {0}), 5);
    REQUIRE(request.operands == 5);
    REQUIRE_FALSE(request.collected);
    REQUIRE(request.result == 5 + latency);
  }
  const auto load = instruction({0}, {1}, true);
  bench.issue(load, 5);
  REQUIRE(bench.load_store.seen.size() == 1);
  REQUIRE_FALSE(bench.load_store.seen[0].only_ask);
  REQUIRE(bench.write(load, 50, 60) == 60);
  REQUIRE(bench.write(load, 50, 60) == 60);
  REQUIRE(bench.statistics().reads == 3 * 2 + 1);
  REQUIRE(bench.statistics().writes == 3 + 1);
  bench.load_store_full = true;
  REQUIRE(bench.issue(load, 6).refusal == Refusal::pipe);
  REQUIRE(bench.statistics().reads == 3 * 2 + 1);
}

}  // namespace reconverge
