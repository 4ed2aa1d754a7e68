// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The lanes of an SM, with a source of instructions.

#include "models/execution/program_image.hpp"
#include "models/execution/warp.hpp"
#include "models/sm/lanes.hpp"
#include "tests/unit/sm/control_bench.hpp"

namespace reconverge::tests {

/// One unit of each kind; all latencies are different.
inline LanesParameters one_of_each() {
  LanesParameters parameters;
  parameters.alu_units = 1;
  parameters.alu_interval = 2;
  parameters.alu_latency = 11;
  parameters.integer_units = 0;
  parameters.integer_interval = 5;
  parameters.integer_latency = 12;
  parameters.multiply_units = 1;
  parameters.multiply_interval = 3;
  parameters.multiply_latency = 13;
  parameters.special_units = 1;
  parameters.special_interval = 8;
  parameters.special_latency = 20;
  parameters.fp64_units = 1;
  parameters.fp64_interval = 16;
  parameters.fp64_latency = 24;
  parameters.matrix_units = 1;
  parameters.matrix_interval = 10;
  parameters.matrix_latency = 21;
  parameters.branch_latency = 9;
  return parameters;
}

inline DecodedInstruction of_class(kernel::OperationClass operation_class, bool integer = false) {
  static const kernel::Instruction nothing{};
  DecodedInstruction decoded;
  decoded.instruction = &nothing;
  decoded.operation_class = operation_class;
  decoded.kind = integer ? 1 : 0;
  // The operation records the executing lanes in the warp.
  decoded.operation = [](const kernel::Instruction& /*instruction*/, ExecutionContext& context, LaneMask lanes) {
    context.active = lanes;
  };
  return decoded;
}

struct LanesBench {
  explicit LanesBench(const LanesParameters& parameters = one_of_each(), std::size_t schedulers = 2)
      : lanes("lanes", parameters, schedulers), source("source") {
    source.socket.bind(lanes.issue);
    elaborate();
    warp.context.active = 0;
  }

  /// Issues an instruction in `now`, from a scheduler without an operand collector.
  IssueRequest request(const DecodedInstruction& decoded, Cycle now) {
    IssueRequest one;
    one.warp = &warp;
    one.decoded = &decoded;
    one.lanes = all_lanes;
    one.now = now;
    one.operands = now;
    return one;
  }
  IssueRequest issue(const DecodedInstruction& decoded, Cycle now) { return source.send(request(decoded, now)); }
  /// Issues an instruction through an operand collector.
  IssueRequest collected(const DecodedInstruction& decoded, Cycle now, Cycle operands) {
    auto one = request(decoded, now);
    one.operands = operands;
    one.collected = true;
    return source.send(one);
  }
  const LanesStatistics& statistics() const { return lanes.statistics(); }

  const SimulationContext context;
  Lanes lanes;
  ControlSource<IssueRequest> source;
  Warp warp;
};

}  // namespace reconverge::tests
