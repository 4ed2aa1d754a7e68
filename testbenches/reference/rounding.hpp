#pragma once
/// The host's rounding mode for one operation. Files that use this are compiled with -frounding-math.

#include <cfenv>

#include "models/kernel/opcode.hpp"

namespace reconverge::reference {

class RoundingScope {
 public:
  explicit RoundingScope(kernel::Rounding rounding) : outer_(std::fegetround()) { std::fesetround(mode_of(rounding)); }
  ~RoundingScope() { std::fesetround(outer_); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  static int mode_of(kernel::Rounding rounding) {
    switch (rounding) {
      case kernel::Rounding::rz:
      case kernel::Rounding::rzi:
        return FE_TOWARDZERO;
      case kernel::Rounding::rm:
      case kernel::Rounding::rmi:
        return FE_DOWNWARD;
      case kernel::Rounding::rp:
      case kernel::Rounding::rpi:
        return FE_UPWARD;
      default:
        return FE_TONEAREST;
    }
  }
  int outer_;
};

/// The compiler neither computes before this nor moves what uses it: operands of a rounded operation pass through.
template <typename T>
T opaque(T value) {
  volatile T hidden = value;
  return hidden;
}

}  // namespace reconverge::reference
