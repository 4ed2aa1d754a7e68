// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The GPU platform: SMs and their memory; constructed, bound, and given launches.
///
/// One process runs all SMs and memory, a quantum at a time, on as many threads as it may use. Requests that SMs send
/// in a quantum reach memory in a later quantum, and so do answers in the other direction. SMs and memory therefore do
/// not depend on each other's progress within a quantum, and results are the same for any number of threads.

#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <systemc>
#include <vector>

#include "blocks/gpu.hpp"
#include "models/core/team.hpp"
#include "models/execution/memory_view.hpp"
#include "models/memory/fixed_latency_memory.hpp"
#include "models/memory/memory_exchange.hpp"
#include "models/memory/memory_hierarchy.hpp"
#include "models/protocols/run_observer.hpp"
#include "models/protocols/scheme_list.hpp"
#include "platforms/machine.hpp"
#include "platforms/machines/gpu/history_recorder.hpp"
#include "platforms/machines/gpu/host_port.hpp"
#include "platforms/machines/gpu/note_queue.hpp"
#include "platforms/machines/gpu/sm.hpp"

namespace reconverge {

/// Host time that the parts of a quantum took on one thread, in nanoseconds.
struct QuantumTimes {
  std::vector<std::uint64_t> sms;
  std::uint64_t memory = 0;
  std::uint64_t rest = 0;  ///< work of a single thread: commits and messages
};

class Gpu : public sc_core::sc_module, public Machine, private BlockSource {
 public:
  /// `kinds`: the schemes that the parameters may name.
  Gpu(sc_core::sc_module_name name, const GpuParameters& parameters, SchemeList kinds = built_in_schemes())
      : Gpu(name, parameters, kinds, nullptr) {}
  /// A GPU with the parameters' crossbar and L2 cache, whose memory is outside. Throws ParameterError unless the
  /// parameters' memory is `external`.
  Gpu(sc_core::sc_module_name name, const GpuParameters& parameters, const ExternalMemory& outside)
      : Gpu(name, parameters, built_in_schemes(), &outside) {}

  /// Access of other initiators to the device's memory. May be left unbound.
  auto& host_port() { return host_port_.socket; }
  DeviceMemory& memory() override { return memory_; }
  const GpuParameters& parameters() const { return parameters_; }

  /// Cycles between calls that check whether to continue.
  static constexpr Cycle report_interval = 20'000;
  /// Cycles without a visible change before the check for progress of the launch.
  static constexpr Cycle patience = 50 * report_interval;
  /// Limit for the cycles that SMs may run ahead.
  static constexpr Cycle longest_quantum = 64;

  bool run(const Launch& launch, const KeepGoing& keep_going = {}) override;
  /// Begins a launch and returns; it runs while SystemC's time passes. For simulations that call sc_start themselves,
  /// and for processes of other modules. The program must outlive the launch. Throws InputError if the launch cannot
  /// start, ExecutionError if another one is running.
  void start(const Launch& launch);
  /// Whether a started launch has not ended.
  bool running() const { return started_.has_value(); }
  /// Notified when a started launch has ended or failed, and its requests have arrived in memory.
  const sc_core::sc_event& done() const { return done_; }
  /// Throws the error of the last started launch, if it failed: ExecutionError if the program fails, no warp can ever
  /// continue, all warps loop without progress, or the launch was aborted. Memory then has what threads stored until
  /// about that time, and the next launch can start.
  void check() const;
  /// Gives up the started launch, unless its threads have ended: it fails, and ends when its requests in flight have
  /// been answered.
  void abort();
  void skip(const Launch& launch) override;
  bool archive(StateArchive& state) override;
  /// Blocks that fill all SMs.
  std::uint64_t blocks_at_once(const Launch& launch) const override;
  InstructionCounts instructions() const override;
  void record(std::uint64_t interval) override;
  /// Summed over SMs and schedulers, like all totals below.
  RunHistory history() const override;
  void observe_sms(SmObserver* observer) override { observer_ = observer; }
  bool observe_run(RunObserver& observer) override;
  void stop_after(std::uint64_t cycles) override { most_cycles_ = cycles; }
  void ask_every(std::uint64_t cycles) override { asked_every_ = cycles; }
  void use_threads(unsigned threads) override;
  /// Calls `sink` after each quantum that has work. For benchmarks, on one thread.
  void time_quanta(std::function<void(const QuantumTimes&)> sink) { times_sink_ = std::move(sink); }
  std::uint64_t threads_done() const override;
  Statistics totals() const override;

 private:
  Gpu(sc_core::sc_module_name name, const GpuParameters& parameters, SchemeList kinds, const ExternalMemory* outside);

