// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Any kernel on any platform, from C++: memory, programs, launches.
///
///     launch::Session session("timed", launch::load_platform("gtx780.yaml"));
///     const kernel::Program& saxpy = session.load("saxpy.ptx", "saxpy");
///     const DeviceAddress x = session.upload<float>("x", host_x);
///     const DeviceAddress y = session.upload<float>("y", host_y);
///     const launch::LaunchResult result = session.run(saxpy, {blocks}, {256}, {2.0F, x, y, count});
///     host_y = session.download<float>(y);
///
/// SystemC's library refers to a function `sc_main`: a program defines one, which is never called.
/// tests/install/consumer is a whole program.

#include <algorithm>
#include <deque>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/core/simulation_context.hpp"
#include "models/core/statistics_tree.hpp"
#include "models/kernel/program.hpp"
#include "platforms/machine_kind.hpp"
#include "platforms/machines/machines.hpp"
#include "platforms/profile/recorded_run.hpp"
#include "platforms/sampling/block_sample.hpp"
#include "platforms/sampling/sample.hpp"

namespace reconverge::launch {

/// The cost of a launch.
struct LaunchResult {
  const MachineKind* machine = nullptr;       ///< that it ran on
  bool completed = false;                     ///< false: stopped before its end
  InstructionCounts instructions;             ///< of both machines
  std::string printed;                        ///< by the kernel, unless the launch redirects it
  std::optional<Statistics> counters;         ///< counted by this launch only; on machines with timing
  std::vector<PartRuns> parts;                ///< of the kernel, on the same machines
  std::vector<Traffic> traffic;               ///< between the parts of the kernel, on machines that cut it
  std::optional<InstructionProfile> profile;  ///< if the history of launches is recorded
  RunHistory history;                         ///< likewise; runs are concatenated
  std::uint64_t runs = 1;                     ///< number of launches in this sum
  std::optional<sampling::Sample> sample;     ///< if the counters are estimates
  std::string in_full;                        ///< why all of it was simulated although the session takes samples

  /// Adds a later run of the same launch; the sum is complete if that run is.
  LaunchResult& operator+=(const LaunchResult& later);

  /// Zero on the functional machine.
  Cycle cycles() const { return counters ? machine->cycles(*counters) : 0; }
  /// The same without estimated cycles.
  Cycle simulated_cycles() const { return sample ? machine->cycles(sample->counted) : cycles(); }
};

/// The GPU of a YAML file that contains `gpu:`, such as yaml/platforms/gtx780.yaml. `overrides` are texts such as
/// `gpu.sm.scheme=mimd`. Throws InputError.
GpuParameters load_platform(const std::filesystem::path& file, std::span<const std::string> overrides = {});

/// A device with its memory. If several exist, the last one made runs, and must be destroyed first.
class Session {
 public:
  /// `machine`: as in experiments. `timed` is the platform's GPU, with its divergence scheme; `functional` gives the
  /// same results without timing; `streams` is the platform's stream processor, `multi_pass` its machine that has only
  /// guards. Throws ParameterError for other names. `kinds`: the machines and schemes that may be named.
  explicit Session(std::string_view machine, const Platform& platform = {}, Kinds kinds = {});
  explicit Session(const MachineKind& machine, const Platform& platform = {}, SchemeList schemes = built_in_schemes());
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Machine& device() { return *machine_; }
  const MachineKind& kind() const { return *kind_; }
  /// What is recorded of the following launches.
  void record(const Recording& recording) { recording_ = recording; }
  /// Simulates a part of the blocks of each following launch that is large enough and whose blocks are independent, and
  /// estimates its counters. The other blocks run without timing, after that part. For machines with SMs.
  void sample(const SamplingParameters& sampling);

  /// Loads a kernel, which stays loaded until the session ends. `entry` may be omitted if the file has only one. Throws
  /// InputError.
  const kernel::Program& load(const std::filesystem::path& file, std::string_view entry = {});

  DeviceMemory& memory();
  /// A buffer with these values. Throws InputError if it does not fit.
  template <typename T>
  DeviceAddress upload(std::string name, std::span<const T> values) {
    return memory().upload(std::move(name), values);
  }
  /// A buffer of zeros.
  template <typename T>
  DeviceAddress allocate(std::string name, std::uint64_t count) {
    return memory().allocate(std::move(name), count * sizeof(T));
  }
  /// All values of the buffer that begins at `address`.
  template <typename T>
  std::vector<T> download(DeviceAddress address) {
    const auto values = memory().view_as<T>(address);
    return {values.begin(), values.end()};
  }

  /// The address of a variable of the program's module, like cudaGetSymbolAddress: `__device__` or `__constant__`,
  /// whether the kernel uses it or not. It has its initial value unless a launch or the host wrote to it. Throws
  /// InputError, with the nearest name, if there is no such variable.
  DeviceAddress variable(const kernel::Program& program, std::string_view name);
  /// Writes a whole variable, like cudaMemcpyToSymbol. Throws InputError if `values` have another size.
  template <typename T>
  void write_variable(const kernel::Program& program, std::string_view name, std::span<const T> values) {
    const auto bytes = std::as_bytes(values);
    std::ranges::copy(bytes, variable_of_size(program, name, bytes.size()).begin());
  }
  /// All values of a variable, like cudaMemcpyFromSymbol. Throws InputError if its size is not a multiple of theirs.
  template <typename T>
  std::vector<T> read_variable(const kernel::Program& program, std::string_view name) {
    const std::uint64_t bytes = memory().view(variable(program, name)).size();
    variable_of_size(program, name, bytes / sizeof(T) * sizeof(T));
    return download<T>(variable(program, name));
  }

  /// Runs a kernel to its end. Arguments are scalars, addresses and structs, with the sizes of the kernel's parameters.
  /// Throws InputError if it cannot start, ExecutionError if the program fails.
  LaunchResult run(const kernel::Program& program, Dim3 grid, Dim3 block, std::initializer_list<Argument> arguments,
                   std::uint32_t dynamic_shared_bytes = 0);
  /// The same for a launch that was assembled before; its program must stay loaded. `keep_going` is polled during the
  /// run; false stops it, after which no launch is possible. The functional machine then has no counts.
  LaunchResult run(const Launch& launch, const KeepGoing& keep_going = {});
  /// The same for a launch that does only a part of some work; its counters become estimates for all of the work.
  LaunchResult run_part(const Launch& launch, const KeepGoing& keep_going, const sampling::Work& work);
  /// Stops each following launch like Machine::stop_after.
  void stop_after(Cycle cycles);

 private:
  /// `sampler`: null unless the launch is a part of some work.
  LaunchResult run_on_machine(const Launch& launch, const KeepGoing& keep_going, sampling::Sampler* sampler);
  LaunchResult run_blocks(const Launch& launch, const KeepGoing& keep_going);

  /// The bytes of the variable, which must have that size.
  std::span<std::byte> variable_of_size(const kernel::Program& program, std::string_view name, std::uint64_t bytes);

  const MachineKind* kind_;
  Platform platform_;
  SchemeList schemes_;
  std::vector<kernel::ExtensionInstruction> extensions_;  // that programs may use
  SimulationContext context_;
  std::unique_ptr<Machine> machine_;
  std::deque<kernel::Program> programs_;
  std::map<std::string, kernel::Program> modules_;  // without kernels, by file
  Recording recording_;
  SamplingParameters sampling_;
  std::unique_ptr<Machine> untimed_;  // runs the blocks that are not in a sample
};

}  // namespace reconverge::launch
