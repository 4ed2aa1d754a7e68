#pragma once
/// Ctrl-C, asked politely: the first one ends the run at the next chance, the second one ends the program.

#include <csignal>

namespace reconverge::cli {

/// While it lives, SIGINT and SIGTERM set a flag instead of killing the program. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  bool requested() const;

 private:
  struct sigaction earlier_interrupt_ {};
  struct sigaction earlier_terminate_ {};
};

}  // namespace reconverge::cli