  std::optional<std::uint64_t> next_block(std::uint32_t sm, Cycle now) override;
  bool exhausted(std::uint32_t sm) const override { return exhausted_ || shares_[sm].took_last; }
  void block_ended(std::uint32_t sm, Cycle now) override;
  void threads_ended(std::uint32_t sm, Cycle now) override;
  void wake_at(Cycle cycle) override;
  /// The process: runs the quantum in which it is woken.
  void run_quantum();
  /// Runs the turns of all SMs, and memory, up to cycle `end`.
  void run_turns(Cycle end);
  void run_turn(std::size_t sm, Cycle end);
  void run_memory(Cycle end);
  /// Combines the results of the SMs' turns. The first error, in the order of SM numbers, is reported.
  void settle(Cycle end);
  /// All blocks have ended, and all threads that schemes began.
  bool ended() const;
  bool has_memory_outside() const { return hierarchy_ && hierarchy_->is_outside(); }
  /// Whether SMs or memory have work that is due.
  bool awake() const;
  /// The common part of `run` and `start`.
  void begin(const Launch& launch);
  /// The SMs' part of the end of a launch. Returns the cycle after its last one.
  Cycle finish();
  /// The first cycle in which all requests have arrived.
  Cycle quiet_after(Cycle end) const;
  /// Lets requests in flight arrive, and lets time pass at least to `end`.
  void drain(Cycle end);
  /// Checks after a quantum whether the started launch has ended or can never end.
  void look_after_started();
  /// The started launch fails with this error.
  void give_up(std::exception_ptr error);
  void complete_started(Cycle end);
  /// Cycles that SMs may run ahead, at least one.
  Cycle longest_turn() const;
  /// Throws std::logic_error unless memory has answered all requests of the SMs.
  void check_conservation() const;
  /// Of the SMs to memory.
  std::uint64_t awaited_requests() const;
  /// Throws ExecutionError, or std::logic_error if the cause is an error of the simulator.
  [[noreturn]] void throw_deadlock(const Launch& launch) const;
  /// Throws if no warp makes progress.
  void look_for_circles(const Launch& launch);
  /// Lets time pass: to the next progress report, or to the last cycle of a launch that began in `start`.
  void advance(Cycle start);
  bool at_last_cycle(Cycle start) const { return most_cycles_ != 0 && clock_.now() - start + 1 >= most_cycles_; }
  /// Connects the observers of a launch that begins in cycle `start`.
  void begin_observing(const Launch& launch, Cycle start);
  const ProgramImage& image_of(const kernel::Program& program);

  std::vector<const SchemeKind*> schemes_;  // of its SMs; first the one that decides which paths warps run
  GpuParameters parameters_;
  Clock clock_;
  Cycle quantum_ = 1;
  sc_core::sc_event wake_;
  bool at_work_ = false;  // the process
  DeviceMemory memory_;
  HostPort host_port_;
  std::unique_ptr<MemoryHierarchy> hierarchy_;  // this one or the next
  std::unique_ptr<FixedLatencyMemory> fixed_latency_;
  std::unique_ptr<MemoryExchange> exchange_;  // before the hierarchy
  std::vector<std::unique_ptr<Sm>> sms_;
  std::unique_ptr<MemoryViews> views_;  // of several SMs
  std::unique_ptr<Team> team_;          // null: one thread
  std::function<void(const QuantumTimes&)> times_sink_;
  QuantumTimes times_;
  std::map<kernel::ProgramKey, ProgramImage> images_;

  std::uint64_t blocks_ = 0;  // of the launch that run
  std::uint64_t grid_blocks_ = 0;
  BlockSelection selection_;
  Cycle asked_every_ = 0;  // 0: the usual interval
  /// The results of one SM's turn. Only its thread writes here.
  struct alignas(64) Share {
    std::uint64_t blocks_taken = 0;
    std::uint64_t blocks_ended = 0;
    Cycle last_end = 0;      // of a block or thread
    bool took_last = false;  // block of the launch
    std::exception_ptr error;
  };
  std::vector<Share> shares_;
  bool exhausted_ = false;        // an SM took the last block, and the quantum in which it did is over
  std::uint64_t next_block_ = 0;  // after the blocks of the turns; used by the SM that is in order
  Cycle start_ = 0;               // of the launch
  Cycle cycles_before_ = 0;       // it, of earlier launches
  Cycle begin_ = 0;               // SMs take its first blocks
  Cycle turns_ = 0;               // the cycles after it, in which SMs take blocks in turns
  std::uint64_t blocks_ended_ = 0;
  Cycle last_end_ = 0;  // of a block
  Cycle watched_ = 0;   // the time of the last visible event or progress check
  bool stopped_ = false;
  Cycle recorded_ = 0;  // interval of the history
  HistoryRecorder recorder_;
  std::deque<NoteQueue> notes_;  // of several SMs
  SmObservers observers_;        // of the launch
  SmObservers line_observers_;   // the same, and observers only of lines that caches take
  SmObserver* observer_ = nullptr;
  std::vector<RunObserver*> run_observers_;
  std::optional<Launch> started_;  // by `start`
  std::optional<Cycle> finished_;  // the cycle after its last one, if its blocks have ended
  Cycle looked_ = 0;               // when a started launch was last checked for progress
  Cycle quiet_ = 0;                // the next launch cannot begin earlier
  std::exception_ptr failure_;     // of the last started launch, which may still have requests in flight
  sc_core::sc_event done_;
  Cycle most_cycles_ = 0;     // of a launch; 0: no limit
  std::exception_ptr error_;  // of SMs
  std::exception_ptr memory_error_;
  GpuStatistics statistics_;
  Statistics zeros_;  // of all blocks
};

}  // namespace reconverge
