// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Values computed from counters, for comparison.

#include <string>

namespace reconverge {

/// A number with everything that is needed to read it.
struct Figure {
  std::string name;
  std::string unit;
  std::string text;     ///< one sentence on what it says
  std::string formula;  ///< over the counters, and the paper that defines it where one does
  double value = 0;
};

/// `part / whole`, and 0 where the whole is 0.
inline double ratio(double part, double whole) { return whole == 0 ? 0 : part / whole; }

}  // namespace reconverge
