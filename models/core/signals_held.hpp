// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A fork that no signal interrupts.

#include <csignal>

namespace reconverge {

/// While it lives, SIGINT, SIGTERM and SIGHUP to this thread are blocked, and also in a process that it forks. Other
/// threads still get them (SignalsDeferred).
class SignalsHeld {
 public:
  SignalsHeld();
  ~SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

  /// The signal mask before.
  const sigset_t& earlier() const { return earlier_; }

 private:
  sigset_t earlier_{};
};

}  // namespace reconverge
