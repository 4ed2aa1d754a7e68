// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Devices of a host: several may exist, in any order of construction and destruction, and of any threads.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "blocks/experiment.hpp"
#include "models/execution/launch.hpp"
#include "models/kernel/program.hpp"
#include "platforms/launch/session.hpp"
#include "platforms/plugins/plugins.hpp"
#include "platforms/run_control.hpp"

namespace reconverge::embedding {

struct DeviceSettings {
  std::string machine = "functional";      ///< as in experiments
  std::string platform = "gtx780";         ///< a YAML file with `gpu:`, or the name of a shipped platform
  std::vector<std::string> settings = {};  ///< `gpu.sms=4`
  unsigned threads = 1;                    ///< of the host; results do not depend on it
};

/// A kernel with the shape of its grid.
struct DeviceLaunch {
  std::shared_ptr<const kernel::Program> program;
  Dim3 grid;
  Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  std::vector<std::byte> parameters;  ///< as the program lays them out
};

/// Used by one thread at a time.
class Device {
 public:
  /// Throws InputError.
  explicit Device(const DeviceSettings& settings);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const ExperimentParameters& parameters() const { return parameters_; }
  /// What it could name: the built-in machines and schemes, and those of plugins that were loaded before it was made.
  Kinds kinds() const { return plugins_.kinds(); }
  bool timed() const;

  /// A buffer of zeros. Throws InputError if it does not fit.
  DeviceAddress allocate(std::string name, std::uint64_t bytes);
  /// Throws InputError if no buffer begins at the address.
  void release(DeviceAddress address);
  /// `bytes` bytes of one buffer, from an address within it. Throws InputError if the buffer ends before.
  std::span<std::byte> memory(DeviceAddress address, std::uint64_t bytes);
  /// The complete variable of the kernel's module. Throws InputError, with the nearest name, if there is none.
  DeviceAddress variable(const kernel::Program& variables, std::string_view name);
  std::uint64_t bytes_at(DeviceAddress address);

  /// Runs to the end, unless `keep_running` returns false: then `completed` of the result is false. After that, or
  /// after an exception, memory can be read, and no launch is possible. Throws InputError for a launch that cannot
  /// start, and ExecutionError.
  launch::LaunchResult run(const DeviceLaunch& launch, KeepRunning keep_running = {});

 private:
  /// Throws InputError unless a launch is possible.
  void check_ready() const;

  Plugins plugins_;  ///< outlive the session
  ExperimentParameters parameters_;
  std::optional<launch::Session> session_;
  sc_core::sc_simcontext* simulation_ = nullptr;
  std::set<std::shared_ptr<const kernel::Program>> programs_;  ///< that it has run
  bool running_ = false;
  bool ended_ = false;  ///< no launch is possible any more
};

/// A file of the user, or a shipped platform with or without its ending. Throws InputError, with the nearest name.
std::string platform_file(const std::string& name);

}  // namespace reconverge::embedding
