#pragma once
/// Which node of a streaming graph runs next (Popa 2004, sections 3.2 and 4.4.1).
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

/// Words that a node can surely take, whole records: its weight.
std::uint64_t weight_of(const NodeView& node);

/// The node with the largest weight; of equals the one that runs, or else the first.
void choose_greedily(ScheduleRequest& request);
/// Of the nodes with input whose outputs are empty the last in the order of the graph; where there are none, of those
/// whose outputs have room.
void choose_deepest(ScheduleRequest& request);

}  // namespace reconverge
