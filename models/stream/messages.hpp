// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Messages between the blocks of a stream processor.

#include <cstdint>
#include <span>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/kernel/streams/streaming_graph.hpp"
#include "models/stream/record_queue.hpp"

namespace reconverge {

/// One pass: a node takes records from its stream and writes records to other streams.
struct PassRequest {
  std::uint32_t node = 0;
  RecordQueue* from = nullptr;
  std::uint64_t records = 0;           ///< records to take
  std::span<RecordQueue* const> to;    ///< by output of the node; null for the arc that repeats in place
  std::span<const std::uint8_t> down;  ///< by output: whether its memory fills downwards

  // The answer.
  std::uint64_t strips = 0;             ///< groups of as many records as there are lanes
  std::uint64_t instructions = 0;       ///< issued by all lanes together
  std::uint64_t lane_instructions = 0;  ///< executed by threads
  std::uint64_t memory_bytes = 0;       ///< moved off chip by loads and stores
  std::uint64_t records_out = 0;
  std::span<std::uint64_t> records_to;  ///< by output of the node, without records that stay on their lane
  std::uint64_t bytes = 0;              ///< record bytes moved between lanes and stream registers
  std::uint64_t network_clocks = 0;
};

/// The state of a node for the scheduler.
struct NodeView {
  std::uint64_t waiting = 0;  ///< records in its stream
  std::uint32_t words = 0;    ///< of each record
  std::uint64_t most = 0;     ///< records that are guaranteed to fit, regardless of their outputs
  bool synchronised = true;   ///< no record that it waits for can still arrive
  bool outputs_empty = true;  ///< the streams that it writes to, except those of nodes that synchronise several
  std::uint32_t order = 0;
};

struct ScheduleRequest {
  std::span<const NodeView> nodes;
  std::uint32_t running = none;  ///< the node whose kernel is loaded

  std::uint32_t chosen = none;  ///< the answer
  std::uint64_t records = 0;    ///< the answer: records to take

  static constexpr std::uint32_t none = ~0U;
};

/// A transfer between the chip and memory.
struct TransferRequest {
  Cycle now = 0;  ///< no byte moves before this cycle
  std::uint64_t bytes = 0;
  Cycle done = 0;  ///< the answer
};

}  // namespace reconverge
