// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Sections that a signal must not interrupt.

namespace reconverge {

/// While an object lives, SIGINT, SIGTERM, SIGHUP and SIGALRM wait, whichever thread gets them: threads of libraries do
/// not block them (compare SignalsHeld). To be used while there are files on the disk that would otherwise be left
/// there.
class SignalsDeferred {
 public:
  SignalsDeferred();
  /// The last object to be destroyed delivers the signals that came in the meantime, each once.
  ~SignalsDeferred();
  SignalsDeferred(const SignalsDeferred&) = delete;
  SignalsDeferred& operator=(const SignalsDeferred&) = delete;
};

}  // namespace reconverge
