// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Messages between the blocks of a machine for multi-pass partitioning.

#include <cstdint>
#include <optional>
#include <span>

#include "models/core/cycle.hpp"
#include "models/core/lane_mask.hpp"

namespace reconverge {

/// A kernel and the array of program counters, of the two, that it reads; it writes the other (B with an arrow, Lashari
/// 2007, section 3.3).
struct BoundKernel {
  std::uint32_t kernel = 0;
  std::uint8_t from = 0;

  std::uint8_t to() const { return from == 0 ? 1 : 0; }
  bool operator==(const BoundKernel&) const = default;
};

struct WorklistRequest {
  std::optional<BoundKernel> completed;  ///< kernel that ran for some threads: its successors have work

  std::optional<BoundKernel> next;  ///< the answer; none: the worklist is empty
};

/// One pass over all threads.
struct GuardedPass {
  BoundKernel bound;
  std::uint32_t time = 0;    ///< of the pass: the timestamp of the program counters that it writes
  std::uint32_t oldest = 0;  ///< oldest timestamp of a program counter that is not stale

  // The answer.
  std::span<const LaneMask> guards;     ///< guards that passed, by group of 32 threads
  std::uint64_t passed = 0;             ///< threads whose guard passed
  std::uint64_t stale = 0;              ///< the threads among these whose program counter was stale
  std::uint64_t tiles = 0;              ///< tiles that did work
  std::uint64_t aborted = 0;            ///< tiles in which no guard passed
  std::uint64_t skipped = 0;            ///< tiles that were not tested
  std::uint64_t instructions = 0;       ///< issued by all lanes of a processor together
  std::uint64_t lane_instructions = 0;  ///< executed by threads
  std::uint64_t counter_bytes = 0;      ///< program counters and timestamps, read and written
  std::uint64_t array_bytes = 0;        ///< read, or written with results
  std::uint64_t copy_bytes = 0;         ///< copied unchanged
  std::uint64_t memory_bytes = 0;       ///< moved by loads and stores
};

struct CountRequest {
  std::span<const LaneMask> guards;
  std::uint64_t count = 0;  ///< the answer
  Cycle cycles = 0;         ///< the answer: waiting cycles of the host
};

}  // namespace reconverge
