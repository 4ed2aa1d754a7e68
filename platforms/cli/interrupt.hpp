// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Handles Ctrl-C: the first one ends the run at the next opportunity, the second one ends the program.

#include <csignal>
#include <exception>
#include <filesystem>
#include <vector>

namespace reconverge::cli {

/// The run was interrupted before it had anything to report.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

/// While this object lives, SIGINT, SIGTERM and SIGHUP set a flag instead of killing the program; SIGHUP only if it was
/// not ignored, as it is under nohup. A second SIGINT or SIGTERM kills the program. One object at a time. Processes
/// forked meanwhile share the flag.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// By a signal, or because the reader of standard output has gone.
  bool requested() const;

  /// For a forked process: the parent handles the flag from now on, and guards in this process only read it. A signal
  /// ends the process at once as long as it has no guard or is preparing; afterwards signals have no effect. Ctrl-C
  /// reaches all processes of a terminal, and they must count it as one.
  static void leave_to_parent();
  /// Ends a forked process that was interrupted before it had anything to report, by the same signal that would end it
  /// during preparation. Has no effect in any other process.
  static void end_unprepared();

 private:
  struct sigaction earlier_interrupt_ {};
  struct sigaction earlier_terminate_ {};
  struct sigaction earlier_hang_up_ {};
};

/// While this object lives, an interrupt ends the process inside the signal handler: nothing has been simulated, so
/// there is nothing to report. Folders that were made for the report are removed. Within a guard, one object at a time.
class Preparation {
 public:
  /// `made`: outermost first. Throws Interrupted if a signal arrived earlier.
  Preparation(const InterruptGuard& guard, std::vector<std::filesystem::path> made);
  ~Preparation();
  Preparation(const Preparation&) = delete;
  Preparation& operator=(const Preparation&) = delete;

 private:
  std::vector<std::filesystem::path> made_;
};

/// While this object lives, the process ends when the time is up, as on an interrupt during a Preparation: with one
/// line on standard error and the exit code of a limit. A forked process (`leave_to_parent`) ends by SIGALRM. One
/// object at a time.
class Deadline {
 public:
  /// `seconds` from now, above 0.
  explicit Deadline(double seconds);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
};

}  // namespace reconverge::cli
