// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Directed rounding of f32 and f64: the host's own, set once for all lanes of an operation.

#include <cfenv>

#include "models/execution/operations/operation.hpp"

namespace reconverge::operations {

/// Sets the host's rounding mode while it lives.
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
        return FE_TOWARDZERO;
      case kernel::Rounding::rm:
        return FE_DOWNWARD;
      case kernel::Rounding::rp:
        return FE_UPWARD;
      default:
        return FE_TONEAREST;
    }
  }

  int outer_;
};

/// `Nearest`, an operation that rounds each result once, with the instruction's rounding instead. No arithmetic can
/// leave the scope: operands are loaded from registers and results stored to them, which other code may touch, so a
/// compiler moves neither across the calls that set the mode; -frounding-math keeps it from computing with constants
/// beforehand.
template <Operation Nearest>
void in_rounding_mode(const kernel::Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const RoundingScope scope(instruction.rounding);
  Nearest(instruction, context, mask);
}

/// Whether the instruction asks for another rounding than to nearest.
constexpr bool is_directed(kernel::Rounding rounding) {
  return rounding == kernel::Rounding::rz || rounding == kernel::Rounding::rm || rounding == kernel::Rounding::rp;
}

}  // namespace reconverge::operations
