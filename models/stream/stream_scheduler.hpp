// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Selects the node of a streaming graph that runs next (Popa 2004, sections 3.2 and 4.4.1).
///
///     requests <- the nodes as they are

#include "blocks/stream_scheduler.hpp"
#include "models/protocols/control.hpp"
#include "models/stream/messages.hpp"

namespace reconverge {

class StreamScheduler final : public sc_core::sc_module, private ControlTarget<ScheduleRequest> {
 public:
  StreamScheduler(sc_core::sc_module_name name, const StreamSchedulerParameters& parameters);

  ControlTargetSocket<ScheduleRequest> requests;

 private:
  void b_transport(ScheduleRequest& request, sc_core::sc_time& delay) override;

  StreamSchedulerParameters parameters_;
};

/// The weight of a node: the words, in whole records, that it is guaranteed to be able to take.
std::uint64_t weight_of(const NodeView& node);

/// Chooses the node with the largest weight; among equals the loaded one, otherwise the first.
void choose_greedily(ScheduleRequest& request);
/// Chooses the last node, in graph order, that has input and empty outputs; if there is none, the last one whose
/// outputs have room.
void choose_deepest(ScheduleRequest& request);

}  // namespace reconverge
