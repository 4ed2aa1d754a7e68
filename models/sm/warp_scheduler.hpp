// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A warp scheduler of an SM: selects warps, issues their instructions, and accounts for every issue slot.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <functional>
#include <systemc>
#include <utility>
#include <vector>

#include "blocks/warp_scheduler.hpp"
#include "models/execution/program_image.hpp"
#include "models/execution/stall_watch.hpp"
#include "models/execution/warp.hpp"
#include "models/protocols/fetch.hpp"
#include "models/protocols/issue.hpp"
#include "models/protocols/observer.hpp"
#include "models/protocols/run_history.hpp"
#include "models/protocols/scheme.hpp"
#include "models/sm/instruction_fetch.hpp"
#include "models/sm/operand_collector.hpp"
#include "models/sm/wake_ring.hpp"
#include "models/sm/warp_scoreboard.hpp"

namespace reconverge {

/// A scheduler's notifications and questions to the SM.
class SmEvents : public virtual sc_core::sc_interface {
 public:
  /// `lanes` of the warp ended in cycle `now`. New threads may have replaced them when it returns.
  virtual void threads_ended(Warp& warp, LaneMask lanes, Cycle now) = 0;
  /// `lanes` of the warp executed `barrier` of their block. The SM resumes the warps for which this completes the
  /// barrier.
  virtual void barrier_reached(Warp& warp, const kernel::Instruction& barrier, LaneMask lanes, Cycle now) = 0;
  /// The first cycle, from `now` on, in which the load/store unit may accept an instruction of scheduler `number`;
  /// `never`: the SM reports it. Schedulers that compete for the unit need not send instructions that it would refuse.
  virtual Cycle load_store_room(std::uint32_t /*number*/, Cycle now) { return now; }
};

class WarpScheduler : public sc_core::sc_module {
 public:
  template <typename Payload>
  using Initiator = ControlInitiatorSocket<WarpScheduler, Payload>;

  sc_core::sc_port<SmEvents> sm;
  DirectInitiatorSocket<WarpScheduler, IssueRequest, OperandCollector> issue;
  Initiator<ResultRequest> results;
  DirectInitiatorSocket<WarpScheduler, ScoreboardRequest, WarpScoreboard> scoreboard;
  DirectInitiatorSocket<WarpScheduler, FetchRequest, InstructionFetch> fetch;
  /// The path scheme first, then the schemes that handle only their extension instructions.
  std::vector<std::unique_ptr<Initiator<SchemeRequest>>> schemes;

  /// The scheduler's view of a scheme. `first_cause`: the cause that slots are charged to while the scheme holds a warp
  /// for its first reason. The scheme has `causes` reasons, with consecutive causes.
  struct SchemePort {
    SchemeTraits traits;
    WarpSchedulerSlots first_cause = WarpSchedulerSlots::causes;
    std::size_t causes = 0;
  };
  /// The kind of each warp's instruction buffer. `group`: number of instructions that a fetch adds.
  struct Buffering {
    InstructionBuffer buffer = InstructionBuffer::ideal;
    std::uint64_t group = 0;
  };
  /// `number`: the scheduler's number in its SM. `ports`: one for each scheme, the path scheme first.
  WarpScheduler(sc_core::sc_module_name name, std::uint32_t number, const WarpSchedulerParameters& parameters,
                std::span<const SchemePort> ports, const Buffering& buffering);

  /// Assigns this warp slot to the scheduler, which can have at most 64.
  void add(Warp& warp);
  /// `owner_of_extension`: the scheme number of each extension instruction of the program (Program::extensions).
  void begin(const ProgramImage& image, std::span<const std::uint8_t> owner_of_extension, Cycle now);
  /// The warp, which is new or left a barrier, can issue from `cycle` on; the current cycle is `now`.
  void resume(const Warp& warp, Cycle now, Cycle cycle);
  /// The warp issues no instruction from `now` on, until `until` or until it is resumed: scheme `number` holds it for
  /// `cause`, or it has no threads.
  void stand(const Warp& warp, Cycle now, std::size_t number = 0, std::uint8_t cause = 0, Cycle until = never);
  /// Sets when a result is available whose time was not known at issue: a cycle that has not been ticked yet.
  void write_back(const WritebackRequest& result);
  /// A result of another warp has set when registers of threads in `warp` are ready.
  void look_again(const Warp& warp);
  /// An instruction whose fetch time was not known is in the buffer of `warp` from `cycle` on, which has not been
  /// ticked.
  void fetched(const Warp& warp, Cycle cycle);
  /// Warps that scheme `number` holds for `cause`, without a known end, retry in `cycle`, which has not been ticked.
  void retry_scheme(std::size_t number, std::uint8_t cause, Cycle cycle) { retry(cause_of(number, cause), cycle); }
  /// A pipe whose next free cycle was not known accepts instructions from `now` on, a cycle that has not been ticked.
  void retry_pipes(Cycle now) { retry(Cause::pipe, now); }

