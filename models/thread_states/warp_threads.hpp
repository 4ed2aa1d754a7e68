#pragma once
/// The threads of a warp on a machine that schedules them independently (Damani et al., "GPU Subwarp Interleaving",
/// HPCA 2022, section III-A, Fig. 7): a pc and a state for each, and convergence barriers. Plain logic, no SystemC, no
/// time.
///
/// A subwarp is all threads of the warp at one pc that may run together. One is ACTIVE at most; others are READY, wait
/// BLOCKED, or are STALLED. Who says which READY subwarp is next, and when one stalls, is the scheme.
///
/// A call is a barrier, too: its lanes wait behind it for each other. What a function joins lies in the frame of the
/// call, as if functions saved the registers that they use.

#include <array>
#include <vector>

#include "models/execution/path.hpp"
#include "models/protocols/thread_state.hpp"
#include "models/thread_states/barrier_code.hpp"

namespace reconverge {

class WarpThreads {
 public:
  /// What threads of a warp did, all warps added.
  struct Counts {
    std::uint64_t joins = 0, waits = 0, leaves = 0;  ///< warp instructions: BSSY, BSYNC, BREAK
    std::uint64_t spills = 0, fills = 0;             ///< warp instructions: BMOV to an ordinary register, and back
    std::uint64_t reconvergences = 0;                ///< barriers and calls at which the last thread came
    std::uint64_t opened = 0;                        ///< barriers that did not wait for all
  };
  /// Threads that go from a branch or call to one place.
  struct Side {
    kernel::Pc pc;
    LaneMask lanes;
  };

  /// Lanes begin at `pc` of a program with this code, which must outlive the warp; what was there before is forgotten.
  /// Gives the path that is ACTIVE, as `path` does after all else: without lanes where none is.
  Path start(const BarrierCode& code, LaneMask lanes, kernel::Pc pc);

  /// The places that lanes go to.
  class Sides {
   public:
    void add(kernel::Pc pc, LaneMask lanes);
    std::span<const Side> all() const { return {sides_.data(), count_}; }

   private:
    std::array<Side, warp_size + 1> sides_;
    std::size_t count_ = 0;
  };

  /// Where the lanes of the path go from a branch: those of `taken` to their targets, in the order of the lowest lane
  /// of each, then the others on.
  static Sides sides_of(const Path& path, LaneMask taken, const Targets& targets);
  /// They go there: side number `first` stays ACTIVE, the others are READY.
  void part(Path& path, std::span<const Side> sides, std::size_t first, Counts& counts);
  /// `lanes` of the path, some at least, make a call; the others wait behind it. The path is theirs now, and has yet to
  /// part.
  void call(Path& path, LaneMask lanes, Counts& counts);
  /// `lanes` of the path return from their function.
  void leave(Path& path, LaneMask lanes, const Targets& targets, Counts& counts);
  /// `lanes` of the path end.
  void exit(Path& path, LaneMask lanes, Counts& counts);
  /// The path came to its stop.
  void arrive(Path& path, Counts& counts);
  /// `lanes` of the path, which stands behind a barrier of the block, wait there; and go on.
  void wait(Path& path, LaneMask lanes, Counts& counts);
  void release(LaneMask lanes);
  /// The path becomes READY, or STALLED.
  void yield(Path& path) { set_aside(path, ready_); }
  void stall(Path& path) { set_aside(path, stalled_); }
  /// STALLED threads become READY.
  void wake(LaneMask lanes);

  /// The READY subwarp of `lane`, which becomes ACTIVE; no other is. It may come to wait at once.
  void activate(unsigned lane, Path& path, Counts& counts);
  /// Threads of the subwarp that a READY or STALLED lane is in.
  LaneMask subwarp_of(unsigned lane) const { return like(lane, (ready_ >> lane & 1U) != 0 ? ready_ : stalled_); }

  /// The path waits at an exchange that has not all its members yet: those that wait there become ACTIVE together as
  /// soon as they are complete. `lanes` of the path wait; `others` wait there and go on with the rest of it.
  void exchange(Path& path, LaneMask lanes, LaneMask others);
  /// Those that wait at the exchange at `pc`.
  LaneMask at_exchange(kernel::Pc pc) const;
  LaneMask at_exchanges() const { return at_exchange_; }
  /// They become READY and find the exchange as it is.
  void end_exchange(LaneMask lanes);

