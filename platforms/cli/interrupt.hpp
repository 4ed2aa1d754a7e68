#pragma once
/// Ctrl-C, asked politely: the first one ends the run at the next chance, the second one ends the program.

#include <csignal>
#include <exception>
#include <filesystem>
#include <vector>

namespace reconverge::cli {

/// The first one came before there was anything to report.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

/// While it lives, SIGINT, SIGTERM and SIGHUP set a flag instead of killing the program; SIGHUP only where it was not
/// ignored, as under nohup. A second SIGINT or SIGTERM kills it. One at a time. Processes that are forked meanwhile
/// share the flag.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// By a signal, or because nobody reads standard output any more.
  bool requested() const;

  /// For a forked process: the flag is the parent's affair from now on, and guards only read it. Until it has a guard,
  /// and while it prepares, a signal ends it at once, by the signal; otherwise it does nothing. A Ctrl-C reaches all
  /// processes of a terminal, and each must take it for one.
  static void leave_to_parent();
  /// Ends a forked process that an interrupt found before there was anything to report, by the signal, as everywhere in
  /// its preparation; does nothing in any other process.
  static void end_unprepared();

 private:
  struct sigaction earlier_interrupt_ {};
  struct sigaction earlier_terminate_ {};
  struct sigaction earlier_hang_up_ {};
};

/// While it lives, an interrupt does not wait for a next chance: nothing has been simulated, so there is nothing to
/// report, and the process ends within the signal's handler, wherever it is. The folders that were made for the report
/// go. Within a guard, one at a time.
class Preparation {
 public:
  /// `made`: outermost first. Throws Interrupted when the signal came before.
  Preparation(const InterruptGuard& guard, std::vector<std::filesystem::path> made);
  ~Preparation();
  Preparation(const Preparation&) = delete;
  Preparation& operator=(const Preparation&) = delete;

 private:
  std::vector<std::filesystem::path> made_;
};

/// While it lives, the process ends when the time is up, as it does at an interrupt within a Preparation: with one line
/// on standard error and the exit code of a limit; one that was forked (`leave_to_parent`) by SIGALRM. One at a time.
class Deadline {
 public:
  /// `seconds` from now on, above 0.
  explicit Deadline(double seconds);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
};

}  // namespace reconverge::cli
