// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A stream processor: it runs kernels on streams, pass by pass (Popa 2004, chapter 3). The process wakes at the
/// beginning of each pass and performs all of its memory accesses then; the pass's cycles elapse before the next.

#include <exception>
#include <functional>
#include <systemc>

#include "blocks/stream_processor.hpp"
#include "models/stream/benes_network/benes_network.hpp"
#include "models/stream/stream_buffers.hpp"
#include "models/stream/stream_lanes.hpp"
#include "models/stream/stream_registers.hpp"
#include "models/stream/stream_scheduler.hpp"
#include "models/stream/stream_state.hpp"

namespace reconverge {

/// The cost of a pass, for observers.
struct PassRecord {
  std::uint32_t node = 0;
  std::uint64_t records = 0;
  Cycle begin = 0;
  Cycle end = 0;
};

class StreamProcessor final : public sc_core::sc_module {
 public:
  /// Throws ParameterError for incompatible parameters.
  StreamProcessor(sc_core::sc_module_name name, const StreamProcessorParameters& parameters);

  ControlInitiatorSocket<StreamProcessor, ScheduleRequest> scheduler;
  ControlInitiatorSocket<StreamProcessor, RegisterRequest> registers;
  ControlInitiatorSocket<StreamProcessor, PassRequest> lanes;
  ControlInitiatorSocket<StreamProcessor, TransferRequest> memory;

  /// Begins a launch of the graph. All arguments must outlive it. Throws InputError or ParameterError, without any
  /// effect, if the machine cannot run it.
  void begin(const Launch& launch, const ProgramImage& image, const kernel::StreamingGraph& graph,
             DeviceMemory& device);
  bool ended() const { return ended_; }
  /// The error that stopped the launch, or null.
  std::exception_ptr error() const { return error_; }
  std::uint64_t threads_created() const { return created_; }
  std::uint64_t threads() const { return threads_; }
  const Clock& clock() const { return clock_; }
  /// Records that passed each arc of the graph in this launch; records that stay on their lane do not count.
  const std::vector<std::uint64_t>& arc_records() const { return arc_records_; }
  /// The number of runs of a node in this launch, and the total of their records.
  struct Runs {
    std::uint64_t passes = 0;
    std::uint64_t records = 0;
  };
  const std::vector<Runs>& runs() const { return runs_; }
  /// Sets a callback that is called after each pass.
  void observe(std::function<void(const PassRecord&)> observer) { observer_ = std::move(observer); }

  const StreamProcessorStatistics& statistics() const { return statistics_; }
  const StreamRegistersStatistics& register_statistics() const { return streams_.statistics(); }
  const BenesNetworkStatistics& network_statistics() const { return network_.statistics(); }

 private:
  using Cause = StreamProcessorCycles;

  void step();
  void run_pass();
  /// Creates threads as records of the first node while there is room.
  void create_threads();
  /// Makes the two streams of a branch fill their stripes in different directions if possible, so that the network
  /// writes both in one clock.
  void find_directions();
  /// Brings the streams and the kernel of a pass on chip.
  void prepare(std::uint32_t node);
  PassRequest ask_lanes(std::uint32_t node, std::uint64_t records);
  /// Whether the node writes to a node that synchronises streams and therefore needs them in order.
  bool writes_in_order(std::uint32_t node) const;
  void charge(std::uint32_t node, const PassRequest& pass);
  void spend(Cause cause, Cycle cycles);
  [[noreturn]] void fail_without_choice(const std::vector<NodeView>& views) const;

  StreamProcessorParameters parameters_;
  Clock clock_;
  StreamScheduler chooser_;
  StreamRegisters streams_;
  StreamLanes simd_;
  BenesNetwork network_;
  StreamBuffers buffers_;
  StreamState state_;
  sc_core::sc_event wake_;

  const kernel::StreamingGraph* graph_ = nullptr;
  std::uint64_t threads_ = 0;
  std::uint64_t created_ = 0;
  Cycle created_by_ = 0;  ///< cycle in which the last thread has been created
  bool ended_ = true;
  std::exception_ptr error_;
  std::uint32_t loaded_ = ScheduleRequest::none;
  Cycle now_ = 0;
  std::vector<std::uint8_t> down_;  // by node: whether its stream's stripes fill downwards
  std::vector<RecordQueue*> to_;
  std::vector<std::uint8_t> to_down_;
  std::vector<std::uint64_t> records_to_;
  std::vector<std::uint64_t> arc_records_;
  std::vector<Runs> runs_;  // by node
  std::vector<std::uint32_t> needed_;
  std::function<void(const PassRecord&)> observer_;
  StreamProcessorStatistics statistics_;
};

}  // namespace reconverge
