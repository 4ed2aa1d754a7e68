// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The completion count: the number of guards that passed in a pass. On GPUs, an occlusion query (Lashari 2008, section
/// 1).
///
///     requests <- guards of a pass

#include "models/multi_pass/messages.hpp"
#include "models/protocols/control.hpp"

namespace reconverge {

class CompletionCounter final : public sc_core::sc_module, private ControlTarget<CountRequest> {
 public:
  /// `cycles`: latency until the host has the count.
  CompletionCounter(sc_core::sc_module_name name, Cycle cycles)
      : sc_module(name), requests("requests"), cycles_(cycles) {
    requests.bind(*this);
  }

  ControlTargetSocket<CountRequest> requests;

 private:
  void b_transport(CountRequest& request, sc_core::sc_time& /*delay*/) override {
    for (const LaneMask lanes : request.guards) request.count += count_lanes(lanes);
    request.cycles = cycles_;
  }

  Cycle cycles_;
};

}  // namespace reconverge
