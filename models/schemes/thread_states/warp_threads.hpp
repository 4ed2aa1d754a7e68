// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The threads of a warp on a machine that schedules them independently (Damani et al., "GPU Subwarp Interleaving",
/// HPCA 2022, section III-A, Fig. 7): a pc and a state for each thread, and convergence barriers. Plain logic without
/// SystemC and timing.
///
/// A subwarp consists of all threads of the warp at one pc that may run together. At most one is ACTIVE; the others are
/// READY, BLOCKED or STALLED. The scheme selects the next READY subwarp, and decides when a subwarp stalls.
///
/// A call is also a barrier: its lanes wait for each other after it. The barriers that a function joins are stored in
/// the call's frame, as if functions saved the registers that they use.

#include <array>
#include <vector>

#include "models/execution/path.hpp"
#include "models/protocols/thread_state.hpp"
#include "models/schemes/thread_states/barrier_code.hpp"

namespace reconverge {

class WarpThreads {
 public:
  /// Operation counts, summed over all warps.
  struct Counts {
    std::uint64_t joins = 0, waits = 0, leaves = 0;  ///< warp instructions: BSSY, BSYNC, BREAK
    std::uint64_t spills = 0, fills = 0;             ///< warp instructions: BMOV to an ordinary register and back
    std::uint64_t reconvergences = 0;                ///< barriers and calls at which the last thread arrived
    std::uint64_t completed = 0;                     ///< barriers whose last threads arrived at a BSYNC and continue
    std::uint64_t opened = 0;                        ///< barriers that opened before all threads arrived
  };
  /// Threads that go from a branch or call to one pc.
  struct Side {
    kernel::Pc pc;
    LaneMask lanes;
  };

  /// Resets the warp: `lanes` begin at `pc` of a program with this code, which must outlive the warp. Returns the
  /// ACTIVE path, which has no lanes if no path is ACTIVE. After every other function, `path` is the ACTIVE path.
  Path start(const BarrierCode& code, LaneMask lanes, kernel::Pc pc);

  /// The sides of a branch or call.
  class Sides {
   public:
    void add(kernel::Pc pc, LaneMask lanes);
    std::span<const Side> all() const { return {sides_.data(), count_}; }

   private:
    std::array<Side, warp_size + 1> sides_;
    std::size_t count_ = 0;
  };

  /// The sides of a branch: first the targets of the lanes in `taken`, in order of their lowest lane, then the
  /// fall-through.
  static Sides sides_of(const Path& path, LaneMask taken, const Targets& targets);
  /// Splits the path: the side with index `first` stays ACTIVE, the others become READY.
  void part(Path& path, std::span<const Side> sides, std::size_t first, Counts& counts);
  /// `lanes` of the path (at least one) execute a call; the others wait after it. The path then has only the calling
  /// lanes, not yet split by target. `groups`: lanes that wait for each other after the call; empty: all lanes of the
  /// path.
  void call(Path& path, LaneMask lanes, Counts& counts, std::span<const Side> groups = {});
  /// `lanes` of the path return from their function.
  void leave(Path& path, LaneMask lanes, const Targets& targets, Counts& counts);
  /// `lanes` of the path end.
  void exit(Path& path, LaneMask lanes, Counts& counts);
  /// The path has reached its stop.
  void arrive(Path& path, Counts& counts);
  /// `lanes` of the path, whose pc is past a block barrier, wait there until `release`.
  void wait(Path& path, LaneMask lanes, Counts& counts);
  void release(LaneMask lanes);
  /// The path becomes READY or STALLED.
  void yield(Path& path) { set_aside(path, ready_); }
  void stall(Path& path) { set_aside(path, stalled_); }
  /// STALLED threads become READY.
  void wake(LaneMask lanes);

  /// Makes the READY subwarp of `lane` ACTIVE; no other may be ACTIVE. The subwarp may become BLOCKED immediately.
  void activate(unsigned lane, Path& path, Counts& counts);
  /// Threads of the subwarp of a READY or STALLED lane.
  LaneMask subwarp_of(unsigned lane) const { return like(lane, (ready_ >> lane & 1U) != 0 ? ready_ : stalled_); }

  /// The path is at an exchange at which some members are missing. `lanes` of the path wait. `others` already wait
  /// there, and continue with the rest of the path. The lanes at an exchange become ACTIVE together when it is
  /// complete.
  void exchange(Path& path, LaneMask lanes, LaneMask others);
  /// Lanes that wait at the exchange at `pc`.
  LaneMask at_exchange(kernel::Pc pc) const;
  LaneMask at_exchanges() const { return at_exchange_; }
  /// Makes waiting lanes READY; they execute the exchange with the members that have arrived.
  void end_exchange(LaneMask lanes);

