#pragma once
/// What schemes with convergence barriers have in common: the threads of each warp slot (WarpThreads), what they wait
/// for besides barriers, and that none waits for ever for one that waits for it.
///
/// Here a warp changes its subwarp where the ACTIVE one blocks or ends, and in the rounds of loops in which threads may
/// wait for each other, or at a subwarp_yield. A scheme says when else, and which is next.

#include <vector>

#include "models/protocols/scheme.hpp"
#include "models/thread_states/warp_threads.hpp"

namespace reconverge {

class BarrierScheme : public Scheme {
 public:
  struct Options {
    unsigned registers = kernel::volta_barriers;  ///< barriers of a warp
    Cycle switch_latency = 0;                     ///< from the end of a subwarp's turn to the first issue of the next
    std::uint64_t patience = 1;  ///< rounds after which barriers open to threads that may be waited for
    Cycle move_latency = 0;      ///< in which the warp issues nothing, for each barrier that is moved
  };
  /// For which of the scheme's causes its warps wait.
  struct Causes {
    std::uint8_t switching = 0;  ///< for the switch latency, and for barriers that are moved meanwhile
    std::uint8_t moving = 0;     ///< for barriers that are moved
    std::uint8_t elsewhere = 0;  ///< all threads wait for threads of other warps, or for each other
  };

  void begin(const SchemeLaunch& launch) override;
  std::vector<Path> places(std::uint32_t slot) const override;

 protected:
  struct WarpState {
    WarpThreads threads;
    Path path;                     ///< last named
    LaneMask passes_exchange = 0;  ///< lanes for which an exchange waits no longer
    unsigned last = 0;             ///< lane behind which the next turn begins
    std::uint64_t turns = 0;       ///< subwarps that have become ACTIVE
    std::uint64_t rounds = 0;      ///< of the ACTIVE subwarp while all others wait
  };
  struct Counts : WarpThreads::Counts {
    std::uint64_t branches = 0;
    std::uint64_t divergent_branches = 0;
    std::uint64_t switches = 0;
    std::uint64_t yields = 0;  ///< of these: in a waiting round
    std::uint64_t yields_by_instruction = 0;
  };

  BarrierScheme(sc_core::sc_module_name name, const SchemePlace& place, const Options& options, Causes causes);

  WarpState& warp_of(const SchemeRequest& request) { return warps_[request.slot]; }
  /// The number of the side that stays ACTIVE where a branch, jump table or call parts the path, and the program has no
  /// hint for it.
  virtual std::size_t first_side(const SchemeRequest& /*request*/, std::span<const WarpThreads::Side> /*sides*/) {
    return 0;
  }
  /// A subwarp of the warp is READY, and may become ACTIVE.
  virtual bool can_activate(std::uint32_t slot) const { return warps_[slot].threads.ready() != 0; }
  /// The READY lane of `warp` whose subwarp is next; there is one.
  unsigned next_ready(const WarpState& warp) const;
  /// No subwarp of the warp is ACTIVE, and threads live: answers what it does.
  virtual void choose(SchemeRequest& request);
  /// What threads do has changed: hears of each event that may have done so, when it has been answered.
  virtual void settled(const SchemeRequest& /*request*/) {}
  /// Answers with the path of the request, or with what there is in its place.
  void answer(SchemeRequest& request);
  /// The READY subwarp of `lane` becomes ACTIVE.
  void activate(SchemeRequest& request, unsigned lane);
  /// The ACTIVE subwarp becomes READY, and the next that was becomes ACTIVE; there is one.
  void yield(SchemeRequest& request);
  /// Nothing READY, nothing STALLED: makes some READY that wait for each other, if any.
  bool let_someone_go(std::uint32_t slot);
  /// Answers that the path of the request issues nothing before the switch is done.
  void run_after_switch(SchemeRequest& request) const;
  /// Lets the path that the request is answered with issue later, by the barriers that were moved since the last time.
  void wait_for_moves(SchemeRequest& request);
  /// The first cycle in which the warp can do anything after what it did last.
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
  /// The side at which a subwarp_first points; as many as there are: none.
  std::size_t hinted_side(std::span<const WarpThreads::Side> sides) const;
  /// Lanes of the path go to their targets, the others on. Returns whether they part.
  bool part(SchemeRequest& request);
  /// The ACTIVE subwarp begins another round of a loop in which it may wait for other threads.
  void begin_round(SchemeRequest& request);
  /// Of `lanes` at the exchange at `pc`: those that need wait for nobody. `passing`: those that its guard lets through.
  LaneMask complete(std::uint32_t slot, kernel::Pc pc, LaneMask lanes, LaneMask& passing);
  /// Exchanges that wait for nobody any more let theirs go.
  void end_exchanges(std::uint32_t slot);
  /// Of the exchanges that name no members and have not all threads: the first in the program; no_pc: none.
  kernel::Pc first_unnamed_exchange(const WarpThreads& threads) const;

  const kernel::Program* program_ = nullptr;
  BarrierCode code_;
  std::vector<kernel::Pc> first_;   // targets of the program's subwarp_first
  std::uint64_t moves_waited_ = 0;  // of counts_
};

}  // namespace reconverge
