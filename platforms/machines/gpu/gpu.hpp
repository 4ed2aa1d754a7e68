// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The GPU platform: SMs and their memory; constructed, bound, and given launches.
///
/// One process runs all of it, a quantum at a time: the SMs in the order of their numbers, then memory. What SMs send
/// in a quantum reaches memory in a later one, and answers of memory reach SMs in a later one, so either could go
/// first.

#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <systemc>
#include <vector>

#include "blocks/gpu.hpp"
#include "models/memory/fixed_latency_memory.hpp"
#include "models/memory/memory_hierarchy.hpp"
#include "models/protocols/run_observer.hpp"
#include "models/protocols/scheme_list.hpp"
#include "platforms/machine.hpp"
#include "platforms/machines/gpu/history_recorder.hpp"
#include "platforms/machines/gpu/sm.hpp"

namespace reconverge {

class Gpu : public sc_core::sc_module, public Machine, private BlockSource {
 public:
  /// `kinds`: the schemes that the parameters may name.
  Gpu(sc_core::sc_module_name name, const GpuParameters& parameters, SchemeList kinds = built_in_schemes());

  DeviceMemory& memory() override { return memory_; }
  const GpuParameters& parameters() const { return parameters_; }

  /// Cycles between calls that ask whether to go on.
  static constexpr Cycle report_interval = 20'000;
  /// Cycles without any externally visible change, before the check whether the launch makes progress.
  static constexpr Cycle patience = 50 * report_interval;
  /// Limit for the cycles that SMs may run ahead.
  static constexpr Cycle longest_quantum = 64;

  bool run(const Launch& launch, const KeepGoing& keep_going = {}) override;
  /// Blocks that fill all SMs.
  std::uint64_t blocks_at_once(const Launch& launch) const override;
  InstructionCounts instructions() const override;
  void record(std::uint64_t interval) override;
  /// Summed over SMs and schedulers, like all totals below.
  RunHistory history() const override;
  void observe_sms(SmObserver* observer) override { observer_ = observer; }
  bool observe_run(RunObserver& observer) override;
  void stop_after(std::uint64_t cycles) override { most_cycles_ = cycles; }
  std::uint64_t threads_done() const override;
  Statistics totals() const override;

 private:
  std::optional<std::uint64_t> next_block(std::uint32_t sm, Cycle now) override;
  bool exhausted(std::uint32_t sm) const override { return exhausted_ || last_taker_ == sm; }
  void block_ended(Cycle now) override;
  void threads_ended(Cycle now) override { last_end_ = std::max(last_end_, now); }
  void wake_at(Cycle cycle) override;
  /// The process: runs the quantum in which it is woken.
  void run_quantum();
  /// All blocks have ended, and all threads that schemes began.
  bool ended() const;
  /// Lets requests in flight arrive, and lets time pass at least to `end`.
  void drain(Cycle end);
  /// Cycles that SMs may run ahead, at least one.
  Cycle longest_turn() const;
  /// Throws std::logic_error unless memory has answered all requests of the SMs.
  void check_conservation() const;
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
  std::unique_ptr<MemoryHierarchy> hierarchy_;  // this one or the next
  std::unique_ptr<FixedLatencyMemory> fixed_latency_;
  std::vector<std::unique_ptr<Sm>> sms_;
  std::map<const kernel::Program*, ProgramImage> images_;

  std::uint64_t blocks_ = 0;
  std::uint64_t blocks_given_ = 0;
  std::optional<std::uint32_t> last_taker_;  // the SM that took the last block
  bool exhausted_ = false;                   // and the quantum in which it did is over
  std::uint64_t next_block_ = 0;             // after those of the turns
  Cycle begin_ = 0;                          // of the launch
  Cycle turns_ = 0;                          // its first cycles, in which SMs take blocks in turns
  std::uint64_t blocks_ended_ = 0;
  Cycle last_end_ = 0;  // of a block
  Cycle watched_ = 0;   // the last time that anything happened or that progress was checked
  bool stopped_ = false;
  Cycle recorded_ = 0;  // interval of the history
  HistoryRecorder recorder_;
  SmObservers observers_;       // of the launch
  SmObservers line_observers_;  // the same, and observers only of lines that caches take
  SmObserver* observer_ = nullptr;
  std::vector<RunObserver*> run_observers_;
  Cycle most_cycles_ = 0;  // of a launch; 0: no limit
  std::exception_ptr error_;
  GpuStatistics statistics_;
  Statistics zeros_;  // of all blocks
};

}  // namespace reconverge
