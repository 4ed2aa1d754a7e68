#pragma once
/// The one door to whatever runs launches: the timed GPU, and the machine with no time in it. No SystemC.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/core/statistics_tree.hpp"
#include "models/execution/device_memory.hpp"
#include "models/execution/launch.hpp"
#include "models/protocols/run_history.hpp"

namespace reconverge {

class RunObserver;
class SmObserver;

/// How far a launch is. A machine without time counts no cycles.
struct LaunchProgress {
  std::uint64_t cycles = 0;
  std::uint64_t blocks_ended = 0;
  std::uint64_t blocks = 0;
};

/// Asked now and then; false stops the launch.
using KeepGoing = std::function<bool(const LaunchProgress&)>;

/// What launches executed.
struct InstructionCounts {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;

  InstructionCounts& operator+=(const InstructionCounts& other) {
    warp_instructions += other.warp_instructions;
    thread_instructions += other.thread_instructions;
    return *this;
  }
  /// What was executed since `earlier` was taken.
  InstructionCounts since(const InstructionCounts& earlier) const {
    return {warp_instructions - earlier.warp_instructions, thread_instructions - earlier.thread_instructions};
  }
};

/// Records that have gone from one part of a kernel to another, where a machine cuts kernels into parts.
struct Traffic {
  std::string from;  ///< empty: where threads begin
  std::string to;
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
};

/// How often a part of a kernel ran, and for how many threads or records together.
struct PartRuns {
  std::string name;
  std::uint64_t runs = 0;
  std::uint64_t records = 0;
};

class Machine {
 public:
  virtual ~Machine() = default;

  virtual DeviceMemory& memory() = 0;

  /// Runs a launch to its end; returns false when it was stopped, after which no launch is possible. Throws InputError
  /// when it cannot start, and ExecutionError when the program goes wrong or no warp can ever move again, or all run in
  /// circles.
  virtual bool run(const Launch& launch, const KeepGoing& keep_going = {}) = 0;

  /// Blocks of such a launch that run at a time, whatever its grid; zero where none fits.
  virtual std::uint64_t blocks_at_once(const Launch& launch) const = 0;

  /// Of all launches so far. A machine without time counts those alone that ended.
  virtual InstructionCounts instructions() const = 0;
  /// Notes what happens every `interval` cycles of the launches that follow; 0: does not. For machines with warps and
  /// time.
  virtual void record(std::uint64_t /*interval*/) {}
  /// Of the last launch.
  virtual RunHistory history() const { return {}; }
  /// Tells `observer` what happens in SMs during the launches that follow; nullptr: nobody. Machines without SMs have
  /// nothing to tell.
  virtual void observe_sms(SmObserver* /*observer*/) {}
  /// Tells `observer` the same of all launches that follow, in addition to earlier observers. It must
  /// outlive the machine. False: the machine has no SMs, or no time, and tells nothing.
  virtual bool observe_run(RunObserver& /*observer*/) { return false; }
  /// Stops each launch that follows after so many cycles, machines that work in passes behind the pass in which they
  /// go by; 0: does not. For machines with time.
  virtual void stop_after(std::uint64_t /*cycles*/) {}
  /// Threads of the last launch that have ended, and have left their work to no other.
  virtual std::uint64_t threads_done() const { return 0; }
  /// Of the last launch, an entry for each arc between its parts.
  virtual std::vector<Traffic> traffic() const { return {}; }
  /// Of the last launch, its parts.
  virtual std::vector<PartRuns> parts() const { return {}; }
  /// Counters of all launches so far, by block; empty where there is nothing but the instructions.
  virtual Statistics totals() const = 0;
};

/// What somebody does with a machine that has been made, before its first launch.
using PrepareMachine = std::function<void(Machine&)>;

}  // namespace reconverge