  /// Issues the instructions of this cycle. Cycles in which no warp can issue need no tick.
  void tick(Cycle now);
  /// The next cycle in which a warp can issue; `never` if all warps are empty or wait for others.
  Cycle next_event() const { return *next_event_; }
  /// Keeps the next event in `place`, next to those of other schedulers, and sets `moved` when it changes other than by
  /// a tick.
  void keep_next_event(Cycle& place, bool& moved) {
    next_event_ = &place;
    moved_ = &moved;
  }
  /// Charges the slots of cycles without a tick, up to but not including `now`.
  void account_until(Cycle now);

  /// The launch ended before cycle `end`: charges the remaining slots.
  void finish(Cycle end);

  /// Gets the slot counts of an interval of a launch; intervals are numbered from zero.
  using SlotSink = std::function<void(std::size_t number, const SlotCounts& slots)>;
  /// Calls `sink` from the next launch on, every `interval` cycles and at the end of the launch; 0: never.
  void record(Cycle interval, SlotSink sink) {
    interval_ = interval;
    sink_ = std::move(sink);
  }

  /// Reports every issued instruction to `watch`; nullptr: no reports.
  void show(StallWatch* watch) { watch_ = watch; }
  /// Notifies `observer` of events, on SM number `sm_number`; nullptr: no observer. Call it between launches.
  void observe(SmObserver* observer, std::uint32_t sm_number) {
    observer_ = observer;
    sm_ = sm_number;
  }

  const WarpSchedulerStatistics& statistics() const { return statistics_; }

 private:
  using Cause = WarpSchedulerSlots;

  /// Adds the samples that end no later than `now`.
  [[gnu::noinline]] void sample_until(Cycle now);
  /// Adds a sample with the counts since the last one.
  void add_sample();
  /// The counts so far.
  SlotCounts counted() const;
  /// Charges the slots of cycles without a tick, up to but not including `now`, to their causes.
  void charge_until(Cycle now);

  /// A warp slot. Masks with one bit for each entry contain the entries that can issue, and the causes of the others.
  struct alignas(64) Entry {
    Warp* warp = nullptr;
    const DecodedInstruction* next = nullptr;  ///< next instruction of the path, since the last look-ahead
    std::uint64_t age = ~std::uint64_t{0};
    Cycle registers = 0;                ///< when the registers of the next instruction are ready
    Cycle earliest = 0;                 ///< a lower bound for the next issue, for example after a branch
    Cycle fetched = 0;                  ///< when the next instruction is in the buffer
    kernel::Pc first = kernel::no_pc;   ///< the first instruction in the buffer; no_pc: nothing was fetched yet
    kernel::Pc end = kernel::no_pc;     ///< after the last instruction in the buffer
    kernel::Pc issued = kernel::no_pc;  ///< last issued instruction; only with an observer
    Cause cause = Cause::empty;         ///< why it cannot issue, unless it waits with others for the load/store unit
    std::uint8_t rank = 0;              ///< by age: of two warps, the one launched earlier has the lower rank
    bool registers_from_memory = false;

    /// Empties the buffer for the next warp in this slot.
    void forget_buffer() { first = end = kernel::no_pc; }
    /// Fetches what an issue needs into the host's first-level cache, which does not hold all warps.
    void prefetch() const {
      const auto* const state = reinterpret_cast<const std::byte*>(warp);
      const auto* const instruction = reinterpret_cast<const std::byte*>(next);
      for (const std::byte* const line : {state, state + 64, instruction, instruction + 64}) __builtin_prefetch(line);
    }
  };

