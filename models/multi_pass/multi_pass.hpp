// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A tiled SIMD machine whose only control flow is guards, and the host that runs kernels on it pass by pass (Lashari,
/// Lhoták and McCool 2008). The process wakes at the beginning of each pass and performs all of its memory accesses
/// then; the pass's cycles elapse before the next.

#include <exception>
#include <functional>
#include <systemc>

#include "blocks/multi_pass.hpp"
#include "models/multi_pass/completion_counter.hpp"
#include "models/multi_pass/guarded_lanes.hpp"
#include "models/multi_pass/pass_scheduler.hpp"

namespace reconverge {

/// The work of a kernel, for observers.
struct KernelRun {
  BoundKernel bound;
  std::uint64_t completed = 0;  ///< guards that passed
  Cycle begin = 0;
  Cycle end = 0;
};

class MultiPass final : public sc_core::sc_module {
 public:
  /// Throws ParameterError for incompatible parameters.
  MultiPass(sc_core::sc_module_name name, const MultiPassParameters& parameters);

  ControlInitiatorSocket<MultiPass, WorklistRequest> scheduler;
  ControlInitiatorSocket<MultiPass, GuardedPass> lanes;
  ControlInitiatorSocket<MultiPass, CountRequest> counter;

  /// Begins a launch of the partition. All arguments must outlive it. Throws InputError, without any effect, if the
  /// machine cannot run it.
  void begin(const Launch& launch, const ProgramImage& image, const kernel::Partition& partition, DeviceMemory& device);
  bool ended() const { return ended_; }
  /// The error that stopped the launch, or null.
  std::exception_ptr error() const { return error_; }
  std::uint64_t threads_ended() const { return simd_.state().threads_ended(); }
  const Clock& clock() const { return clock_; }
  /// Threads that moved from kernel `from` to kernel `to` in this launch.
  std::uint64_t moved(std::uint32_t from, std::uint32_t to) const { return simd_.moved(from, to); }
  /// The number of runs of a kernel in this launch, and the total of their threads.
  struct Runs {
    std::uint64_t passes = 0;
    std::uint64_t threads = 0;
  };
  const std::vector<Runs>& runs() const { return runs_; }
  /// Sets a callback that is called after each kernel.
  void observe(std::function<void(const KernelRun&)> observer) { observer_ = std::move(observer); }

  const MultiPassStatistics& statistics() const { return statistics_; }

 private:
  using Cause = MultiPassCycles;

  void step();
  void run_pass();
  void end();
  GuardedPass ask_lanes(const BoundKernel& bound);
  void count_up(const BoundKernel& bound, const GuardedPass& pass);
  void charge(const BoundKernel& bound, const GuardedPass& pass);
  /// The host reads the completion count. Returns whether a guard passed.
  bool ask_count(const GuardedPass& pass);
  void spend(Cause cause, Cycle cycles);
  [[noreturn]] void give_up() const;
  std::string waiting_text() const;
  std::string stale_text() const;

  MultiPassParameters parameters_;
  Clock clock_;
  PassScheduler chooser_;
  GuardedLanes simd_;
  CompletionCounter completions_;
  sc_core::sc_event wake_;

  const kernel::Partition* partition_ = nullptr;
  bool ended_ = true;
  std::exception_ptr error_;
  Cycle now_ = 0;
  std::uint32_t time_ = 0;  // kernels that have run in this launch, the clock of section 3.4
  std::optional<BoundKernel> completed_;
  std::vector<std::uint32_t> oldest_;  // by kernel and binding: oldest timestamp that is not stale
  std::vector<Runs> runs_;             // by kernel
  std::vector<std::uint64_t> stale_;   // by kernel: threads that ran it again in this launch
  std::function<void(const KernelRun&)> observer_;
  MultiPassStatistics statistics_;
};

}  // namespace reconverge
