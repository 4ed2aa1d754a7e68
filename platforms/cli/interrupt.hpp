#pragma once
/// Ctrl-C, asked politely: the first one ends the run at the next chance, the second one ends the program.

#include <csignal>

namespace reconverge::cli {

/// While it lives, SIGINT and SIGTERM set a flag instead of killing the program. One at a time. Processes that are
/// forked meanwhile share the flag.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  bool requested() const;

  /// For a forked process: signals are the parent's affair from now on, and guards only read the parent's flag. A
  /// Ctrl-C reaches all processes of a terminal, and each must take it for one.
  static void leave_to_parent();

 private:
  struct sigaction earlier_interrupt_ {};
  struct sigaction earlier_terminate_ {};
};

/// While it lives, SIGINT and SIGTERM wait. To be held over a fork: before the new process leaves them to its parent,
/// it would take the same Ctrl-C for a second one.
class InterruptsHeld {
 public:
  InterruptsHeld();
  ~InterruptsHeld();
  InterruptsHeld(const InterruptsHeld&) = delete;
  InterruptsHeld& operator=(const InterruptsHeld&) = delete;

 private:
  sigset_t earlier_{};
};

}  // namespace reconverge::cli
