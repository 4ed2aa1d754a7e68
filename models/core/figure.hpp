// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Values computed from counters, for comparison.

#include <string>

namespace reconverge {

/// A number with its name, unit and description.
struct Figure {
  std::string name;
  std::string unit;
  std::string text;     ///< one sentence that describes it
  std::string formula;  ///< from the counters, with the paper that defines it, if any
  double value = 0;
};

/// `part / whole`; 0 if the whole is 0.
inline double ratio(double part, double whole) { return whole == 0 ? 0 : part / whole; }

}  // namespace reconverge
