#pragma once
/// What the blocks of a stream processor ask each other.

#include <cstdint>
#include <span>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/kernel/streams/streaming_graph.hpp"
#include "models/stream/record_queue.hpp"

namespace reconverge {

/// One pass: a node takes records from its stream, and writes those that go on to others.
struct PassRequest {
  std::uint32_t node = 0;
  RecordQueue* from = nullptr;
  std::uint64_t records = 0;           ///< to take
  std::span<RecordQueue* const> to;    ///< by output of the node; null: the arc that repeats in place
  std::span<const std::uint8_t> down;  ///< by output: whether its memory fills downwards

  // The answer.
  std::uint64_t strips = 0;             ///< groups of as many records as there are lanes
  std::uint64_t instructions = 0;       ///< that lanes issued together
  std::uint64_t lane_instructions = 0;  ///< that threads executed
  std::uint64_t memory_bytes = 0;       ///< that loads and stores moved off chip
  std::uint64_t records_out = 0;
  std::span<std::uint64_t> records_to;  ///< of them, by output of the node; what stays on its lane is not one
  std::uint64_t bytes = 0;              ///< that records moved between lanes and stream registers
  std::uint64_t network_clocks = 0;
};

/// A node as the scheduler sees it.
struct NodeView {
  std::uint64_t waiting = 0;  ///< records in its stream
  std::uint32_t words = 0;    ///< of each
  std::uint64_t most = 0;     ///< of them that surely find room, wherever they go
  bool synchronised = true;   ///< nothing that it waits for can still come
  bool outputs_empty = true;  ///< all streams that it writes to, but for those of nodes that wait for several
  std::uint32_t order = 0;
};

struct ScheduleRequest {
  std::span<const NodeView> nodes;
  std::uint32_t running = none;  ///< whose kernel is loaded

  std::uint32_t chosen = none;  ///< the answer
  std::uint64_t records = 0;    ///< that it shall take

  static constexpr std::uint32_t none = ~0U;
};

/// Bytes between the chip and memory, as one transfer.
struct TransferRequest {
  Cycle now = 0;  ///< no byte moves before
  std::uint64_t bytes = 0;
  Cycle done = 0;  ///< the answer
};

}  // namespace reconverge
