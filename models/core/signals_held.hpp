#pragma once
/// A fork that no signal cuts in two.

#include <csignal>

namespace reconverge {

/// While it lives, SIGINT, SIGTERM and SIGHUP to this thread wait, and so they do in a process that it forks. Other
/// threads get them all the same (SignalsDeferred).
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
