#pragma once
/// One of the schedulers of an SM: picks a warp, issues, and says what became of every issue slot.

#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>
#include <vector>

#include "blocks/warp_scheduler.hpp"
#include "models/protocols/issue.hpp"
#include "models/sm/program_image.hpp"
#include "models/sm/stall_watch.hpp"
#include "models/sm/warp.hpp"

namespace reconverge {

/// What a scheduler tells the SM about its warps.
class SmEvents : public virtual sc_core::sc_interface {
 public:
  /// `lanes` of the warp ended. Returns true when they run again: new threads took their place.
  virtual bool threads_ended(Warp& warp, LaneMask lanes) = 0;
  /// `lanes` of the warp executed `barrier` of their block. Those that it completes, the SM resumes.
  virtual void barrier_reached(Warp& warp, const kernel::Instruction& barrier, LaneMask lanes) = 0;
};

class WarpScheduler : public sc_core::sc_module {
 public:
  template <typename Payload>
  using Initiator = tlm_utils::simple_initiator_socket<WarpScheduler, 32, ControlProtocol<Payload>>;

  sc_core::sc_port<SmEvents> sm;
  Initiator<IssueRequest> lanes;
  Initiator<IssueRequest> load_store;
  Initiator<ScoreboardRequest> scoreboard;
  Initiator<OperandRequest> operands;
  Initiator<DivergenceRequest> divergence;

  /// `independent_lanes`: threads have paths of their own, and each lane of a slot takes any thread of its column.
  WarpScheduler(sc_core::sc_module_name name, const WarpSchedulerParameters& parameters, bool independent_lanes);

  void add(Warp& warp);  ///< the scheduler is responsible for this slot from now on
  void begin(const ProgramImage& image, Cycle now);
  /// The warp can issue from `cycle` on: it is new, or left a barrier.
  void resume(const Warp& warp, Cycle now, Cycle cycle);

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
  struct Entry {
    Warp* warp = nullptr;
    Cycle ready = never;
    WarpSchedulerSlots cause = WarpSchedulerSlots::empty;  ///< why it is not ready before
  };

  Entry* pick(Cycle now);
  /// Fills the slots of a cycle from one warp, or lane by lane from all; returns how many were used.
  std::uint64_t issue_warp(Cycle now);
  std::uint64_t issue_threads(Cycle now);
  /// Issues the next instruction of the warp's path, unless its pipe is busy.
  bool issue_path(Entry& entry, Cycle now);
  /// Issues one instruction for each thread of the warp that can and whose lane is free; returns how many executed.
  unsigned issue_lanes(Entry& entry, Cycle now, LaneMask& free);
  bool send_to_pipe(IssueRequest& request);
  void report_operands(kernel::Pc pc);
  void tell_divergence(DivergenceEvent event, Warp& warp, LaneMask lanes_of_path, const IssueRequest& request);
  void follow(Entry& entry, const IssueRequest& request);
  void look_ahead(Entry& entry, kernel::Pc issued, const IssueRequest& request);
  /// Finds what comes next, and what slots until then are lost to.
  void plan();

  WarpSchedulerParameters parameters_;
  bool independent_lanes_;
  const ProgramImage* image_ = nullptr;
  std::vector<Entry> entries_;
  std::size_t last_ = 0;  // entry that issued last
  Cycle accounted_ = 0;   // slots of earlier cycles are charged
  Cycle next_event_ = never;
  WarpSchedulerSlots idle_cause_ = WarpSchedulerSlots::empty;
  StallWatch* watch_ = nullptr;
  WarpSchedulerStatistics statistics_;
};

}  // namespace reconverge
