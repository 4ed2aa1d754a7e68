// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The load/store unit between an operand collector and stand-ins for the three L1 caches.

#include <algorithm>
#include <functional>

#include "models/execution/program_image.hpp"
#include "models/execution/warp.hpp"
#include "models/sm/load_store.hpp"
#include "tests/unit/memory/stand_in.hpp"
#include "tests/unit/sm/control_bench.hpp"

namespace reconverge::tests {

/// Replaces a scheme that moves rays: `serve` says where caches find an access to global memory.
class StacksStandIn : public sc_core::sc_module, private ControlTarget<StackRequest> {
 public:
  OptionalControlTargetSocket<StackRequest> accesses;
  std::function<void(StackRequest&)> serve = [](StackRequest& /*request*/) {};

  StacksStandIn(sc_core::sc_module_name name, LoadStore& unit) : sc_module(name), accesses("accesses") {
    accesses.bind(*this);
    unit.bind_ray_stacks(accesses);
  }

 private:
  void b_transport(StackRequest& request, sc_core::sc_time& /*delay*/) override { serve(request); }
};

struct LoadStoreBench {
  static constexpr Cycle shared_latency = 47;
  static constexpr Cycle constant_latency = 30;
  static constexpr Cycle cache_latency = 50;
  static constexpr kernel::Pc pc = 5;
  static constexpr std::uint32_t slot = 3;
  static constexpr LaneMask active = 0x0fffffff;  ///< of the path

  static LoadStoreParameters simple() {
    LoadStoreParameters parameters;
    parameters.units = 1;
    parameters.queue = 2;
    parameters.coalescing = LoadStoreCoalescing::sectors;
    parameters.shared_latency = shared_latency;
    parameters.shared_banks = 32;
    parameters.constant_latency = constant_latency;
    return parameters;
  }

  explicit LoadStoreBench(const LoadStoreParameters& parameters = simple(),
                          const LoadStore::LineBytes& lines = {128, 128, 64})
      : unit("unit", parameters, lines, Clock(1'000'000'000), 4),
        collector("collector"),
        writeback("writeback"),
        stacks("stacks", unit),
        results("results"),
        data("data", Clock(1'000'000'000).multiplied(parameters.steps)),
        texture("texture", Clock(1'000'000'000).multiplied(parameters.steps)),
        constant("constant", Clock(1'000'000'000).multiplied(parameters.steps)) {
    collector.socket.bind(unit.issue);
    unit.writeback.bind(writeback.socket);
    for (auto& socket : unit.results) socket->bind(results.socket);
    unit.caches[0].bind(data.requests);
    unit.caches[1].bind(texture.requests);
    unit.caches[2].bind(constant.requests);
    for (MemoryStandIn* cache : {&data, &texture, &constant}) cache->latency = cache_latency;
    warp.slot = slot;
    warp.path = {pc, active, kernel::no_pc};
    elaborate();
    access(kernel::Space::global, 4, [](unsigned lane) { return 4 * lane; });
  }

  /// What the next instructions access: `bytes` bytes a lane, at the address of each.
  void access(kernel::Space space, unsigned bytes, const std::function<DeviceAddress(unsigned)>& address) {
    MemoryAccess& all = warp.context.access;
    all.space = space;
    all.bytes = bytes;
    for (unsigned lane = 0; lane < warp_size; ++lane) all.address[lane] = address(lane);
  }
  /// Lines of 128 bytes, one for each of the first `lines` lanes; the other lanes share the last.
  void lines(unsigned lines, kernel::Space space = kernel::Space::global) {
    access(space, 4, [lines](unsigned lane) { return std::min(lane, lines - 1) * DeviceAddress{128}; });
  }

  /// The instruction as an operand collector sends it, with its operands available at once.
  IssueRequest request(Cycle now) {
    warp.context.access.write = operation_class != kernel::OperationClass::load;
    decoded.instruction = &instruction;
    decoded.operation_class = operation_class;
    decoded.memory = true;
    // The addresses are already available.
    decoded.operation = [](const kernel::Instruction& /*instruction*/, ExecutionContext& executing, LaneMask lanes) {
      executing.access.lanes = lanes;
    };
    IssueRequest one;
    one.warp = &warp;
    one.decoded = &decoded;
    one.lanes = all_lanes;
    one.now = now;
    one.operands = now;
    return one;
  }
  IssueRequest issue(Cycle now) { return collector.send(request(now)); }
  const LoadStoreStatistics& statistics() const { return unit.statistics(); }

  const SimulationContext context;
  LoadStore unit;
  ControlSource<IssueRequest> collector;
  ControlStandIn<WritebackRequest> writeback;
  StacksStandIn stacks;
  ControlStandIn<ResultRequest> results;  ///< of lines
  MemoryStandIn data;                     ///< counts steps, as the other caches
  MemoryStandIn texture;
  MemoryStandIn constant;
  Warp warp;
  kernel::Instruction instruction;  ///< the test changes its opcode, variant and offset
  kernel::OperationClass operation_class = kernel::OperationClass::load;
  DecodedInstruction decoded;
};

}  // namespace reconverge::tests
