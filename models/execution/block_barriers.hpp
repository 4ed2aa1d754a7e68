#pragma once
/// The sixteen barriers of a thread block: bar.sync, bar.arrive and bar.red of PTX. Plain logic, no time.
///
/// A barrier without a thread count is complete when every thread of the block that has not ended has come; one with a
/// count, when as many warps have come as make that count. A warp has come when all its threads that have not ended
/// have.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "models/execution/warp.hpp"

namespace reconverge {

class BlockBarriers {
 public:
  /// Threads that go on.
  struct Released {
    Warp* warp = nullptr;
    LaneMask lanes = 0;
  };

  /// Whether `instruction` is a barrier of the block, not of a warp; and whether threads wait there.
  static bool is_block_barrier(const kernel::Instruction& instruction);
  static bool waits(const kernel::Instruction& instruction);

  /// A block with these warps begins. They must outlive it.
  void begin(std::span<Warp* const> warps);

  /// `lanes` of `warp` executed the barrier `instruction`. Gives who goes on, until the next call; results of bar.red
  /// are written then. Throws ExecutionError for barriers and thread counts that do not exist.
  const std::vector<Released>& arrive(Warp& warp, const kernel::Instruction& instruction, LaneMask lanes);

  /// Threads ended: who goes on because they were the last ones missing, until the next call.
  const std::vector<Released>& threads_ended();

  /// Of the block, by number.
  std::span<Warp* const> warps() const { return warps_; }
  /// Barriers completed since the block began.
  std::uint64_t completed() const { return completed_; }
  /// Who waits where, one line each; empty when nobody does.
  std::string describe_waiting() const;

 private:
  static constexpr std::size_t count = 16;

  struct Waiting {
    Warp* warp = nullptr;
    const kernel::Instruction* instruction = nullptr;
    LaneMask lanes = 0;
  };
  struct Barrier {
    std::uint32_t threads = 0;      // that it takes; zero: all
    std::vector<LaneMask> arrived;  // by warp of the block; empty: nobody
    std::vector<Waiting> waiting;
    std::uint32_t voters = 0;  // of bar.red
    std::uint32_t votes = 0;

    /// Begins anew, with the memory that it has.
    void clear();
  };

  void note(Barrier& barrier, Warp& warp, const kernel::Instruction& instruction, LaneMask lanes);
  bool complete(const Barrier& barrier) const;
  /// The block's: in a slot that a warp of it has left there may be others by now.
  LaneMask threads_in(const Warp& warp) const { return warp.block_slot == block_slot_ ? warp.live : 0; }
  /// Adds those who wait to `released_`.
  void release(Barrier& barrier);

  std::vector<Warp*> warps_;
  std::uint32_t block_slot_ = 0;
  std::array<Barrier, count> barriers_;
  std::vector<Released> released_;
  std::uint64_t completed_ = 0;
};

/// Throws ExecutionError when `lanes`, which come to `barrier`, are not all live lanes of the warp: lanes that move
/// together reach a barrier together, or never.
void require_whole_warp(const Warp& warp, const kernel::Instruction& barrier, LaneMask lanes);

}  // namespace reconverge
