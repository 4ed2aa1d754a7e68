// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The lanes of a stream processor: they run a node on the records of its stream, strip by strip, one instruction at a
/// time on all lanes (strip mining, Popa 2004, Fig. 2.2). No branches: lanes that are not on the path are idle.
///
///     requests <- passes
///     network  -> records on their way to streams

#include <vector>

#include "models/execution/region_lanes.hpp"
#include "models/protocols/control.hpp"
#include "models/stream/benes_network/messages.hpp"
#include "models/stream/messages.hpp"

namespace reconverge {

class StreamLanes final : public sc_core::sc_module, private ControlTarget<PassRequest> {
 public:
  /// `lanes`: a power of two, 2 to 32.
  StreamLanes(sc_core::sc_module_name name, unsigned lanes);

  ControlTargetSocket<PassRequest> requests;
  ControlInitiatorSocket<StreamLanes, NetworkRequest> network;

  /// Begins a launch. All arguments must outlive it. Throws InputError if its threads together need more local memory
  /// than a launch may have.
  void begin(const Launch& launch, const ProgramImage& image, const kernel::StreamingGraph& graph,
             DeviceMemory& memory);
  /// Writes the records of `count` threads from `first` on to the stream of the first node.
  void create(RecordQueue& to, std::uint64_t first, std::uint64_t count);

 private:
  /// The destination of an output's records, in memory that a pass fills stripe by stripe.
  struct Target {
    RecordQueue* queue = nullptr;
    bool down = false;
    std::uint64_t written = 0;
    LaneMask lanes = 0;  ///< lanes whose records go there at the end of the node
  };

  void b_transport(PassRequest& pass, sc_core::sc_time& delay) override;
  void pass_through(PassRequest& pass);
  void run_strips(PassRequest& pass);
  void run_in_place(PassRequest& pass);

  /// Loads records from their stream into all lanes in turn, or into some.
  void load(const RecordQueue& from);
  void load_lanes(const RecordQueue& from, LaneMask lanes);
  /// Runs the node once for the lanes.
  void run_node(PassRequest& pass, LaneMask lanes);
  /// Writes the current values of the lanes as records.
  void write(PassRequest& pass, Target& target, LaneMask lanes);
  void write_outputs(PassRequest& pass);
  /// Passes the written records to the network, strip by strip: of all targets together, or of one.
  void move(PassRequest& pass);
  void move(PassRequest& pass, Target& target, LaneMask lanes);
  unsigned clocks_of(Target& first, Target& second, LaneMask strip);
  unsigned clocks_of(Target& target, LaneMask lanes, LaneMask strip);

  unsigned lanes_;
  RegionLanes region_;
  const kernel::StreamingGraph* graph_ = nullptr;
  std::vector<Target> targets_;
  std::vector<std::uint32_t> target_of_;  // by arc
  const kernel::StreamNode* node_ = nullptr;
};

}  // namespace reconverge
