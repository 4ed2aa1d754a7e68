#pragma once
/// What warps tell dynamic ray shuffling and are told, and what it wants of the register banks.

#include "models/core/cycle.hpp"
#include "models/core/lane_mask.hpp"
#include "models/protocols/control.hpp"

namespace reconverge {

struct Warp;

/// Scheduler -> dynamic ray shuffling: a warp stands at rdctrl, or has written the ray-state register.
struct RayRequest {
  Warp* warp = nullptr;
  bool report = false;    ///< of `lanes`, whose states are in the warp's row of them; otherwise rdctrl
  bool only_ask = false;  ///< whether a report would be taken; nothing happens
  LaneMask lanes = 0;
  Cycle now = 0;
  // Filled by the target:
  bool refused = false;  ///< nothing happened
  Cycle retry = 0;       ///< when refused: the first cycle in which it may be accepted; `never`: the SM says when
};

/// Dynamic ray shuffling -> operand collector: a register row, in this very cycle.
struct BankRequest {
  std::uint32_t slot = 0;  ///< warp slot whose registers they are
  std::uint16_t row = 0;   ///< number of the register
  Cycle now = 0;
  bool granted = false;  ///< filled by the target; otherwise its bank serves somebody else
};

}  // namespace reconverge
