// SPDX-License-Identifier: Apache-2.0
// Sockets that call their usual target directly: any other block at the socket gets the same messages by b_transport.

#include <random>

#include "models/execution/warp.hpp"
#include "models/sm/lanes.hpp"
#include "models/sm/operand_collector.hpp"
#include "tests/unit/sm/control_bench.hpp"

namespace reconverge {
namespace {

/// A block of a user in the place of the lanes: it forwards each instruction to the lanes, and counts them.
class Relay : public sc_core::sc_module, private ControlTarget<IssueRequest> {
 public:
  OptionalControlTargetSocket<IssueRequest> issue;
  ControlInitiatorSocket<Relay, IssueRequest> lanes;
  unsigned forwarded = 0;

  explicit Relay(sc_core::sc_module_name name) : sc_module(name), issue("issue"), lanes("lanes") { issue.bind(*this); }

 private:
  void b_transport(IssueRequest& request, sc_core::sc_time& delay) override {
    ++forwarded;
    lanes->b_transport(request, delay);
  }
};

/// An operand collector and lanes, with or without a relay between them.
struct Bench {
  explicit Bench(bool relayed)
      : collector("collector", OperandCollectorParameters{}, PipeTable(LanesParameters{}), {}),
        scheduler("scheduler"),
        results("results"),
        swaps("swaps"),
        load_store("load_store"),
        relay("relay"),
        lanes("lanes", LanesParameters{}, 1) {
    scheduler.socket.bind(collector.issue);
    results.socket.bind(collector.results);
    swaps.socket.bind(collector.banks);
    collector.load_store.bind(load_store.socket);
    relay.lanes.bind(lanes.issue);
    if (relayed) {
      collector.lanes.bind(relay.issue);
    } else {
      collector.lanes.bind(lanes.issue);
    }
    tests::elaborate();
    collector.begin();
  }

  const SimulationContext context;
  OperandCollector collector;
  tests::ControlSource<IssueRequest> scheduler;
  tests::ControlSource<ResultRequest> results;
  tests::ControlSource<BankRequest> swaps;
  tests::ControlStandIn<IssueRequest> load_store;
  Relay relay;
  Lanes lanes;
};

struct Issued {
  Refusal refusal;
  Cycle retry;
  Cycle operands;
  Cycle start;
  Cycle result;

  bool operator==(const Issued&) const = default;
};

std::vector<Issued> issue_at_random(Bench& bench) {
  std::mt19937 random(1);
  std::vector<Issued> issued;
  Warp warp;
  for (Cycle now = 0; now < 5000; ++now) {
    DecodedInstruction decoded;
    for (auto rows = random() % 4; rows != 0; --rows) decoded.rows.read.push(static_cast<unsigned>(random() % 40));
    if (random() % 4 != 0) decoded.rows.written.push(static_cast<unsigned>(random() % 40));
    decoded.kind = random() % 2 != 0 ? 1 : 0;
    warp.slot = static_cast<std::uint32_t>(random() % 16);
    IssueRequest request;
    request.warp = &warp;
    request.decoded = &decoded;
    request.lanes = all_lanes;
    request.now = now;
    const IssueRequest answer = bench.scheduler.send(request);
    issued.push_back({answer.refusal, answer.retry, answer.operands, answer.start, answer.result});
  }
  return issued;
}

}  // namespace

TEST_CASE("direct socket: another block at the socket of the lanes changes no cycle") {
  std::vector<Issued> direct;
  {
    Bench bench(false);
    direct = issue_at_random(bench);
    CHECK(bench.relay.forwarded == 0);
    CHECK(bench.lanes.statistics().instructions[LanesInstructions::alu] > 1000);
  }
  Bench bench(true);
  CHECK(issue_at_random(bench) == direct);
  CHECK(bench.relay.forwarded > 1000);
}

}  // namespace reconverge
