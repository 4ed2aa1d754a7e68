#pragma once
/// How full the streams of a graph are, and what each node could do about it: what a scheduler goes by (Popa 2004,
/// sections 3.2 and 4.4.1, Table 4.1).

#include <vector>

#include "blocks/stream_scheduler.hpp"
#include "models/stream/stream_registers.hpp"

namespace reconverge {

class StreamState {
 public:
  /// `lanes`: that a strip of records fills.
  StreamState(const StreamSchedulerParameters& parameters, unsigned lanes, const StreamRegisters& streams)
      : parameters_(parameters), lanes_(lanes), streams_(streams) {}

  /// The streams are those of this graph from now on, and empty.
  void begin(const kernel::StreamingGraph& graph);

  /// The nodes as they are now.
  const std::vector<NodeView>& look();

  /// Whether the stack grows before records go along the arc.
  bool pushes(const kernel::StreamArc& arc) const;
  /// Records that find room where the arc leads.
  std::uint64_t room_on(const kernel::StreamArc& arc) const;
  /// Records that the loop of a node may still take in from elsewhere.
  std::uint64_t admitted(std::uint32_t node) const;

 private:
  /// Records of the node that surely find room, whichever way they go.
  std::uint64_t most_of(const kernel::StreamNode& node) const;
  bool synchronised(const kernel::StreamNode& node, std::uint32_t number) const;
  bool outputs_empty(const kernel::StreamNode& node) const;

  StreamSchedulerParameters parameters_;
  unsigned lanes_;
  const StreamRegisters& streams_;
  const kernel::StreamingGraph* graph_ = nullptr;
  // By component, of nodes that reach each other: room of its smallest stream; 0: no loop, or one that may fill up.
  std::vector<std::uint64_t> loop_room_;
  std::vector<NodeView> views_;
};

}  // namespace reconverge
