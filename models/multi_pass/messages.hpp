#pragma once
/// What the blocks of a machine for multi-pass partitioning ask each other.

#include <cstdint>
#include <optional>
#include <span>

#include "models/core/cycle.hpp"
#include "models/core/lane_mask.hpp"

namespace reconverge {

/// A kernel, and which of the two arrays of program counters it reads; it writes the other (B with an arrow, Lashari
/// 2007, section 3.3).
struct BoundKernel {
  std::uint32_t kernel = 0;
  std::uint8_t from = 0;

  std::uint8_t to() const { return from == 0 ? 1 : 0; }
  bool operator==(const BoundKernel&) const = default;
};

struct WorklistRequest {
  std::optional<BoundKernel> completed;  ///< ran for some threads: its successors have work

  std::optional<BoundKernel> next;  ///< the answer; none: the worklist is empty
};

/// One pass over all threads.
struct GuardedPass {
  BoundKernel bound;
  std::uint32_t time = 0;    ///< of the pass, the stamp of the program counters that it writes
  std::uint32_t oldest = 0;  ///< stamp of a program counter that is not stale

  // The answer.
  std::span<const LaneMask> guards;     ///< that passed, by 32 threads
  std::uint64_t passed = 0;             ///< threads
  std::uint64_t stale = 0;              ///< of them, by program counters that were stale
  std::uint64_t tiles = 0;              ///< that did work
  std::uint64_t aborted = 0;            ///< in which no guard passed
  std::uint64_t skipped = 0;            ///< that were not looked at
  std::uint64_t instructions = 0;       ///< that the lanes of a processor issued together
  std::uint64_t lane_instructions = 0;  ///< that threads executed
  std::uint64_t counter_bytes = 0;      ///< program counters and timestamps, read and written
  std::uint64_t array_bytes = 0;        ///< read, or written with what was computed
  std::uint64_t copy_bytes = 0;         ///< copied as they were
  std::uint64_t memory_bytes = 0;       ///< that loads and stores moved
};

struct CountRequest {
  std::span<const LaneMask> guards;
  std::uint64_t count = 0;  ///< the answer, and
  Cycle cycles = 0;         ///< how long the host waits for it
};

}  // namespace reconverge