  unsigned entry_of(const Warp& warp) const { return warp.slot / stride_; }
  void note_unit(unsigned entry, bool waits) {
    const std::uint64_t bit = std::uint64_t{1} << entry;
    waits_for_units_ = (waits_for_units_ & ~bit) | std::uint64_t{waits} << entry;
  }
  /// Entries that the policy may choose from if they can issue. Two-level scheduling accepts inactive warps only if the
  /// number of active warps is below its limit.
  std::uint64_t eligible() const {
    if (parameters_.policy != WarpSchedulerPolicy::two_level) return ~std::uint64_t{0};
    const bool full = static_cast<std::uint64_t>(std::popcount(active_)) >= parameters_.active_warps;
    return full ? active_ : ~std::uint64_t{0};
  }
  /// Entries that the policy can currently choose from.
  std::uint64_t choosable() const {
    return parameters_.policy == WarpSchedulerPolicy::two_level ? ready_ & active_ : ready_;
  }
  /// A new warp has the highest rank.
  void rank(const Warp& warp);
  bool is_ready(unsigned entry) const { return (ready_ >> entry & 1U) != 0; }
  /// The entry that issued last, if it is ready; otherwise `other`. Without a branch.
  unsigned last_or(unsigned other) const {
    const unsigned chosen = 0U - unsigned{is_ready(last_)};
    return (last_ & chosen) | (other & ~chosen);
  }
  bool is_held(unsigned entry, Cause cause) const { return (held_[cause] >> entry & 1U) != 0; }
  /// Throws std::logic_error if the scheme has no such cause.
  Cause cause_of(std::size_t scheme, std::uint8_t cause) const;
  /// The entry cannot issue before `until`, because of `cause`.
  void hold(unsigned entry, Cause cause, Cycle until);
  /// The entry can issue when its registers are ready and its instruction is fetched.
  void hold_until_ready(unsigned entry);
  /// The ready entry to issue from; WakeRing::capacity: none.
  unsigned pick() const;
  unsigned oldest(std::uint64_t entries) const;
  /// Two-level scheduling: ready entries become active, up to the limit of active warps.
  [[gnu::noinline]] void fill_active();
  /// Fills the slots of a cycle from one warp, or lane by lane from all warps. Returns the number of used slots.
  std::uint64_t issue_warp(Cycle now);
  [[gnu::noinline]] std::uint64_t issue_threads(Cycle now);
  /// The same as `issue_path`, without a message to a load/store unit that has no room.
  bool try_issue(unsigned entry, Cycle now);
  /// Issues the next instruction of the warp's path, unless its pipe is busy.
  [[gnu::noinline]] bool issue_path(unsigned entry, Cycle now);
  // Separate functions that the issue of an instruction rarely calls get a copy of the request, as in
  // DirectInitiatorSocket.
  /// No instruction issued. Other entries that would also be refused need no attempt.
  [[gnu::noinline]] void refuse(unsigned entry, IssueRequest request);
  /// The load/store unit accepts no instruction of this entry, or of other ready ones, before `until`.
  [[gnu::noinline]] void close_load_store(unsigned entry, Cycle until);
  /// The entries that wait for the load/store unit are ready, unless they are the only ones and it has no room.
  [[gnu::noinline]] void try_load_store(Cycle now);
  /// The entry leaves the group that waits for the load/store unit.
  void leave_closed(unsigned entry);
  /// Issues an instruction for each thread of the warp that can issue and whose lane is free. Returns their number.
  unsigned issue_lanes(unsigned entry, Cycle now, LaneMask& free);
  void follow_lanes(const IssueRequest& request);
  void retry(Cause cause, Cycle now);
  /// Whether an instruction that a scheme decides on can issue.
  [[gnu::noinline]] bool may_issue(unsigned entry, const DecodedInstruction& decoded, Cycle now);
  /// Sends the next instruction of the warp's path; `request` names both.
  void send(IssueRequest& request);
  /// Sends `message` to scheme `number`, and copies the path of its answer.
  void tell(SchemeRequest& message, std::size_t number, Warp& warp);
  static SchemeRequest message_of(SchemeEvent event, const Warp& warp, LaneMask lanes, const IssueRequest& request);
  /// Sends an event to the path scheme. Returns whether the warp continues.
  [[gnu::noinline]] bool turn(unsigned entry, SchemeEvent event, LaneMask lanes, IssueRequest request);
  /// The scheme no longer holds these entries: they continue when their registers are ready and their instructions
  /// fetched.
  [[gnu::noinline]] void end_waits(std::uint64_t entries, Cycle now);
  /// Applies the answer of a scheme to the entry. Returns whether the warp continues.
  bool obey(unsigned entry, std::size_t number, const SchemeRequest& answered);
  /// Returns whether the warp has a next instruction to look ahead to.
  bool follow(unsigned entry, const IssueRequest& request);
  /// To the next instruction, which may be the end of the path.
  bool advance(unsigned entry, const IssueRequest& request) {
    Path& path = request.warp->path;
    return ++path.pc != path.stop || turn(entry, SchemeEvent::stop, path.lanes, request);
  }
  [[gnu::noinline]] bool follow_extension(unsigned entry, IssueRequest request);
  [[gnu::noinline]] bool follow_barrier(unsigned entry, IssueRequest request);
  bool follow_partial_barrier(unsigned entry, const IssueRequest& request);
  /// Records the results of an instruction whose warp does not look ahead.
  void note_results(const IssueRequest& request);
  void announce_results(const IssueRequest& request);
  /// Reports an operation that a scoreboard counts. `stands`: the scheme may change the path; returns whether the warp
  /// keeps its current path.
  bool tell_load(const IssueRequest& request, bool stands);
  /// Sends the events of an issued instruction that the path scheme receives. Returns whether the warp keeps its
  /// current path.
  [[gnu::noinline]] bool report(unsigned entry, IssueRequest request);
  void look_ahead(unsigned entry, const IssueRequest& request);
  bool in_buffer(const Entry& entry, kernel::Pc pc) const {
    // Without branches, which the host would predict poorly. `first` is never after `end`.
    const bool in_reach = buffer_ == InstructionBuffer::groups;
    return static_cast<bool>(unsigned{pc - entry.first < entry.end - entry.first} &
                             (unsigned{in_reach} | unsigned{pc == entry.first}));
  }
  /// Requests the next instruction of the entry's warp, which is not in its buffer.
  [[gnu::noinline]] void ask_fetch(unsigned entry, Cycle now);
  /// The warp runs another path from now on, which issues no instruction before `from`.
  void run_another(unsigned entry, Cycle from, Cycle now);
  /// Finds when the registers of the path's next instruction are ready. `request`: the instruction that has just
  /// issued.
  void ask_scoreboard(unsigned entry, const IssueRequest& request);
  /// If the path cannot issue soon, the scheme may select another.
  void tell_stall(unsigned entry, const IssueRequest& request);
  std::uint64_t all_entries() const {
    return entries_.size() == WakeRing::capacity ? ~std::uint64_t{0} : (std::uint64_t{1} << entries_.size()) - 1;
  }
  /// The first cycle, not ticked yet, in which an entry may issue.
  Cycle next_chance() const {
    // All low bits of `never` are ones: this needs no branch, which the host would predict poorly.
    const Cycle chosen = std::max(accounted_, refused_until_) | (never & -Cycle{(ready_ & eligible()) == 0});
    return std::min({chosen, ring_.next(), closed_until_});
  }
  /// Finds the next event, and the cause that slots until then are charged to, except for the `issued` ones of a tick.
  void plan();
  void plan_after(std::uint64_t issued);
  /// The same between ticks, for events that may occur earlier than planned. A ready entry may also become active.
  void bring_forward();
  /// Finds whether warps stall for loads in cycles that issue nothing, and whether any of these has diverged.
  void find_load_stalls();
  void charge_load_stalls(Cycle cycles);
  /// The cause that a cycle without an issue is charged to.
  Cause cause_of_idleness() const;
  // Separate functions, because most ticks do not need them:
  /// The first cause for which a scheme holds an entry; `empty`: none.
  [[gnu::noinline]] Cause held_by_schemes() const;
  /// Entries that schemes hold until results of memory arrive.
  [[gnu::noinline]] std::uint64_t held_for_loads() const;

