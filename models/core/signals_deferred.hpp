#pragma once
/// What a signal must not cut in two.

namespace reconverge {

/// While one lives, SIGINT, SIGTERM and SIGHUP wait, whichever thread gets them: libraries have threads of their own,
/// which hold none back (compare SignalsHeld). For as long as something is on the disk that would be left there.
class SignalsDeferred {
 public:
  SignalsDeferred();
  /// With the last one comes what came meanwhile, each signal once.
  ~SignalsDeferred();
  SignalsDeferred(const SignalsDeferred&) = delete;
  SignalsDeferred& operator=(const SignalsDeferred&) = delete;
};

}  // namespace reconverge
