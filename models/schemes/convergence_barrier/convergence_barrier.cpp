// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/convergence_barrier/convergence_barrier.hpp"

#include "blocks/sm.hpp"
#include "models/schemes/thread_states/subwarp_instructions.hpp"

namespace reconverge {

namespace {

BarrierScheme::Options options_of(const ConvergenceBarrierParameters& parameters) {
  return {.registers = static_cast<unsigned>(parameters.registers),
          .switch_latency = parameters.switch_latency,
          .patience = parameters.patience,
          .move_latency = parameters.move_latency,
          .reconvergence_latency = parameters.reconvergence_latency,
          .nested_latency = parameters.nested_latency,
          .table_latency = parameters.table_latency,
          .fewer_lanes_first = parameters.order == ConvergenceBarrierOrder::fewer_lanes,
          .holder_first = parameters.spin == ConvergenceBarrierSpin::holder,
          .calls_apart = parameters.pointer_calls == ConvergenceBarrierPointerCalls::apart};
}

constexpr BarrierScheme::Causes causes{static_cast<std::uint8_t>(ConvergenceBarrierCause::divergence_switch),
                                       static_cast<std::uint8_t>(ConvergenceBarrierCause::divergence_move),
                                       static_cast<std::uint8_t>(ConvergenceBarrierCause::divergence_wait)};

}  // namespace

ConvergenceBarrier::ConvergenceBarrier(sc_core::sc_module_name name, const SchemePlace& place,
                                       const ConvergenceBarrierParameters& parameters)
    : BarrierScheme(name, place, options_of(parameters), causes) {}

void ConvergenceBarrier::add_statistics(Statistics& totals) const {
  ConvergenceBarrierStatistics own;
  own.branches = counts_.branches;
  own.divergent_branches = counts_.divergent_branches;
  own.operations[ConvergenceBarrierOperations::join] = counts_.joins;
  own.operations[ConvergenceBarrierOperations::wait] = counts_.waits;
  own.operations[ConvergenceBarrierOperations::leave] = counts_.leaves;
  own.operations[ConvergenceBarrierOperations::spill] = counts_.spills;
  own.operations[ConvergenceBarrierOperations::fill] = counts_.fills;
  own.reconvergences = counts_.reconvergences;
  own.switches = counts_.switches;
  own.yields[ConvergenceBarrierYields::waiting_round] = counts_.yields;
  own.yields[ConvergenceBarrierYields::instruction] = counts_.yields_by_instruction;
  own.opened = counts_.opened;
  totals.of<ConvergenceBarrierStatistics>() += own;
}

const SchemeKind& convergence_barrier_scheme() {
  static const SchemeKind kind{.part = scheme_part<ConvergenceBarrierParameters>(),
                               .traits = {.tracking = DependencyTracking::counted, .independent = true, .asks = true},
                               .make = [](const char* name, const SchemePlace& place) -> std::unique_ptr<Scheme> {
                                 return std::make_unique<ConvergenceBarrier>(
                                     name, place, place.parameters.schemes.of<ConvergenceBarrierParameters>());
                               },
                               .extensions = subwarp_instructions};
  return kind;
}

}  // namespace reconverge
