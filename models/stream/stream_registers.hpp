// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The streams of a graph: each node reads one, whose records are in stream registers on chip. Recursion uses stacks of
/// registers. Registers may be spilled to memory (Popa 2004, sections 3.1 and 3.4).
///
///     requests <- streams that a pass needs on chip
///     memory   -> the bytes that must be moved

#include <memory>
#include <tuple>
#include <vector>

#include "blocks/stream_registers.hpp"
#include "models/protocols/control.hpp"
#include "models/stream/messages.hpp"

namespace reconverge {

/// Requests that the streams of these nodes are on chip; the first is the one that is read.
struct RegisterRequest {
  std::span<const std::uint32_t> nodes;
  Cycle now = 0;
  Cycle ready = 0;  ///< the answer
};

class StreamRegisters final : public sc_core::sc_module, private ControlTarget<RegisterRequest> {
 public:
  StreamRegisters(sc_core::sc_module_name name, const StreamRegistersParameters& parameters, unsigned lanes);

  ControlTargetSocket<RegisterRequest> requests;
  ControlInitiatorSocket<StreamRegisters, TransferRequest> memory;

  /// Begins a launch with empty streams. Throws InputError if a register is too small for the records, or if there are
  /// too few registers for a pass.
  void begin(const kernel::StreamingGraph& graph);

  /// The stream that the node reads: the top of its stack.
  RecordQueue& top(std::uint32_t node) { return *streams_[node].back().queue; }
  const RecordQueue& top(std::uint32_t node) const { return *streams_[node].back().queue; }
  /// Records in all registers of the stack.
  std::uint64_t waiting(std::uint32_t node) const;
  void push(std::uint32_t node);
  /// Pops empty registers off the stacks.
  void pop_empty();
  /// Samples the registers in use, once a pass.
  void sample();

  const StreamRegistersStatistics& statistics() const { return statistics_; }

 private:
  struct Register {
    std::unique_ptr<RecordQueue> queue;
    bool on_chip = true;
    std::uint64_t used = 0;  ///< pass in which it was last needed
  };

  void b_transport(RegisterRequest& request, sc_core::sc_time& delay) override;
  Register make(std::uint32_t node) const;
  /// The smallest gives its place first: whether moving it costs something, whether it is the top of a stack, and the
  /// pass in which it was last needed.
  using Rank = std::tuple<bool, bool, std::uint64_t>;
  Rank rank_of(const Register& one, bool below) const;
  /// Moves another register to memory.
  void make_room(RegisterRequest& request);
  void move(RegisterRequest& request, const RecordQueue& queue);
  std::uint64_t on_chip() const;

  StreamRegistersParameters parameters_;
  unsigned lanes_;
  const kernel::StreamingGraph* graph_ = nullptr;
  std::vector<std::vector<Register>> streams_;
  std::uint64_t clock_ = 0;  // number of passes
  StreamRegistersStatistics statistics_;
};

}  // namespace reconverge