  /// Lanes at convergence barriers, or at the end of a call, that wait for at least one of `lanes`.
  LaneMask waiting_for(LaneMask lanes) const;
  /// Opens the barrier of the lowest waiting lane in `among` before all lanes have arrived: its waiting lanes become
  /// READY. Returns whether there is such a barrier.
  bool open(Counts& counts, LaneMask among = all_lanes);
  /// Lanes that wait at convergence barriers before the exchange at `pc`, in the same function call as the lanes at the
  /// exchange (BarrierCode::comes_before).
  LaneMask before_exchange(kernel::Pc pc) const;

  LaneMask live() const { return live_; }
  LaneMask active() const { return active_; }
  LaneMask ready() const { return ready_; }
  LaneMask stalled() const { return stalled_; }
  LaneMask blocked() const { return live_ & ~(active_ | ready_ | stalled_); }
  /// Lanes that wait at a block barrier.
  LaneMask at_block_barrier() const { return at_block_; }
  ThreadState state(unsigned lane) const;
  /// The pc of a lane that is not ACTIVE.
  kernel::Pc pc(unsigned lane) const { return pc_[lane]; }
  /// The warp's paths, grouped by pc and state, for messages. `path`: the ACTIVE path.
  std::vector<Path> places(const Path& path) const;

 private:
  /// A function call in progress. Frame 0 is the kernel's.
  struct Frame {
    std::vector<LaneMask> barriers;  // by barrier: lanes that have joined it and not reconverged since
    std::vector<LaneMask> moved;  // by barrier: lanes that spilled another one for it; empty if the program moves none
    std::array<LaneMask, warp_size> callers{};  // by calling lane: the lanes that wait for each other after the call
  };

  Frame& frame(unsigned lane) { return frames_[depth_[lane]]; }
  /// The lanes in `lanes` with the same pc and the same executed operations as `lane`.
  LaneMask like(unsigned lane, LaneMask lanes) const;
  /// The lanes in `lanes` with the same call depth as the lowest one.
  LaneMask of_one_depth(LaneMask lanes) const;
  void place(LaneMask lanes, kernel::Pc pc, std::uint32_t done);
  void set_aside(Path& path, LaneMask& where);
  /// The path reaches `pc` by a transfer of control, not by falling through.
  void come_to(Path& path, kernel::Pc pc, Counts& counts);
  /// Executes the remaining barrier operations before the path's instruction.
  void operate(Path& path, Counts& counts);
  /// spill: `lanes` spill another barrier for `barrier`; fill: they restore it. Return whether this changed any lane.
  bool spill(LaneMask lanes, std::uint32_t barrier);
  bool fill(LaneMask lanes, std::uint32_t barrier);
  /// Calls `visit(lanes)` for the lanes of each call depth.
  template <typename Visit>
  void for_each_depth(LaneMask lanes, Visit&& visit) const {
    while (lanes != 0) {
      const LaneMask together = of_one_depth(lanes);
      visit(together);
      lanes &= ~together;
    }
  }
  /// Removes `lanes` from all barriers of a frame.
  static void forget(Frame& frame, LaneMask lanes);
  void meet(Path& path, std::uint32_t barrier, Counts& counts);
  LaneMask waiting_at(std::uint32_t depth, std::uint32_t barrier) const;
  /// Releases the lanes of barriers and calls that no longer wait for any lane.
  void let_go(Counts& counts);
  /// The lanes that wait after a call together with `lane`, if all have returned.
  LaneMask behind_call(unsigned lane) const;
  void make_ready(LaneMask lanes);

  const BarrierCode* code_ = nullptr;
  LaneMask live_ = 0;
  LaneMask active_ = 0;
  LaneMask ready_ = 0;
  LaneMask stalled_ = 0;
  // BLOCKED lanes, by what they wait for:
  LaneMask at_barrier_ = 0;
  LaneMask at_call_ = 0;
  LaneMask at_exchange_ = 0;
  LaneMask at_block_ = 0;
  std::uint32_t done_ = 0;  // barrier operations before its instruction that the ACTIVE subwarp has executed
  // By lane, if it is not ACTIVE:
  std::array<kernel::Pc, warp_size> pc_{};
  std::array<std::uint32_t, warp_size> its_done_{};
  std::array<std::uint32_t, warp_size> its_barrier_{};  // for lanes in at_barrier_
  std::array<std::uint32_t, warp_size> depth_{};        // for all lanes: call depth
  std::vector<Frame> frames_;
  std::uint32_t deepest_ = 0;  // deepest frame that any lane has been in
};

}  // namespace reconverge
