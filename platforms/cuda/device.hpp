// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The simulated GPU of a CUDA program: memory, launches, and time. It stores the data of each launch for the report.

#include <csignal>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "platforms/cuda/settings.hpp"
#include "platforms/launch/launch_sequence.hpp"
#include "platforms/launch/run_plan.hpp"
#include "platforms/launch/session.hpp"

namespace reconverge::cuda {

/// A kernel launch of the program, without the arguments that its report does not show.
struct KernelLaunch {
  std::shared_ptr<const kernel::Program> program;
  Dim3 grid;
  Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::byte> parameters;  ///< in the layout of the program
  bool cooperative = false;
};

/// How memory was allocated.
enum class Allocation : std::uint8_t {
  device,
  managed,  ///< also accessible from the host
  host,     ///< also accessible from the device
};

class Device {
 public:
  /// `record` prepares the machine for recordings. Throws InputError for a platform that cannot be built.
  Device(const Settings& settings, ConfiguredPlatform platform, PrepareMachine record);

  const ConfiguredPlatform& platform() const { return platform_; }
  DeviceMemory& memory() { return session_.memory(); }
  Machine& machine() { return session_.device(); }

  /// Zeroed memory. Throws InputError if it does not fit.
  DeviceAddress allocate(std::uint64_t bytes, Allocation how);
  /// Counts a variable of the program, which is in memory already, as managed memory.
  void add_managed(DeviceAddress variable) { allocations_.emplace(variable, Allocation::managed); }
  /// False if no allocation of one of these kinds begins there.
  bool release(DeviceAddress address, bool of_host);
  /// The allocation that contains the address; null if there is none.
  const Allocation* allocation_at(DeviceAddress address) const;
  std::uint64_t allocated_bytes() const { return allocated_; }
  /// Frees all memory, as cudaDeviceReset: variables get their initial values before their next use.
  void reset();

  static constexpr std::uint64_t heap_bytes = std::uint64_t{256} << 20U;  ///< of malloc in kernels
  std::uint32_t stack_bytes = default_stack_bytes;                        ///< of each thread, in following launches

  /// Throws InputError if the launch cannot start, ExecutionError if the program fails. False: it was stopped by a
  /// limit or an interrupt, and no launch is possible any more.
  bool run(const KernelLaunch& launch);
  /// Simulated seconds since the start.
  double now() const { return now_; }
  /// Lets simulated time pass.
  void wait(double seconds) { now_ += seconds; }
  /// A copy between host and device takes time.
  void take_copy_time(std::uint64_t bytes);

  /// The launches so far, in the form of a plan that has run. Launches of one kernel and shape are combined.
  const launch::LaunchPlan& plan() const { return plan_; }
  const launch::PlanResult& result() const { return result_; }
  void end() { result_.completed = true; }

  /// Set by a signal handler: the current launch stops.
  static volatile std::sig_atomic_t interrupted;

 private:
  std::size_t entry_of(const KernelLaunch& launch);

  ConfiguredPlatform platform_;
  RunControl control_;
  launch::Session session_;
  launch::LaunchSequence sequence_;
  std::map<std::string, unsigned> shapes_;  // of launches, by the name of their kernel
  std::map<DeviceAddress, Allocation> allocations_;
  std::uint64_t allocated_ = 0;
  launch::LaunchPlan plan_;
  launch::PlanResult result_;
  double now_ = 0;
};

}  // namespace reconverge::cuda
