// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The fill levels of a graph's streams, and the records that each node could process: the input of a scheduler (Popa
/// 2004, sections 3.2 and 4.4.1, Table 4.1).

#include <vector>

#include "blocks/stream_scheduler.hpp"
#include "models/stream/stream_registers.hpp"

namespace reconverge {

class StreamState {
 public:
  /// `lanes`: records in a strip.
  StreamState(const StreamSchedulerParameters& parameters, unsigned lanes, const StreamRegisters& streams)
      : parameters_(parameters), lanes_(lanes), streams_(streams) {}

  /// Begins a launch of this graph with empty streams.
  void begin(const kernel::StreamingGraph& graph);

  /// The current state of the nodes.
  const std::vector<NodeView>& look();

  /// Whether the stack grows before records pass the arc.
  bool pushes(const kernel::StreamArc& arc) const;
  /// Records that find room at the arc's destination.
  std::uint64_t room_on(const kernel::StreamArc& arc) const;
  /// Records that the loop of a node may still take from outside.
  std::uint64_t admitted(std::uint32_t node) const;

 private:
  /// Records of the node that are guaranteed to fit, regardless of their arcs.
  std::uint64_t most_of(const kernel::StreamNode& node) const;
  bool synchronised(const kernel::StreamNode& node, std::uint32_t number) const;
  bool outputs_empty(const kernel::StreamNode& node) const;

  StreamSchedulerParameters parameters_;
  unsigned lanes_;
  const StreamRegisters& streams_;
  const kernel::StreamingGraph* graph_ = nullptr;
  // By strongly connected component: room of its smallest stream; 0 if it is not a loop, or one that may fill up.
  std::vector<std::uint64_t> loop_room_;
  std::vector<NodeView> views_;
};

}  // namespace reconverge