  // For the observer:
  WarpPlace place_of(const Warp& warp, kernel::Pc pc) const { return {sm_, warp.slot, pc}; }
  /// Called before the path continues.
  [[gnu::noinline]] void note_issue(IssueRequest request, LaneMask lanes, bool separately);
  void note_branch(const SchemeRequest& branch, bool separately);
  /// Finds the warp that `idle_cause_` is charged to.
  [[gnu::noinline]] void find_idle_place();
  /// Reports all slots of these cycles.
  [[gnu::noinline]] void note_lost(Cycle from, Cycle cycles);

  std::uint32_t number_;
  WarpSchedulerParameters parameters_;
  std::vector<SchemePort> ports_;
  SchemeTraits traits_;  // of the path scheme
  bool reports_;         // it receives `load`, `result` or `stall` events
  InstructionBuffer buffer_;
  kernel::Pc fetch_group_;
  const ProgramImage* image_ = nullptr;
  std::vector<std::uint8_t> owner_of_extension_;
  std::uint32_t stride_ = 1;  // between the slots of two entries
  std::vector<Entry> entries_;
  WakeRing ring_;                           // when entries that cannot issue will
  std::uint64_t ready_ = 0;                 // entries that can issue
  std::uint64_t ready_ranks_ = 0;           // the same, by rank
  std::vector<unsigned> entry_of_rank_;     // including those of former warps
  std::uint64_t for_load_store_ = 0;        // entries whose next instruction is for it, without a scheme's decision
  std::uint64_t for_load_store_ranks_ = 0;  // the same, by rank
  // Many entries wait for the load/store unit, and only one gets it at a time: they wait as a group, not in the ring.
  std::uint64_t closed_ = 0;                                  // these entries
  std::uint64_t closed_ranks_ = 0;                            // the same, by rank
  Cycle closed_until_ = never;                                // when they are ready
  Bins<Cause, WarpSchedulerStatistics{}.slots.size()> held_;  // entries that cannot issue, by cause
  std::uint64_t diverged_ = 0;         // entries whose path lacked some of their threads when they were held
  std::uint64_t waits_for_units_ = 0;  // entries that wait for an asynchronous instruction of a scheme
  std::uint64_t told_to_wait_ = 0;     // entries that a scheme holds, without a look-ahead since
  std::uint64_t active_ = 0;           // two-level: active entries
  std::vector<Cause> load_causes_;     // causes for waits for results of memory
  std::vector<Cause> of_schemes_;      // causes for which schemes hold warps, in report order
  std::uint64_t leaves_active_ = 0;    // two-level: causes, as bits, that make a warp inactive
  unsigned last_ = 0;                  // entry that issued last
  Cycle interval_ = 0;
  Cycle next_sample_ = never;  // ends before this cycle
  SlotCounts sampled_;         // in all samples, and in earlier launches
  std::size_t samples_ = 0;    // of this launch
  SlotSink sink_;
  Cycle accounted_ = 0;  // slots of earlier cycles are charged
  Cycle own_next_event_ = never;
  Cycle* next_event_ = &own_next_event_;
  bool own_moved_ = false;
  bool* moved_ = &own_moved_;
  Cycle refused_until_ = 0;  // no ready entry can issue before this cycle
  Cause idle_cause_ = Cause::empty;
  bool load_stalls_ = false;
  bool divergent_load_stalls_ = false;
  StallWatch* watch_ = nullptr;
  SmObserver* observer_ = nullptr;
  std::uint32_t sm_ = 0;           // number, for the observer
  WarpPlace idle_place_;           // place of the warp that `idle_cause_` is charged to, while there is an observer
  std::uint64_t held_before_ = 0;  // entries that schemes hold before instructions that they decide on
  WarpSchedulerStatistics statistics_;
};

inline void WarpScheduler::hold(unsigned entry, Cause cause, Cycle until) {
  const std::uint64_t bit = std::uint64_t{1} << entry;
  Entry& one = entries_[entry];
  ready_ &= ~bit;
  ready_ranks_ &= ~(std::uint64_t{1} << one.rank);
  if ((closed_ & bit) != 0) [[unlikely]]
    leave_closed(entry);
  held_[one.cause] &= ~bit;
  held_[cause] |= bit;
  one.cause = cause;
  const Warp& warp = *one.warp;
  diverged_ = (diverged_ & ~bit) | std::uint64_t{warp.path.lanes != warp.live} << entry;
  active_ &= ~((leaves_active_ >> static_cast<std::size_t>(cause) & 1U) << entry);
  ring_.set(entry, until);
}

inline void WarpScheduler::hold_until_ready(unsigned entry) {
  const Entry& one = entries_[entry];
  const Cycle known = std::max(one.registers, one.earliest);
  const bool memory = one.registers_from_memory && one.registers >= one.earliest;
  const Cause of_registers = memory ? Cause::memory : Cause::dependency;
  hold(entry, one.fetched > known ? Cause::fetch : of_registers, std::max(known, one.fetched));
}

}  // namespace reconverge
