// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Sections that a signal must not interrupt.

namespace reconverge {

/// While an object lives, SIGINT, SIGTERM, SIGHUP and SIGALRM are deferred, regardless of the thread that gets them:
/// threads of libraries do not block them (compare SignalsHeld). Use it while there are temporary files that a signal
/// would otherwise leave on the disk.
class SignalsDeferred {
 public:
  SignalsDeferred();
  /// The last object to be destroyed delivers the signals that arrived in the meantime, each once.
  ~SignalsDeferred();
  SignalsDeferred(const SignalsDeferred&) = delete;
  SignalsDeferred& operator=(const SignalsDeferred&) = delete;
};

}  // namespace reconverge
