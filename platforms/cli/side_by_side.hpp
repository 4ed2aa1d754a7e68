#pragma once
/// Tasks side by side, each in a process of its own: SystemC keeps one simulation a process, and what one task breaks
/// stays its own affair.

#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "platforms/cli/exit_code.hpp"
#include "platforms/cli/progress.hpp"

namespace reconverge::cli {

struct CloseFile {
  void operator()(std::FILE* file) const {
    std::fclose(file);
  }  // NOLINT(cppcoreguidelines-owning-memory): it is the owner
};
/// What a task wrote; gone from the disk with this object.
using CapturedFile = std::unique_ptr<std::FILE, CloseFile>;

/// Appends all of it to `to`.
void copy(const CapturedFile& captured, std::FILE* to);

/// How a task ended.
struct Ending {
  std::size_t task = 0;
  ExitCode code = ExitCode::internal_error;
  int signal = 0;       ///< that killed it; 0 when it ended by itself
  CapturedFile output;  ///< its standard output; null when it wrote none
  CapturedFile errors;  ///< its standard error; the same
};

/// A task that runs, and the last line of progress that it gave.
struct TaskProgress {
  std::size_t task = 0;
  std::string line;
};

struct SideBySide {
  std::size_t tasks = 0;    ///< numbered from 0, and started in that order
  std::size_t at_once = 1;  ///< most that run at a time
  /// Does the task, in its process.
  std::function<ExitCode(std::size_t task, const ProgressSink& progress)> work;
  std::function<bool()> may_start;    ///< asked before each start; once it says no, nothing starts any more
  std::function<bool()> interrupted;  ///< asked after each wait; tasks that prepare then end by a signal
  std::function<void(Ending ending)> ended;
  std::function<void(std::span<const TaskProgress> running)> progress;
};

/// Returns when every task that started has ended. The caller holds an InterruptGuard, which tasks follow: an interrupt
/// ends those that prepare (interrupt.hpp), and the others stop by themselves. They die with the caller. Throws
/// std::system_error when the system refuses a process; those that run are then killed.
void run_side_by_side(const SideBySide& plan);

}  // namespace reconverge::cli
