// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A streaming multiprocessor: warp slots, schedulers, pipes and L1 caches.
///
/// It runs only cycles with events. The GPU gives it a turn for a quantum at a time, ahead of SystemC's time and on any
/// thread of the host. A quantum is no longer than the latency to the rest of the machine, so no external message can
/// reach an SM within a quantum. SMs access state that they share without this delay (functional memory and the source
/// of blocks) as if they ran in the order of their numbers, quantum by quantum (MemoryViews).

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <memory>
#include <systemc>
#include <vector>

#include "blocks/sm.hpp"
#include "models/execution/block_barriers.hpp"
#include "models/execution/launch.hpp"
#include "models/execution/stall_watch.hpp"
#include "models/execution/thread_setup.hpp"
#include "models/memory/l1_cache.hpp"
#include "models/protocols/scheme.hpp"
#include "models/protocols/scheme_list.hpp"
#include "models/sm/instruction_cache.hpp"
#include "models/sm/instruction_fetch.hpp"
#include "models/sm/lanes.hpp"
#include "models/sm/load_store.hpp"
#include "models/sm/operand_collector.hpp"
#include "models/sm/register_file.hpp"
#include "models/sm/scoreboard.hpp"
#include "models/sm/steps.hpp"
#include "models/sm/warp_scheduler.hpp"
#include "platforms/machines/gpu/block_source.hpp"
#include "platforms/machines/gpu/grid_threads.hpp"
#include "platforms/machines/gpu/scheme_interface.hpp"
#include "platforms/machines/gpu/scheme_threads.hpp"

