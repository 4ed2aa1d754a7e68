// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Runs tasks in parallel, each in a separate process: SystemC allows one simulation for each process, and a task that
/// crashes does not affect the others.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "platforms/cli/exit_code.hpp"
#include "platforms/cli/run/progress.hpp"

namespace reconverge::cli {

struct CloseFile {
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): it is the owner
  void operator()(std::FILE* file) const { std::fclose(file); }
};
/// The output of a task, in a file that is deleted with this object.
using CapturedFile = std::unique_ptr<std::FILE, CloseFile>;

/// Appends the whole output to `to`.
void copy(const CapturedFile& captured, std::FILE* to);

/// How a task ended.
struct Ending {
  std::size_t task = 0;
  ExitCode code = ExitCode::internal_error;
  int signal = 0;                  ///< the signal that killed it; 0 if it ended by itself
  CapturedFile output;             ///< its standard output; null if it wrote nothing
  CapturedFile errors;             ///< its standard error; likewise
  double seconds = 0;              ///< of host time
  std::uint64_t memory_bytes = 0;  ///< its largest resident memory
};

/// A running task and its last line of progress.
struct TaskProgress {
  std::size_t task = 0;
  std::string line;
};

struct SideBySide {
  std::size_t at_once = 1;  ///< largest number of tasks at a time
  /// The task to start now, or nothing. Asked again when a task has ended; the work is done when nothing runs and there
  /// is nothing to start.
  std::function<std::optional<std::size_t>()> next;
  /// Called first in the process of a task, which receives no signals yet: what a signal does to it.
  std::function<void()> enter;
  /// Performs the task, in its process.
  std::function<ExitCode(std::size_t task, const ProgressSink& progress)> work;
  std::function<bool()> interrupted;  ///< asked after each wait; on a yes, tasks that prepare are ended by a signal
  std::function<void(Ending ending)> ended;
  std::function<void(std::span<const TaskProgress> running)> progress;
  std::optional<std::chrono::milliseconds> wake;  ///< longest time between two calls of `progress`
};

/// Tasks 0 to `tasks` - 1 in this order. `may_start` is asked before each; after a no, nothing else starts.
std::function<std::optional<std::size_t>()> in_order(std::size_t tasks, std::function<bool()> may_start);

/// Returns when every started task has ended. A command holds an InterruptGuard, which its tasks follow
/// (`InterruptGuard::leave_to_parent`): an interrupt ends the tasks that prepare, and the others stop by themselves.
/// Tasks are killed if the caller dies, and if one of its functions throws. Throws std::system_error if the system
/// refuses a process; running tasks are then killed.
void run_side_by_side(const SideBySide& plan);

}  // namespace reconverge::cli
