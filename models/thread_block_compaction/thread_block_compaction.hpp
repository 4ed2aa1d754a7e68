#pragma once
/// Thread block compaction (Fung and Aamodt, HPCA 2011; DRS sections 4.3 to 4.5) as the divergence scheme of an SM.
///
/// The warps of a block run one path at a time. Behind a branch that may part the block, at a reconvergence point and
/// before an instruction for whole warps a warp stops; when all warps of the path have come, the stack says which paths
/// there are now, the compactor puts their threads into warps, and these go on. Loads may be on their way meanwhile.
///
/// A warp of the path runs in a warp slot of the block with the state of its threads; all others lie in the lanes and
/// slots that are left.

#include <array>
#include <vector>

#include "blocks/thread_block_compaction.hpp"
#include "models/kernel/analysis/divergence_analysis.hpp"
#include "models/protocols/scheme_kind.hpp"
#include "models/thread_block_compaction/block_stack.hpp"

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
  /// What the warps of a path wait for together.
  struct Meeting {
    enum class Kind : std::uint8_t { none, branch, call, reconvergence, whole_warps } kind = Kind::none;
    kernel::Pc pc = kernel::no_pc;

    bool operator==(const Meeting&) const = default;
  };

  /// By lane: the warp that a thread began in.
  using Homes = std::array<std::uint8_t, warp_size>;

  /// A warp slot of the block.
  struct Slot {
    std::uint32_t number = 0;  // in the SM
    std::size_t row = 0;       // of the current path, that it runs
    Homes lies_in{};           // the threads whose state it has
    bool at_barrier = false;
    kernel::Pc behind_barrier = 0;  // where it goes on then
  };
  static constexpr std::size_t no_row = ~std::size_t{0};

  struct Block {
    std::vector<Slot> slots;  // by home
    std::size_t live = 0;     // threads
    BlockStack stack;
    Meeting meeting;
    std::size_t awaited = 0;  // rows that have not come to it
    Cycle complete = 0;       // when the last one that came is there
    Cycle waited = 0;         // by those that have, if it were cycle zero: less than zero, modulo 2^64
    std::vector<BlockStack::Departure> departures;  // by row
    std::size_t turn = 0;                           // the slot that takes the next row of several homes
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
  /// A warp of the path waits at a barrier: when all do, only threads of other paths can come.
  void wait(SchemeRequest& request) override;
  void release(SchemeRequest& request) override;
  void ask(SchemeRequest& request) override;

  Block& block_of(const SchemeRequest& request) { return blocks_[places_[request.slot].block]; }
  Slot& slot_of(const SchemeRequest& request) { return block_of(request).slots[places_[request.slot].slot]; }
  /// The path goes on at the next instruction with the lanes that it has left.
  void go_on(SchemeRequest& request);
  /// Notes where the threads of the warp's row go.
  void depart(const SchemeRequest& request);
  /// The warp has come to the meeting when what it did last is done.
  void stop_at(SchemeRequest& request, const Meeting& meeting);
  void arrive(SchemeRequest& request);
  static bool waits(const Block& block, const BlockStack::Path& path);
  /// All have come: what the stack does. Returns whether warps were formed.
  bool meet(Block& block);
  /// Puts the rows of the current path into warps, which go on.
  void place(Block& block, Cycle now, bool formed);
  void choose_slots(Block& block);
  void move_states(Block& block);

  ThreadBlockCompactionParameters parameters_;
  const kernel::Program* program_ = nullptr;
  std::vector<bool> may_part_;  // by pc: branches
  std::vector<Block> blocks_;   // by block slot
  std::vector<Place> places_;   // by warp slot
  std::vector<LaneMask> moves_;
  std::vector<std::uint32_t> moved_slots_;
  std::vector<Homes> next_lies_in_;
  ThreadBlockCompactionStatistics statistics_;
};

/// Bytes of thread numbers in the warp buffer of an SM with so many warp slots (DRS section 4.5).
std::uint64_t warp_buffer_bytes(std::uint64_t warp_slots);

const SchemeKind& thread_block_compaction_scheme();

}  // namespace reconverge
