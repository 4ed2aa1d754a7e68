// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The sixteen barriers of a thread block: bar.sync, bar.arrive and bar.red of PTX. Plain logic, no timing.
///
/// A barrier without a thread count is complete when every live thread of the block has arrived. A barrier with a
/// thread count is complete when the corresponding number of warps has arrived. A warp has arrived when all its live
/// threads have.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "models/execution/warp.hpp"

namespace reconverge {

class BlockBarriers {
 public:
  /// Threads that a completed barrier releases.
  struct Released {
    Warp* warp = nullptr;
    LaneMask lanes = 0;
  };

  /// Whether `instruction` is a block barrier, not a warp barrier; and whether threads wait there.
  static bool is_block_barrier(const kernel::Instruction& instruction);
  static bool waits(const kernel::Instruction& instruction);

  /// A block with these warps begins. The warps must outlive it.
  void begin(std::span<Warp* const> warps);

  /// `lanes` of `warp` executed the barrier `instruction`. Returns the released threads, valid until the next call;
  /// results of bar.red are written then. Throws ExecutionError for barriers and thread counts that do not exist.
  const std::vector<Released>& arrive(Warp& warp, const kernel::Instruction& instruction, LaneMask lanes);

  /// Must be called when threads have ended. Returns the threads that this releases, valid until the next call.
  const std::vector<Released>& threads_ended();

  /// The warps of the block, by number.
  std::span<Warp* const> warps() const { return warps_; }
  /// Barriers completed since the block began.
  std::uint64_t completed() const { return completed_; }
  /// The waiting threads and their barriers, one line each; empty if none wait.
  std::string describe_waiting() const;

 private:
  static constexpr std::size_t count = 16;

  struct Waiting {
    Warp* warp = nullptr;
    const kernel::Instruction* instruction = nullptr;
    LaneMask lanes = 0;
  };
  struct Barrier {
    std::uint32_t threads = 0;      // number of threads that it needs; zero: all
    std::vector<LaneMask> arrived;  // by warp of the block; empty: none
    std::vector<Waiting> waiting;
    std::uint32_t voters = 0;  // of bar.red
    std::uint32_t votes = 0;

    /// Resets the barrier, and keeps its memory.
    void clear();
  };

  void note(Barrier& barrier, Warp& warp, const kernel::Instruction& instruction, LaneMask lanes);
  bool complete(const Barrier& barrier) const;
  /// The live threads of this block: a slot that one of its warps has left may already hold another block's threads.
  LaneMask threads_in(const Warp& warp) const { return warp.block_slot == block_slot_ ? warp.live : 0; }
  /// Adds the waiting threads to `released_`.
  void release(Barrier& barrier);

  std::vector<Warp*> warps_;
  std::uint32_t block_slot_ = 0;
  std::array<Barrier, count> barriers_;
  std::vector<Released> released_;
  std::uint64_t completed_ = 0;
};

/// Throws ExecutionError if `lanes`, which arrive at `barrier`, are not all live lanes of the warp: if lanes run
/// together, the other lanes can never arrive.
void require_whole_warp(const Warp& warp, const kernel::Instruction& barrier, LaneMask lanes);

}  // namespace reconverge
