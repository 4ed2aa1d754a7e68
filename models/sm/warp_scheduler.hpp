#pragma once
/// One of the schedulers of an SM: picks a warp, issues, and says what became of every issue slot.

#include <algorithm>
#include <array>
#include <bit>
#include <systemc>
#include <vector>

#include "blocks/warp_scheduler.hpp"
#include "models/execution/program_image.hpp"
#include "models/execution/stall_watch.hpp"
#include "models/execution/warp.hpp"
#include "models/protocols/fetch.hpp"
#include "models/protocols/issue.hpp"
#include "models/protocols/ray.hpp"
#include "models/sm/wake_ring.hpp"

namespace reconverge {

/// What a scheduler tells the SM about its warps.
class SmEvents : public virtual sc_core::sc_interface {
 public:
  /// `lanes` of the warp ended in cycle `now`. Returns true when they run again: new threads took their place.
  virtual bool threads_ended(Warp& warp, LaneMask lanes, Cycle now) = 0;
  /// `lanes` of the warp executed `barrier` of their block. Those that it completes, the SM resumes.
  virtual void barrier_reached(Warp& warp, const kernel::Instruction& barrier, LaneMask lanes, Cycle now) = 0;
};

class WarpScheduler : public sc_core::sc_module {
 public:
  template <typename Payload>
  using Initiator = ControlInitiatorSocket<WarpScheduler, Payload>;

  sc_core::sc_port<SmEvents> sm;
  Initiator<IssueRequest> issue;
  Initiator<ResultRequest> results;
  Initiator<ScoreboardRequest> scoreboard;
  Initiator<FetchRequest> fetch;
  Initiator<DivergenceRequest> divergence;
  Initiator<RayRequest> rays;  ///< dynamic ray shuffling; kernels with rdctrl alone use it

  /// `number`: of the scheduler in its SM. `independent_lanes`: threads have paths of their own, and each lane of a
  /// slot takes any thread of its column. `fetch_group`: instructions that a fetch brings; 0: they are always there.
  WarpScheduler(sc_core::sc_module_name name, std::uint32_t number, const WarpSchedulerParameters& parameters,
                bool independent_lanes, std::uint64_t fetch_group);

  /// The scheduler is responsible for this slot from now on; for 64 at most.
  void add(Warp& warp);
  void begin(const ProgramImage& image, Cycle now);
  /// The warp, which is new or left a barrier, can issue from `cycle` on; it is `now`.
  void resume(const Warp& warp, Cycle now, Cycle cycle);
  /// The warp issues nothing from `now` on, until it is resumed: its block runs without it, or has ended.
  void stand(const Warp& warp, Cycle now);
  /// A result that was not known at issue is there from a cycle on that has not been ticked yet.
  void write_back(const WritebackRequest& result);
  /// An instruction whose fetch had no known end is in the buffer of `warp` from `cycle` on, not ticked yet.
  void fetched(const Warp& warp, Cycle cycle);
  /// Warps that wait for a row of rays may get one from `now` on, a cycle not ticked yet.
  void retry_control(Cycle now) { retry(Cause::shuffling, now); }
  /// A pipe that did not know when it could take an instruction can from `now` on, a cycle not ticked yet.
  void retry_pipes(Cycle now) { retry(Cause::pipe, now); }

  /// Issues what can issue in this cycle. Cycles in which nothing can need no tick.
  void tick(Cycle now);
  /// The next cycle in which a warp can issue; `never` when all are empty or wait for others.
  Cycle next_event() const { return next_event_; }
  /// Charges the slots of cycles without a tick, up to but not including `now`.
  void account_until(Cycle now);

  /// Shows every issued instruction to `watch`; nullptr: to nobody.
  void show(StallWatch* watch) { watch_ = watch; }

  const WarpSchedulerStatistics& statistics() const { return statistics_; }

 private:
  using Cause = WarpSchedulerSlots;

  /// A warp slot. Which can issue, and what holds the others back, is in masks with a bit for each.
  struct Entry {
    Warp* warp = nullptr;
    Cause cause = Cause::empty;  ///< why it cannot issue, when it cannot
    std::uint8_t rank = 0;       ///< by age: of two warps the one launched earlier has the lower
    std::uint64_t age = ~std::uint64_t{0};
    bool registers_from_memory = false;
    bool has_control = false;          ///< rdctrl has its answer, but has not issued
    Cycle registers = 0;               ///< when those of the next instruction are there
    Cycle earliest = 0;                ///< when the next instruction is known
    Cycle fetched = 0;                 ///< when it is in the buffer
    kernel::Pc group = kernel::no_pc;  ///< the first instruction of the fetched group that it is in
  };

