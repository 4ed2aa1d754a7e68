// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The part of a run that is shown cycle by cycle.

#include <cstdint>

namespace reconverge {

/// Clock cycles, counted from 0; first and last are included.
struct CycleWindow {
  std::uint64_t first = 0;
  std::uint64_t last = 0;

  bool holds(std::uint64_t cycle) const { return first <= cycle && cycle <= last; }
};

}  // namespace reconverge
