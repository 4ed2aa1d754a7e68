// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A divergence scheme with stand-ins for all blocks that it communicates with: a scheduler that reports events, an SM.

#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "models/execution/launch.hpp"
#include "models/protocols/scheme.hpp"
#include "tests/unit/sm/control_bench.hpp"
#include "tests/unit/sm/test_warp.hpp"

namespace reconverge::tests {

template <typename TestedScheme>
struct SchemeBench {
  static constexpr std::size_t schedulers = 1;

  /// A kernel of these instructions, in blocks of two warps. `parameters`: arguments of the scheme's constructor
  /// between its name and the number of schedulers.
  template <typename... Parameters>
  explicit SchemeBench(std::string_view body, const Parameters&... parameters)
      : program(kernel_of(body)),
        image(program, memory),
        launch(make_launch(program, {1}, {2 * warp_size}, {})),
        scheme("scheme", parameters..., schedulers),
        scheduler("scheduler"),
        starts("starts"),
        resumed("resumed"),
        retries("retries"),
        ticks("ticks"),
        moves("moves"),
        rows("rows"),
        exchanges("exchanges"),
        dependencies("dependencies"),
        writebacks("writebacks"),
        bank("bank") {
    scheduler.socket.bind(scheme.events);
    starts.socket.bind(scheme.starts);
    scheme.resumed.bind(resumed.socket);
    scheme.retries.bind(retries.socket);
    scheme.ticks.bind(ticks.socket);
    scheme.moves.bind(moves.socket);
    scheme.register_rows.bind(rows.socket);
    scheme.exchanges.bind(exchanges.socket);
    scheme.dependencies.bind(dependencies.socket);
    scheme.writeback.bind(writebacks.socket);
    scheme.banks.front()->bind(bank.socket);
    resumed.serve = [this](ResumeRequest& request) { paths[request.slot] = request.path; };
    moves.serve = [this](MoveRequest& request) {
      moved.push_back({{request.slots.begin(), request.slots.end()}, {request.lanes.begin(), request.lanes.end()}});
    };
    dependencies.serve = [](ReadinessRequest& request) { request.ready.fill(0); };
    elaborate();
    scheme.begin({launch, image, 2});
  }

  /// `lanes` of warp `warp` of the block start in a slot, which may already have other lanes.
  SchemeRequest start(std::uint32_t slot, LaneMask lanes = all_lanes, std::uint32_t warp = 0, Cycle now = 0) {
    SchemeRequest request;
    request.event = SchemeEvent::start;
    request.slot = slot;
    request.lanes = lanes;
    request.live = live[slot];
    request.position = {0, warp};
    request.now = now;
    live[slot] |= lanes;
    return answer_of(request);
  }

  /// Sends an event of lanes of the slot's path, at the path's instruction. `result`: the cycle of its result.
  SchemeRequest tell(SchemeEvent event, std::uint32_t slot, LaneMask lanes, Cycle now = 0, Cycle result = 0) {
    SchemeRequest request;
    request.event = event;
    request.slot = slot;
    request.lanes = lanes;
    request.path = paths[slot];
    request.pc = request.path.pc;
    request.instruction = &image.instruction(request.pc);
    request.targets.common = request.instruction->target;
    request.live = live[slot];
    request.now = now;
    request.result = result;
    return answer_of(request);
  }
  /// Sets the pc of the slot's path.
  void at(std::uint32_t slot, kernel::Pc pc) { paths[slot].pc = pc; }

  /// Applies the scheme's answer to the path, as the scheduler does.
  SchemeRequest answer_of(const SchemeRequest& request) {
    const SchemeRequest answered = scheduler.send(request);
    if (answered.answer != SchemeAnswer::keep) paths[request.slot] = answered.path;
    return answered;
  }

  struct Moved {
    std::vector<std::uint32_t> slots;
    std::vector<LaneMask> lanes;
  };

  const SimulationContext context;
  const kernel::Program program;
  DeviceMemory memory;
  ProgramImage image;
  Launch launch;
  TestedScheme scheme;
  ControlSource<SchemeRequest> scheduler;
  ControlSource<StartRequest> starts;
  ControlStandIn<ResumeRequest> resumed;
  ControlStandIn<RetryRequest> retries;
  ControlStandIn<TickRequest> ticks;
  ControlStandIn<MoveRequest> moves;
  ControlStandIn<RowRequest> rows;
  ControlStandIn<ExchangeRequest> exchanges;
  ControlStandIn<ReadinessRequest> dependencies;
  ControlStandIn<WritebackRequest> writebacks;
  ControlStandIn<BankRequest> bank;
  std::map<std::uint32_t, Path> paths;     ///< by slot, as the scheme reports them
  std::map<std::uint32_t, LaneMask> live;  ///< by slot; the test may change them
  std::vector<Moved> moved;                ///< all moves
};

}  // namespace reconverge::tests