  unsigned entry_of(const Warp& warp) const { return warp.slot / stride_; }
  /// Those that the policy may choose from, when they can issue: two-level scheduling takes others only while it has
  /// places free.
  std::uint64_t eligible() const {
    const bool full = static_cast<std::uint64_t>(std::popcount(active_)) >= parameters_.active_warps;
    return parameters_.policy == WarpSchedulerPolicy::two_level && full ? active_ : ~std::uint64_t{0};
  }
  /// A new warp has the highest rank.
  void rank(unsigned entry);
  bool is_ready(unsigned entry) const { return (ready_ >> entry & 1U) != 0; }
  bool meets(unsigned entry) const { return (meeting_ >> entry & 1U) != 0; }
  /// Whether the policy asks for ranks.
  bool by_rank() const {
    return parameters_.policy == WarpSchedulerPolicy::greedy_then_oldest ||
           parameters_.policy == WarpSchedulerPolicy::oldest_first;
  }
  /// The entry cannot issue before `until`, because of `cause`.
  void hold(unsigned entry, Cause cause, Cycle until);
  /// The entry can issue when its registers and its instruction are there.
  void hold_until_ready(unsigned entry);
  /// The entry to issue from, among those that can; none: capacity.
  unsigned pick() const;
  unsigned oldest(std::uint64_t entries) const;
  /// Two-level scheduling: those that can issue take free places among the active warps.
  void fill_active();
  /// Fills the slots of a cycle from one warp, or lane by lane from all; returns how many were used.
  std::uint64_t issue_warp(Cycle now);
  std::uint64_t issue_threads(Cycle now);
  /// Entries whose warps have come to a meeting point with all their results.
  void arrive(std::uint64_t entries, Cycle now);
  /// Issues the next instruction of the warp's path, unless its pipe is busy.
  bool issue_path(unsigned entry, Cycle now);
  /// Issues one instruction for each thread of the warp that can and whose lane is free; returns how many executed.
  unsigned issue_lanes(unsigned entry, Cycle now, LaneMask& free);
  void retry(Cause cause, Cycle now);
  /// Whether an instruction that others have a say in can issue.
  bool may_issue(unsigned entry, const DecodedInstruction& decoded, Cycle now);
  /// Asks dynamic ray shuffling whether the next instruction, rdctrl or a report, can issue; rdctrl gets its answer.
  bool ask_for_rays(unsigned entry, const DecodedInstruction& decoded, Cycle now);
  void report_rays(Warp& warp, const IssueRequest& request);
  /// Sends the next instruction of the warp's path; `request` names the warp.
  void send(IssueRequest& request);
  void tell_divergence(DivergenceEvent event, Warp& warp, LaneMask lanes_of_path, const IssueRequest& request);
  /// Returns whether the warp has a next instruction, or a meeting point, to look ahead to.
  bool follow(unsigned entry, const IssueRequest& request);
  void look_ahead(unsigned entry, const IssueRequest& request);
  /// Finds what comes next, and what slots until then are lost to.
  void plan(Cycle now);
  /// What a cycle that issues nothing is lost to.
  Cause cause_of_idleness() const;

  std::uint32_t number_;
  WarpSchedulerParameters parameters_;
  bool independent_lanes_;
  kernel::Pc fetch_group_;
  const ProgramImage* image_ = nullptr;
  std::uint32_t stride_ = 1;  // between the slots of two entries
  std::vector<Entry> entries_;
  WakeRing ring_;                                                                 // when those that cannot issue will
  std::uint64_t ready_ = 0;                                                       // those that can
  std::uint64_t ready_ranks_ = 0;                                                 // the same, by rank
  std::vector<unsigned> entry_of_rank_;                                           // those of former warps included
  std::array<std::uint64_t, static_cast<std::size_t>(Cause::empty) + 1> held_{};  // those that cannot, by cause
  std::uint64_t meeting_ = 0;  // stopped at a meeting point, and waiting for their own results yet
  std::uint64_t active_ = 0;   // two-level: those to choose from
  unsigned last_ = 0;          // entry that issued last
  Cycle accounted_ = 0;        // slots of earlier cycles are charged
  Cycle next_event_ = never;
  Cause idle_cause_ = Cause::empty;
  StallWatch* watch_ = nullptr;
  WarpSchedulerStatistics statistics_;
};

inline void WarpScheduler::hold(unsigned entry, Cause cause, Cycle until) {
  const std::uint64_t bit = std::uint64_t{1} << entry;
  ready_ &= ~bit;
  ready_ranks_ &= ~(std::uint64_t{1} << entries_[entry].rank);
  held_[static_cast<std::size_t>(entries_[entry].cause)] &= ~bit;
  held_[static_cast<std::size_t>(cause)] |= bit;
  entries_[entry].cause = cause;
  if (cause == Cause::memory || cause == Cause::barrier || cause == Cause::empty || cause == Cause::compaction) {
    active_ &= ~bit;
  }
  ring_.set(entry, until);
}

inline void WarpScheduler::hold_until_ready(unsigned entry) {
  const Entry& one = entries_[entry];
  const Cycle known = std::max(one.registers, one.earliest);
  if (one.fetched > known && !meets(entry)) {
    hold(entry, Cause::fetch, one.fetched);
  } else {
    const bool memory = one.registers_from_memory && one.registers >= one.earliest;
    hold(entry, memory ? Cause::memory : Cause::dependency, known);
  }
}

}  // namespace reconverge
