#pragma once
/// One of the schedulers of an SM: picks a warp, issues, and says what became of every issue slot.

#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>
#include <vector>

#include "blocks/warp_scheduler.hpp"
#include "models/protocols/issue.hpp"
#include "models/sm/program_image.hpp"
#include "models/sm/warp.hpp"

namespace reconverge {

/// What a scheduler tells the SM about its warps.
class SmEvents : public virtual sc_core::sc_interface {
 public:
  /// `lanes` of the warp ended. Returns true when they run again: new threads took their place.
  virtual bool threads_ended(Warp& warp, LaneMask lanes) = 0;
  /// `lanes` of the warp wait at the barrier of their block. When that was the last, the SM resumes them all.
  virtual void barrier_reached(Warp& warp, LaneMask lanes) = 0;
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

  /// `independent_lanes`: each lane has its own path, and one slot issues an instruction for every lane that can.
  WarpScheduler(sc_core::sc_module_name name, const WarpSchedulerParameters& parameters, bool independent_lanes);

  void add(Warp& warp);                   ///< the scheduler is responsible for this slot from now on
  void begin(const ProgramImage& image, Cycle now);
  void resume(const Warp& warp, Cycle cycle);  ///< the warp can issue from `cycle` on: it is new, or left a barrier

  /// Charges the slots of the cycles since the last tick, in which no warp could issue.
  void account_until(Cycle now);
  void tick(Cycle now);
  /// The next cycle in which a warp can issue; `never` when all are empty or wait for others.
  Cycle next_event() const;

  const WarpSchedulerStatistics& statistics() const { return statistics_; }

 private:
  struct Entry {
    Warp* warp = nullptr;
    Cycle ready = never;
    WarpSchedulerSlots cause = WarpSchedulerSlots::empty;  ///< why it is not ready before
  };

  Entry* pick(Cycle now);
  /// Issues the next instruction of the warp, unless its pipe is busy.
  bool issue(Entry& entry, Cycle now);
  bool issue_path(Entry& entry, Cycle now);
  bool issue_lanes(Entry& entry, Cycle now);
  bool send_to_pipe(IssueRequest& request);
  void report_operands(kernel::Pc pc);
  void tell_divergence(DivergenceEvent event, Warp& warp, LaneMask lanes_of_path, const IssueRequest& request);
  void follow(Entry& entry, const IssueRequest& request);
  void look_ahead(Entry& entry, kernel::Pc issued, const IssueRequest& request);
  WarpSchedulerSlots idle_cause() const;

  WarpSchedulerParameters parameters_;
  bool independent_lanes_;
  const ProgramImage* image_ = nullptr;
  std::vector<Entry> entries_;
  std::size_t last_ = 0;  // entry that issued last
  Cycle accounted_ = 0;   // slots of earlier cycles are charged
  WarpSchedulerStatistics statistics_;
};

}  // namespace reconverge
