// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The threads of a launch's grid in one SM: whole blocks, or single threads of an open block if the difference is not
/// visible to the program.

#include <cstdint>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "models/execution/launch.hpp"
#include "platforms/machines/gpu/block_source.hpp"
#include "platforms/machines/gpu/thread_source.hpp"

namespace reconverge {

/// The unit in which threads begin.
enum class StartUnit : std::uint8_t {
  block,  ///< all warps of a block at once
  warp,   ///< warps, as slots become free
  thread  ///< threads, in any lane that becomes free
};

class GridThreads final : public ThreadSource {
 public:
  struct Shape {
    StartUnit unit = StartUnit::block;
    std::size_t warps = 0;      ///< slots that may be used
    std::size_t blocks = 0;     ///< that fit at once, of whole blocks
    bool keeps_slots = false;   ///< a block keeps its slots until it ends
    bool shares_slots = false;  ///< shared with other sources
  };

  /// `sm`: its number. Slots and blocks must outlive it.
  GridThreads(std::uint32_t sm, WarpSlots& slots, sc_core::sc_port<BlockSource>& blocks)
      : sm_(sm), slots_(slots), source_(blocks) {}

  void begin(const Launch& launch, const Shape& shape, Cycle now);
  std::uint32_t sm() const { return sm_; }
  /// Blocks that the SM takes in its first cycles, one in each, independently of other SMs.
  Cycle blocks_by_turns() const;
  /// Some threads have not begun yet, here or elsewhere.
  bool left() const { return open_ || !source_->exhausted(sm_); }

  bool waits() const override { return left() && has_room(); }
  void start(Cycle now) override;
  /// Always true: the source of blocks counts them.
  bool drained() const override { return true; }
  void ended(Warp& warp, LaneMask lanes, Cycle now) override;
  void barrier_reached(Warp& warp, const kernel::Instruction& barrier, LaneMask lanes, Cycle now) override;

  /// The threads that wait at barriers.
  std::string describe_barriers() const;

 private:
  struct Block {
    bool used = false;
    std::uint32_t live_threads = 0;
    BlockBarriers barriers;
  };

  bool has_room() const {
    if (shape_.unit == StartUnit::thread) return idle_lanes_ != 0;
    if (shape_.unit == StartUnit::warp) return slots_.free_for_grid() != 0;
    return free_blocks_ != 0 && (!shape_.shares_slots || slots_.free_for_grid() >= launch_->warps_per_block());
  }
  bool is_free_for(const Warp& warp, std::uint32_t block_slot) const;
  /// Starts a block as a whole.
  void admit(std::uint64_t block, Cycle now);
  /// Starts warps with threads of the open block while slots are free.
  void fill_warps(Cycle now);
  /// Puts threads of the open block into lanes without threads.
  void fill_lanes(Cycle now);
  /// Sets up threads of the open block and returns their lanes. If it has none left, `next` may open another block.
  LaneMask next_threads(Warp& warp, LaneMask lanes, bool next, Cycle start);
  void open(std::uint64_t block);
  void end_block(Block& block, Cycle now);

  std::uint32_t sm_;
  WarpSlots& slots_;
  sc_core::sc_port<BlockSource>& source_;
  const Launch* launch_ = nullptr;
  Shape shape_;
  std::vector<Block> blocks_;
  std::size_t free_blocks_ = 0;
  std::vector<Warp*> admitted_;  // of the block that begins
  // If threads come one by one:
  bool open_ = false;  // block_ has threads left
  std::uint64_t block_ = 0;
  std::uint32_t thread_ = 0;  // the next thread of it
  std::uint64_t ended_ = 0;   // threads that ended, of blocks not yet reported
  std::uint64_t idle_lanes_ = 0;
  Cycle turns_end_ = 0;  // from then on, blocks are taken when needed
};

}  // namespace reconverge
