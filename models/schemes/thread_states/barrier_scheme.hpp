// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The common part of schemes with convergence barriers: it manages the threads of each warp slot (WarpThreads) and
/// their waits other than for barriers, and prevents deadlocks between threads that wait for each other.
///
/// A warp switches to another subwarp if the ACTIVE one blocks or ends, in iterations of loops in which threads may
/// wait for each other, and at a subwarp_yield. A derived scheme adds further switches and selects the next subwarp.

#include <vector>

#include "models/protocols/scheme.hpp"
#include "models/schemes/thread_states/warp_threads.hpp"

namespace reconverge {

class BarrierScheme : public Scheme {
 public:
  struct Options {
    unsigned registers = kernel::volta_barriers;  ///< barrier registers of a warp
    Cycle switch_latency = 0;                     ///< from the end of a subwarp's turn to the first issue of the next
    std::uint64_t patience = 1;       ///< loop iterations after which barriers release threads that others may wait for
    Cycle move_latency = 0;           ///< cycles without issue of the warp, for each barrier that is moved
    Cycle reconvergence_latency = 0;  ///< from the last arrival at a BSYNC to the next issue
    Cycle nested_latency = 0;         ///< from a divergent branch, if the warp has another subwarp that is not BLOCKED
    Cycle table_latency = 0;          ///< from a jump table to the first issue of each of its paths
    bool fewer_lanes_first = false;   ///< the path with fewer lanes runs first
    bool holder_first = false;        ///< in a waiting loop, the turn goes to threads that wait at a barrier
    bool calls_apart = false;         ///< after a call through a pointer, lanes wait for those in the same function
  };
  /// The scheme's stall causes.
  struct Causes {
    std::uint8_t switching = 0;  ///< the switch latency, barriers that are moved meanwhile, and the latencies of
                                 ///< branches and reconvergences
    std::uint8_t moving = 0;     ///< barriers that are moved
    std::uint8_t elsewhere = 0;  ///< all threads wait for threads of other warps, or for each other
  };

  void begin(const SchemeLaunch& launch) override;
  std::vector<Path> places(std::uint32_t slot) const override;

 protected:
  struct WarpState {
    WarpThreads threads;
    Path path;                     ///< the last path in an answer
    LaneMask passes_exchange = 0;  ///< lanes that an exchange no longer waits for
    LaneMask in_table = 0;         ///< READY lanes of a jump table's paths that have not begun
    LaneMask owes_round = 0;       ///< READY lanes that began an iteration of a waiting loop without a yield
    unsigned last = 0;             ///< lane after which the search for the next turn begins
    std::uint64_t turns = 0;       ///< subwarps that have become ACTIVE
    std::uint64_t rounds = 0;      ///< loop iterations while threads wait at a barrier for the ACTIVE subwarp
  };
  struct Counts : WarpThreads::Counts {
    std::uint64_t branches = 0;
    std::uint64_t divergent_branches = 0;
    std::uint64_t switches = 0;
    std::uint64_t yields = 0;  ///< the yields in a waiting loop among these
    std::uint64_t yields_by_instruction = 0;
  };

  BarrierScheme(sc_core::sc_module_name name, const SchemePlace& place, const Options& options, Causes causes);

  WarpState& warp_of(const SchemeRequest& request) { return warps_[request.slot]; }
  /// The index of the side that stays ACTIVE if a branch, jump table or call splits the path and the program has no
  /// hint.
  virtual std::size_t first_side(const SchemeRequest& request, std::span<const WarpThreads::Side> sides);
  /// Whether a subwarp of the warp is READY and may become ACTIVE.
  virtual bool can_activate(std::uint32_t slot) const { return warps_[slot].threads.ready() != 0; }
  /// The READY lane of `warp` whose subwarp is next. There must be a READY lane.
  unsigned next_ready(const WarpState& warp) const;
  /// Answers a request of a warp that has live threads but no ACTIVE subwarp.
  virtual void choose(SchemeRequest& request);
  /// Called after each event that may have changed thread states, once it has been answered.
  virtual void settled(const SchemeRequest& /*request*/) {}
  /// Answers with the path of the request, or with its replacement.
  void answer(SchemeRequest& request);
  /// Makes the READY subwarp of `lane` ACTIVE.
  void activate(SchemeRequest& request, unsigned lane);
  /// Makes the next READY subwarp ACTIVE; there must be one. Returns whether a subwarp is ACTIVE now.
  bool activate_next(SchemeRequest& request);
  /// Makes the ACTIVE subwarp READY and the next READY subwarp ACTIVE. There must be one.
  void yield(SchemeRequest& request);
  /// If no subwarp is READY or STALLED: makes some subwarps that wait for each other READY, if any.
  bool let_someone_go(std::uint32_t slot);
  /// Answers that the path of the request does not issue until the switch latency has passed.
  void run_after_switch(SchemeRequest& request) const;
  /// Delays the answered path by the latencies since the last call: moves of barriers, reconvergences, and branches.
  void wait_for_latencies(SchemeRequest& request);
  /// The first cycle in which the warp can act after its last action.
  static Cycle free_from(const SchemeRequest& request);

  const BarrierCode& code() const { return code_; }
  const kernel::Program& program() const { return *program_; }
  Options options_;
  Causes causes_;
  std::vector<WarpState> warps_;  // by slot
  Counts counts_;

  void start(SchemeRequest& request) override;
  void branch(SchemeRequest& request) override;
  void call(SchemeRequest& request) override;
  void leave(SchemeRequest& request) override;
  void exit(SchemeRequest& request) override;
  void stop(SchemeRequest& request) override;
  void wait(SchemeRequest& request) override;
  void release(SchemeRequest& request) override;
  void ask(SchemeRequest& request) override;
  void issued(SchemeRequest& request) override;

 private:
  /// The index of the side that a subwarp_first points to; the number of sides if there is none.
  std::size_t hinted_side(std::span<const WarpThreads::Side> sides) const;
  /// Moves lanes of the path to their targets; the others fall through. Returns whether they diverge.
  bool part(SchemeRequest& request);
  /// The ACTIVE subwarp begins an iteration of a loop in which it may wait for other threads.
  void begin_round(SchemeRequest& request);
  /// If the subwarp has waited long enough, opens a barrier whose threads may have to continue first. Returns the lanes
  /// that become READY.
  LaneMask open_for_round(const SchemeRequest& request);
  /// The lanes among `lanes`, at the exchange at `pc`, that need not wait. `passing`: the lanes whose guard is true.
  LaneMask complete(std::uint32_t slot, kernel::Pc pc, LaneMask lanes, LaneMask& passing);
  /// Releases the lanes of exchanges that no longer wait for any lane.
  void end_exchanges(std::uint32_t slot);
  /// The first incomplete exchange without a member mask, in program order; no_pc if there is none.
  kernel::Pc first_unnamed_exchange(const WarpThreads& threads) const;

  const kernel::Program* program_ = nullptr;
  kernel::ProgramKey prepared_;
  BarrierCode code_;
  std::vector<kernel::Pc> first_;       // targets of the program's subwarp_first
  std::uint64_t moves_waited_ = 0;      // of counts_
  std::uint64_t completed_waited_ = 0;  // of counts_
  Cycle owed_ = 0;                      // latencies of branches that the answer must include
};

}  // namespace reconverge