namespace reconverge {

/// The position of an SM in the GPU, and its clock.
struct SmPlace {
  std::uint32_t index = 0;
  std::uint32_t sms = 1;  ///< of the GPU
  const Clock& clock;
};

class Sm : public sc_core::sc_module,
           private SmEvents,
           private WarpSlots,
           private ControlTarget<WritebackRequest>,
           private ControlTarget<LineFill> {
 public:
  sc_core::sc_port<BlockSource> blocks;

  /// `schemes`: of this SM, the one with paths first; selected from `kinds`, which are all that exist.
  Sm(sc_core::sc_module_name name, const SmParameters& parameters, const SmPlace& place,
     std::vector<const SchemeKind*> schemes, SchemeList kinds);

  /// Blocks of the launch that the SM takes in its first cycles, one in each, independently of other SMs.
  Cycle blocks_by_turns() const { return grid_.blocks_by_turns(); }
  /// Binds the caches to the next level of memory.
  template <typename Memory>
  void bind_memory(Memory& memory) {
    for (FirstLevelCache* cache : caches_) {
      if (cache == &constant_cache_ && constant_l15_) {
        cache->next_level.bind(constant_l15_->requests);
        constant_l15_->next_level.bind(memory.add());
      } else {
        cache->next_level.bind(memory.add());
      }
    }
    instruction_cache_.next_level.bind(memory.add());
    for (auto& scheme : schemes_) {
      if (auto* const next_level = scheme->next_level()) next_level->bind(memory.add());
    }
  }

  /// Resident blocks of a launch; if warps start one by one, blocks with at least one warp here.
  std::uint64_t blocks_at_once(const Launch& launch) const;
  /// Prepares for a launch whose first threads start in cycle `first`. The arguments must outlive it. `view`: the SM's
  /// view of device memory; nullptr: memory itself. Throws InputError if not even one thread block fits.
  void begin(const Launch& launch, const ProgramImage& image, DeviceMemory& device, MemoryView* view, Cycle first);
  /// Notifies `observer` of events here, and `of_lines` of the lines that caches take; nullptr: no observer. Call it
  /// between launches.
  void observe(SmObserver* observer, SmObserver* of_lines);
  /// The next cycle with work; `never` if it sleeps until something wakes it.
  Cycle next_turn() const { return woken_; }
  /// Runs the cycles before `end` that have events.
  void run_before(Cycle end);
  /// Runs no cycle from this one on, until the launch is closed.
  void stop_before(Cycle cycle) { stop_ = cycle; }
  /// The first cycle after the cycles that it ran.
  Cycle reached() const { return local_; }
  /// Notifies the SM that the grid has no more blocks. Threads of schemes may have waited for this: they may begin from
  /// `cycle` on.
  void grid_exhausted(Cycle cycle);
  /// Completes the statistics of a launch that ended in cycle `end`.
  void finish(Cycle end);
  /// Gives up the launch: no thread goes on, and only accesses that have issued still run, until the next launch
  /// begins. For the time between turns, also after a turn that threw.
  void abandon();
  /// State that remains after a launch and that `begin` does not set.
  void archive(StateArchive& state) { state(lanes_, load_store_, schemes_); }

  /// No threads of schemes run, and none will begin unless other threads cause it.
  bool drained() const;
  /// Threads that began and have not ended.
  std::uint64_t running_threads() const { return running_threads_; }
  /// Threads of the launch that have ended and have not passed their work to another thread.
  std::uint64_t threads_done() const;

  /// The reason that no warp makes progress, for a launch that does not end.
  std::string describe_waiting() const;
  /// The threads that wait at barriers.
  std::string describe_barriers() const { return grid_.describe_barriers(); }

  /// Whether there has been a visible event since the last call.
  bool take_progress();
  /// Starts, continues or stops watching for warps that loop without progress.
  void watch(bool on);
  /// Every warp here loops without progress or waits at a barrier.
  bool goes_nowhere() const;
  /// Adds the running warps to `warps`.
  void add_running(std::vector<RunningWarp>& warps) const;

  const SmParameters& parameters() const { return parameters_; }
  const SmStatistics& statistics() const { return statistics_; }
  const std::vector<std::unique_ptr<WarpScheduler>>& schedulers() const { return schedulers_; }
  const Scoreboard& scoreboard() const { return *scoreboard_; }
  const std::vector<std::unique_ptr<InstructionFetch>>& fetches() const { return fetches_; }
  const InstructionCache& instruction_cache() const { return instruction_cache_; }
  const std::vector<std::unique_ptr<OperandCollector>>& operand_collectors() const { return collectors_; }
  const Lanes& lanes() const { return lanes_; }
  const LoadStore& load_store() const { return load_store_; }
  const L1Cache& l1() const { return l1_; }
  const FirstLevelCache& texture_cache() const { return *texture_cache_; }
  const L1Cache& constant_cache() const { return constant_cache_; }
  /// nullptr: there is none.
  const L1Cache* constant_l15() const { return constant_l15_.get(); }
  /// Requests of its caches and schemes that memory has not answered.
  std::uint64_t outstanding() const;
  const std::vector<std::unique_ptr<Scheme>>& schemes() const { return schemes_; }

 private:
  void threads_ended(Warp& warp, LaneMask lanes, Cycle now) override;
  void barrier_reached(Warp& warp, const kernel::Instruction& barrier, LaneMask lanes, Cycle now) override;
  Cycle load_store_room(std::uint32_t number, Cycle now) override { return load_store_.first_room(number, now); }
  std::span<Warp> slots() override { return std::span(warps_).first(usable_warps_); }
  std::size_t free() const override { return usable_warps_ - resident_warps_; }
  std::size_t free_for_grid() const override;
  ThreadSetup& setup() override { return setup_; }
  void begin_warp(ThreadSource& source, Warp& warp, LaneMask lanes, kernel::Pc pc, Cycle now) override;
  void begin_threads(Warp& warp, LaneMask lanes, kernel::Pc pc, Cycle now) override;
  void join_threads(Warp& warp, LaneMask lanes, kernel::Pc pc, Cycle now) override;
  void release(const std::vector<BlockBarriers::Released>& released, Cycle now) override;
  void vacate(const Warp& warp, Cycle now) override { scheduler_of(warp).stand(warp, now); }
  /// A result from memory, and a line of instructions.
  void b_transport(WritebackRequest& result, sc_core::sc_time& delay) override;
  void b_transport(LineFill& fill, sc_core::sc_time& delay) override;

  void bind();
  /// Notifies the additional schemes that begin threads.
  void tell_beside(SchemeEvent event, const Warp& warp, LaneMask lanes, Cycle now);
  /// Notifies the scheme with paths; returns whether the warp has a path to run.
  bool tell(SchemeEvent event, Warp& warp, LaneMask lanes, Cycle now);
  /// Applies the scheme's answer.
  static void take(const SchemeRequest& answered, Warp& warp);
  /// Lanes of a warp with independent threads leave a barrier.
  void release_part(Warp& warp, LaneMask lanes, Cycle now);
  /// The warp, which is new or left a barrier, issues from cycle `from` on, unless its scheme holds it.
  void go_on(const Warp& warp, Cycle now, Cycle from);
  /// The part of the register file that schemes leave to warps.
  std::uint64_t registers_for_warps(const Launch& launch) const;
  /// The largest number of resident warps in the launch that begins; a small launch has fewer than fit.
  std::size_t warps_to_come() const;
  std::size_t warps_that_fit(const Launch& launch) const;
  std::size_t blocks_that_fit(const Launch& launch, std::size_t warps) const;
  /// Lets the caches retry a line that one of them stalls.
  void retry_stalled_line(Cycle now);
  /// The schedulers that have work to do in cycle `now`, as bits: bit 0 is `first`, and the ones before it come last.
  std::uint32_t due_schedulers(Cycle now, unsigned first) const;
  /// Divides the storage of the L1 cache between the cache and the shared memory of `resident` blocks.
  void divide_storage(const Launch& launch, std::uint64_t resident);
  void run_cycle(Cycle now);
  /// Its part for accesses that have issued.
  void send_lines(Cycle now);
  /// The turn of an SM that has given up its launch.
  void send_lines_before(Cycle end);
  /// Begins waiting threads that have a slot.
  void start_threads(Cycle now);
  /// The next cycle after `now` that has events.
  Cycle next_event(Cycle now) const;
  /// The same for accesses that have issued.
  Cycle next_line() const;
  /// Threads of schemes wait and could begin.
  bool threads_wait() const;
  void wake_at(Cycle cycle);
  /// `lanes` of the warp, for the observer.
  ThreadsNote threads_note(const Warp& warp, LaneMask lanes, kernel::Pc pc, Cycle now) const;
  WarpScheduler& scheduler_of(const Warp& warp) { return *schedulers_[by_schedulers_.divide(warp.slot).rest]; }
  /// Whether threads run, or wait, in the warp.
  bool has_path(const Warp& warp) const;
  /// The unit in which threads of a launch begin.
  StartUnit start_unit(const Launch& launch) const;
  bool starts_by_warp(const Launch& launch) const;

  std::uint32_t index_;
  std::uint32_t sms_;
  SmParameters parameters_;
  Clock clock_;
  Steps first_level_steps_;  // of load/store unit and first-level caches
  Clock first_level_clock_;
  Cycle stop_ = never;
  tlm_utils::simple_initiator_socket<Sm> register_storage_;
  ControlInitiatorSocket<Sm, SchemeRequest> paths_;
  std::vector<std::unique_ptr<ControlInitiatorSocket<Sm, SchemeRequest>>> beside_;  // of schemes that begin threads
  ControlTargetSocket<WritebackRequest> writeback_;
  ControlTargetSocket<LineFill> code_;
  std::vector<const SchemeKind*> kinds_;          // the one with paths first
  std::vector<std::unique_ptr<Scheme>> schemes_;  // of these kinds
  SchemeTraits traits_;                           // of the first
  std::unique_ptr<Scoreboard> scoreboard_;
  RegisterFile register_file_;
  Lanes lanes_;
  LoadStore load_store_;
  L1Cache l1_;
  std::unique_ptr<FirstLevelCache> texture_cache_;
  L1Cache constant_cache_;
  std::unique_ptr<L1Cache> constant_l15_;  // null if it has no capacity
  std::array<FirstLevelCache*, first_levels> caches_{&l1_, texture_cache_.get(), &constant_cache_};  // by FirstLevel
  InstructionCache instruction_cache_;
  std::vector<std::unique_ptr<WarpScheduler>> schedulers_;
  std::vector<Cycle> scheduler_events_;  // the next one of each, in groups of four
  bool events_moved_ = false;            // other than by a tick of their scheduler
  Divisor by_schedulers_;
  // One for each scheduler, or a single one for all:
  std::vector<std::unique_ptr<InstructionFetch>> fetches_;
  std::vector<std::unique_ptr<OperandCollector>> collectors_;
  Cycle woken_ = never;  // the next cycle to run
  Cycle local_ = 0;      // the first cycle that has not been run

  std::vector<Warp> warps_;
  // For each scheme:
  std::vector<std::unique_ptr<SchemeInterface>> scheme_interfaces_;
  ThreadSetup setup_;
  GridThreads grid_;
  std::vector<std::unique_ptr<SchemeThreads>> own_threads_;  // of each scheme
  std::vector<ThreadSource*> begun_by_schemes_;              // of schemes that begin some: they take free slots first
  std::vector<ThreadSource*> source_of_;                     // by warp slot: the source of its threads
  // Of the current launch:
  const Launch* launch_ = nullptr;
  std::size_t usable_warps_ = 0;
  std::size_t resident_warps_ = 0;
  std::uint64_t next_age_ = 0;
  std::uint64_t running_threads_ = 0;
  std::uint64_t ended_threads_ = 0;  // of the launch
  bool abandoned_ = false;           // only accesses that have issued still run
  bool running_ = false;             // it has its turn
  bool may_begin_ = false;           // a slot may have become available since threads last could not begin
  bool moved_ = false;               // a block or thread began or ended, or a barrier opened
  StallWatch watch_;
  SmObserver* observer_ = nullptr;
  SmStatistics statistics_;
};

}  // namespace reconverge
