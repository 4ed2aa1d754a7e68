#pragma once
/// What people compare, made from counters.

#include <string>

namespace reconverge {

/// A number with all that it takes to read it.
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
