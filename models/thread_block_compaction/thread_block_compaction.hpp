#pragma once
/// Thread block compaction (Fung and Aamodt, HPCA 2011; DRS sections 4.3 to 4.5) as the divergence scheme of an SM.
///
/// The warps of a block run one path at a time. Behind a branch that may part the block, at a reconvergence point and
/// before an instruction for whole warps a warp stops; when all warps of the path have come, the stack says which paths
/// there are now, the compactor puts their threads into warps, and these go on.
///
/// A warp of the path runs in a warp slot of the block with the state of its threads; all others lie in the lanes and
/// slots that are left.

#include <array>
#include <systemc>
#include <vector>

#include "blocks/thread_block_compaction.hpp"
#include "models/execution/warp.hpp"
#include "models/kernel/analysis/divergence_analysis.hpp"
#include "models/protocols/issue.hpp"
#include "models/thread_block_compaction/block_stack.hpp"

namespace reconverge {

class ThreadBlockCompaction : public sc_core::sc_module, private ControlTarget<DivergenceRequest> {
 public:
  ControlTargetSocket<DivergenceRequest> events;
  ControlInitiatorSocket<ThreadBlockCompaction, ResumeRequest> resumed;

  ThreadBlockCompaction(sc_core::sc_module_name name, const ThreadBlockCompactionParameters& parameters,
                        std::size_t block_slots);

  /// Begins a launch.
  void begin(const kernel::Program& program);

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

  struct Block {
    std::vector<Warp*> warps;  // by home
    std::size_t live = 0;      // threads
    BlockStack stack;
    Meeting meeting;
    std::size_t awaited = 0;  // rows that have not come to it
    Cycle waited = 0;         // by those that have, if it were cycle zero: less than zero, modulo 2^64
    std::vector<BlockStack::Departure> departures;  // by row
    std::vector<std::size_t> row_in;                // by warp: the row of the current path that it runs
    std::vector<Homes> lies_in;                     // by warp: the threads whose state it has
    std::size_t turn = 0;                           // the warp that takes the next row of several homes
  };
  static constexpr std::size_t no_row = ~std::size_t{0};

  void b_transport(DivergenceRequest& request, sc_core::sc_time& delay) override;
  void start(Block& block, const DivergenceRequest& request);
  void branch(Block& block, const DivergenceRequest& request);
  void call(Block& block, const DivergenceRequest& request);
  void end_threads(Block& block, const DivergenceRequest& request);
  /// The path goes on at the next instruction with the lanes that it has left.
  void go_on(Block& block, Warp& warp);
  /// Notes where the threads of the warp's row go.
  void depart(Block& block, const DivergenceRequest& request);
  void stop_at(Block& block, Warp& warp, const Meeting& meeting);
  void arrive(Block& block, const DivergenceRequest& request);
  /// A warp of the path waits at a barrier: when all do, only threads of other paths can come.
  void wait(Block& block, const DivergenceRequest& request);
  static bool waits(const Block& block, const BlockStack::Path& path);
  /// All have come: what the stack does. Returns whether warps were formed.
  bool meet(Block& block);
  /// Puts the rows of the current path into warps, which go on.
  void place(Block& block, Cycle now, bool formed);
  void choose_warps(Block& block);
  void move_states(Block& block);

  std::size_t& row_of(Block& block, const Warp& warp) const { return block.row_in[warp.context.position.warp]; }

  ThreadBlockCompactionParameters parameters_;
  const kernel::Program* program_ = nullptr;
  std::vector<bool> may_part_;  // by pc: branches
  std::vector<Block> blocks_;   // by block slot
  std::vector<LaneMask> moves_;
  std::vector<Homes> next_lies_in_;
  ThreadBlockCompactionStatistics statistics_;
};

/// Bytes of thread numbers in the warp buffer of an SM with so many warp slots (DRS section 4.5).
std::uint64_t warp_buffer_bytes(std::uint64_t warp_slots);

}  // namespace reconverge
