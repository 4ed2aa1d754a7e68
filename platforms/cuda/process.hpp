// SPDX-License-Identifier: Apache-2.0
#pragma once
/// All CUDA state of this process, and the common part of every call: a lock, error codes, and the end of the process.

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include "platforms/compile/device/reconverge/runtime_types.h"
#include "platforms/cuda/device.hpp"
#include "platforms/cuda/modules.hpp"
#include "platforms/report/output_folder.hpp"

namespace reconverge::cuda {

/// The process of a CUDA program. Calls of all its threads are serialised.
class Process {
 public:
  Modules modules;

  /// The GPU, made on the first use. If it cannot be made, prints why and ends the process with exit code 2.
  Device& device();
  bool has_device() const { return device_ != nullptr; }
  /// Gives all managed variables memory and their initial values, if they have none yet.
  void place_managed_variables();

  /// After a kernel has failed, all calls fail with its code, as in CUDA.
  cudaError_t fault = cudaSuccess;
  /// Held by each call. Recursive, since host functions in streams may call.
  std::recursive_mutex mutex;
  /// A kernel runs.
  std::atomic<bool> running = false;

  /// Writes the report, once. `complete`: the program has come to its end.
  void finish(bool complete) noexcept;
  /// The same, and ends the process. For limits and signals.
  [[noreturn]] void stop(int exit_code) noexcept;

 private:
  void make_device();
  void write_log_of_error();

  std::optional<Settings> settings_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<report::OutputFolder> folder_;
  std::unique_ptr<trace::Recordings> recordings_;
  int process_ = 0;  // a child that the program forks writes no report
};

/// The only instance in this process. It lives until the process ends, longer than all objects of the program.
Process& process();

/// Prints a message for the user.
void complain(std::string_view message);

/// A call fails with this code.
struct Refusal {
  cudaError_t code = cudaErrorUnknown;
};

/// Throws a refusal unless `holds`.
inline void require(bool holds, cudaError_t code = cudaErrorInvalidValue) {
  if (!holds) throw Refusal{code};
}

/// Runs `action`. An InputError becomes this code, and its message is printed for the user.
template <typename Action>
auto or_else(cudaError_t code, Action&& action) {
  try {
    return action();
  } catch (const InputError& error) {
    complain(error.what());
    throw Refusal{code};
  }
}

/// For cudaGetLastError of this thread.
cudaError_t note(cudaError_t code) noexcept;
/// Returns and clears it, or leaves it.
cudaError_t last_error(bool clear) noexcept;
/// The code of the exception that is being handled; unexpected ones are reported to the user.
cudaError_t code_of_exception(Process& state) noexcept;

/// The frame of a call of the runtime: `action(state)` does its work.
template <typename Action>
cudaError_t call(Action&& action) noexcept {
  Process& state = process();
  const std::scoped_lock lock(state.mutex);
  if (state.fault != cudaSuccess) return note(state.fault);
  try {
    action(state);
    return cudaSuccess;
  } catch (...) {
    return note(code_of_exception(state));
  }
}

}  // namespace reconverge::cuda