  /// Opens the barrier that the lowest waiting lane is at, though others have not come: those that are there become
  /// READY. Returns whether there is one. `among`: of these lanes.
  bool open(Counts& counts, LaneMask among = all_lanes);
  /// Lanes that wait at convergence barriers before the exchange at `pc`, in the function call in which lanes are at it
  /// (BarrierCode::comes_before).
  LaneMask before_exchange(kernel::Pc pc) const;

  LaneMask live() const { return live_; }
  LaneMask active() const { return active_; }
  LaneMask ready() const { return ready_; }
  LaneMask stalled() const { return stalled_; }
  LaneMask blocked() const { return live_ & ~(active_ | ready_ | stalled_); }
  /// Those that wait at a barrier of the block.
  LaneMask at_block_barrier() const { return at_block_; }
  ThreadState state(unsigned lane) const;
  /// Of a lane that is not ACTIVE.
  kernel::Pc pc(unsigned lane) const { return pc_[lane]; }
  /// Threads at one pc in one state together, for messages; `path`: the one that is ACTIVE.
  std::vector<Path> places(const Path& path) const;

 private:
  /// Calls under way. Frame 0 is that of the kernel.
  struct Frame {
    std::vector<LaneMask> barriers;             // by barrier: who has joined it and not met since
    std::vector<LaneMask> moved;                // by barrier: who has moved another away for it; empty: none is moved
    std::array<LaneMask, warp_size> callers{};  // by lane that called from here: those that wait for each other behind
  };

  Frame& frame(unsigned lane) { return frames_[depth_[lane]]; }
  /// Those of `lanes` that agree with `lane` in pc and operations done.
  LaneMask like(unsigned lane, LaneMask lanes) const;
  /// Those with the same depth as the first of them.
  LaneMask of_one_depth(LaneMask lanes) const;
  void place(LaneMask lanes, kernel::Pc pc, std::uint32_t done);
  void set_aside(Path& path, LaneMask& where);
  /// The path comes to an instruction by something else than falling through.
  void come_to(Path& path, kernel::Pc pc, Counts& counts);
  /// The path does what is before its instruction, as far as that is not done.
  void operate(Path& path, Counts& counts);
  /// `lanes` move another barrier away for `barrier`, and back. Whether any of them had not, or had.
  bool spill(LaneMask lanes, std::uint32_t barrier);
  bool fill(LaneMask lanes, std::uint32_t barrier);
  /// Calls `visit(lanes)` for those of each depth.
  template <typename Visit>
  void for_each_depth(LaneMask lanes, Visit&& visit) const {
    while (lanes != 0) {
      const LaneMask together = of_one_depth(lanes);
      visit(together);
      lanes &= ~together;
    }
  }
  /// `lanes` are in none of the barriers of a frame any more.
  static void forget(Frame& frame, LaneMask lanes);
  void meet(Path& path, std::uint32_t barrier, Counts& counts);
  LaneMask waiting_at(std::uint32_t depth, std::uint32_t barrier) const;
  /// Barriers and calls that wait for nobody any more let theirs go.
  void let_go(Counts& counts);
  /// Who is behind the call of a lane that waits there, together with it, when all are.
  LaneMask behind_call(unsigned lane) const;
  void make_ready(LaneMask lanes);

  const BarrierCode* code_ = nullptr;
  LaneMask live_ = 0;
  LaneMask active_ = 0;
  LaneMask ready_ = 0;
  LaneMask stalled_ = 0;
  // BLOCKED, by what they wait for:
  LaneMask at_barrier_ = 0;
  LaneMask at_call_ = 0;
  LaneMask at_exchange_ = 0;
  LaneMask at_block_ = 0;
  std::uint32_t done_ = 0;  // operations before its instruction that the ACTIVE subwarp has done
  // By lane that is not ACTIVE:
  std::array<kernel::Pc, warp_size> pc_{};
  std::array<std::uint32_t, warp_size> its_done_{};
  std::array<std::uint32_t, warp_size> its_barrier_{};  // of those at_barrier_
  std::array<std::uint32_t, warp_size> depth_{};        // of all: calls under way
  std::vector<Frame> frames_;
  std::uint32_t deepest_ = 0;  // frame that any lane has been in
};

}  // namespace reconverge
