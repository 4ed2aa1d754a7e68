// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The interface of all machines that run launches: the timed GPU, the functional machine and others. Independent of
/// SystemC.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/core/state_archive.hpp"
#include "models/core/statistics_tree.hpp"
#include "models/execution/device_memory.hpp"
#include "models/execution/launch.hpp"
#include "models/protocols/run_history.hpp"

namespace reconverge {

class RunObserver;
class SmObserver;

/// The progress of a launch. A machine without timing counts no cycles.
struct LaunchProgress {
  std::uint64_t cycles = 0;
  std::uint64_t blocks_ended = 0;
  std::uint64_t blocks = 0;
};

/// Polled during a launch; false stops it.
using KeepGoing = std::function<bool(const LaunchProgress&)>;

/// Counts of executed instructions.
struct InstructionCounts {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;

  InstructionCounts& operator+=(const InstructionCounts& other) {
    warp_instructions += other.warp_instructions;
    thread_instructions += other.thread_instructions;
    return *this;
  }
  /// The counts since `earlier` was taken.
  InstructionCounts since(const InstructionCounts& earlier) const {
    return {warp_instructions - earlier.warp_instructions, thread_instructions - earlier.thread_instructions};
  }
};

/// Records that passed from one part of a kernel to another, on machines that cut kernels into parts.
struct Traffic {
  std::string from;  ///< empty: the start of threads
  std::string to;
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
};

/// The number of runs of a part of a kernel, and their total of threads or records.
struct PartRuns {
  std::string name;
  std::uint64_t runs = 0;
  std::uint64_t records = 0;
};

class Machine {
 public:
  virtual ~Machine() = default;

  virtual DeviceMemory& memory() = 0;

  /// Runs a launch to its end; returns false if it was stopped, after which no launch is possible. Throws InputError if
  /// it cannot start, and ExecutionError if the program fails, no warp can ever continue, or all warps loop without
  /// progress.
  virtual bool run(const Launch& launch, const KeepGoing& keep_going = {}) = 0;

  /// Replaces `run` for a launch of an earlier run whose results are restored: loads its program, and allocates the
  /// same memory as `run`.
  virtual void skip(const Launch& /*launch*/) {}
  /// The state that affects later launches, such as time and the tags of caches, but neither the contents of memory nor
  /// counters. Must be called between launches. False: the machine cannot be stored.
  virtual bool archive(StateArchive& /*state*/) { return false; }

  /// The number of blocks of such a launch that can be resident, regardless of its grid; zero if none fits.
  virtual std::uint64_t blocks_at_once(const Launch& launch) const = 0;
  /// The same for the platform's GPU, if the machine replaces the GPU and runs blocks one after another.
  virtual std::uint64_t resident_blocks(const Launch& launch) const { return blocks_at_once(launch); }

  /// Of all launches so far. A machine without timing counts only launches that ended.
  virtual InstructionCounts instructions() const = 0;
  /// Records events of the following launches over time, in intervals of `interval` cycles; 0: no recording. For
  /// machines with warps and timing.
  virtual void record(std::uint64_t /*interval*/) {}
  /// Of the last launch.
  virtual RunHistory history() const { return {}; }
  /// Notifies `observer` of events in SMs during the following launches; nullptr: no observer. Machines without SMs
  /// have no events.
  virtual void observe_sms(SmObserver* /*observer*/) {}
  /// Notifies `observer` of the same events of all following launches, in addition to earlier observers. It must
  /// outlive the machine. False: the machine has no SMs, or no timing, and has no events.
  virtual bool observe_run(RunObserver& /*observer*/) { return false; }
  /// Stops each following launch after that many cycles; machines that work in passes stop after the pass in which the
  /// limit is reached; 0: no limit. For machines with timing.
  virtual void stop_after(std::uint64_t /*cycles*/) {}
  /// Calls KeepGoing in intervals of that many cycles, instead of the machine's usual ones; 0: the usual ones. For
  /// machines with timing.
  virtual void ask_every(std::uint64_t /*cycles*/) {}
  /// Runs the following launches on up to that many threads of the host, with the same results; at least one.
  virtual void use_threads(unsigned /*threads*/) {}
  /// Threads of the last launch that have ended and have not passed their work to another thread.
  virtual std::uint64_t threads_done() const { return 0; }
  /// Of the last launch, one entry for each arc between its parts.
  virtual std::vector<Traffic> traffic() const { return {}; }
  /// Of the last launch, its parts.
  virtual std::vector<PartRuns> parts() const { return {}; }
  /// Counters of all launches so far, by block; empty if the machine counts only instructions.
  virtual Statistics totals() const = 0;
};

/// Prepares a new machine before its first launch.
using PrepareMachine = std::function<void(Machine&)>;

}  // namespace reconverge
