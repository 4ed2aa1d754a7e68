// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Thread block compaction (Fung and Aamodt, HPCA 2011; DRS sections 4.3 to 4.5) as the divergence scheme of an SM.
///
/// The warps of a block run one path at a time. A warp stops after a branch that may diverge in the block, at a
/// reconvergence point, and before an instruction for whole warps. Once all warps of the path have arrived, the stack
/// determines the new paths, the compactor forms warps from their threads, and these continue. Loads may be in flight
/// meanwhile.
///
/// A warp of the path runs in a warp slot of the block that holds the state of its threads; the state of the other
/// threads occupies the remaining lanes and slots.

#include <array>
#include <vector>

#include "blocks/thread_block_compaction.hpp"
#include "models/kernel/analysis/divergence_analysis.hpp"
#include "models/protocols/scheme_kind.hpp"
#include "models/schemes/thread_block_compaction/block_stack.hpp"

namespace reconverge {

class ThreadBlockCompaction final : public Scheme {
 public:
  ThreadBlockCompaction(sc_core::sc_module_name name, const ThreadBlockCompactionParameters& parameters,
                        std::size_t warp_slots, std::size_t block_slots, std::size_t schedulers);

  void begin(const SchemeLaunch& launch) override;
  void tick(Cycle now) override;

  void add_statistics(Statistics& totals) const override {
    totals.of<ThreadBlockCompactionStatistics>() += statistics_;
  }
  const ThreadBlockCompactionStatistics& statistics() const { return statistics_; }

 private:
  /// A point at which the warps of a path wait for each other.
  struct Meeting {
    enum class Kind : std::uint8_t { none, branch, call, reconvergence, whole_warps } kind = Kind::none;
    kernel::Pc pc = kernel::no_pc;

    bool operator==(const Meeting&) const = default;
  };

  /// By lane: the warp that the thread began in.
  using Homes = std::array<std::uint8_t, warp_size>;

  /// A warp slot of the block.
  struct Slot {
    std::uint32_t number = 0;  // warp slot in the SM
    std::size_t row = 0;       // row of the current path that the slot runs
    Homes lies_in{};           // the threads whose state the slot holds
    bool at_barrier = false;
    kernel::Pc behind_barrier = 0;  // pc at which it continues after the barrier
  };
  static constexpr std::size_t no_row = ~std::size_t{0};

  struct Block {
    std::vector<Slot> slots;  // by home
    std::size_t live = 0;     // threads
    BlockStack stack;
    Meeting meeting;
    std::size_t awaited = 0;  // rows that have not arrived
    Cycle complete = 0;       // cycle in which the action of the last arrived row is complete
    Cycle waited = 0;         // waiting cycles of arrived rows, relative to cycle zero: negative, modulo 2^64
    std::vector<BlockStack::Departure> departures;  // by row
    std::size_t turn = 0;                           // the slot for the next row with several homes
  };
  struct Place {
    std::uint32_t block = 0;
    std::uint32_t slot = 0;
  };

  void start(SchemeRequest& request) override;
  void branch(SchemeRequest& request) override;
  void call(SchemeRequest& request) override;
  void leave(SchemeRequest& request) override;
  void exit(SchemeRequest& request) override;
  void stop(SchemeRequest& request) override;
  /// A warp of the path waits at a block barrier. If all warps of the path wait, only threads of other paths can
  /// arrive.
  void wait(SchemeRequest& request) override;
  void release(SchemeRequest& request) override;
  void ask(SchemeRequest& request) override;

  Block& block_of(const SchemeRequest& request) { return blocks_[places_[request.slot].block]; }
  Slot& slot_of(const SchemeRequest& request) { return block_of(request).slots[places_[request.slot].slot]; }
  /// The path continues at the next instruction with its remaining lanes.
  void go_on(SchemeRequest& request);
  /// Records the targets of the threads of the warp's row.
  void depart(const SchemeRequest& request);
  /// The warp arrives at the meeting when its last action is complete.
  void stop_at(SchemeRequest& request, const Meeting& meeting);
  void arrive(SchemeRequest& request);
  static bool waits(const Block& block, const BlockStack::Path& path);
  /// All rows have arrived: updates the stack. Returns whether warps were formed.
  bool meet(Block& block);
  /// Assigns the rows of the current path to warp slots, which continue.
  void place(Block& block, Cycle now, bool formed);
  void choose_slots(Block& block);
  void move_states(Block& block);

  ThreadBlockCompactionParameters parameters_;
  const kernel::Program* program_ = nullptr;
  kernel::ProgramKey prepared_;
  std::vector<bool> may_part_;  // by pc: branches that may diverge
  std::vector<Block> blocks_;   // by block slot
  std::vector<Place> places_;   // by warp slot
  std::vector<LaneMask> moves_;
  std::vector<std::uint32_t> moved_slots_;
  std::vector<Homes> next_lies_in_;
  ThreadBlockCompactionStatistics statistics_;
};

/// Bytes of thread numbers in the warp buffer of an SM with `warp_slots` warp slots (DRS section 4.5).
std::uint64_t warp_buffer_bytes(std::uint64_t warp_slots);

const SchemeKind& thread_block_compaction_scheme();

}  // namespace reconverge
