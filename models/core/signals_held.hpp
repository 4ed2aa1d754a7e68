#pragma once
/// What a signal must not cut in two.

#include <csignal>

namespace reconverge {

/// While it lives, SIGINT, SIGTERM and SIGHUP to this thread wait: over a fork, and while something is on the disk that
/// would be left there.
class SignalsHeld {
 public:
  SignalsHeld();
  ~SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

  /// The signals that waited before.
  const sigset_t& earlier() const { return earlier_; }

 private:
  sigset_t earlier_{};
};

}  // namespace reconverge
