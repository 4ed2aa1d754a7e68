// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A range of numbers in the `sweep` of a list of experiments:
///
///     gpu.sms: {from: 1, to: 15, step: 2}                    # 1, 3, 5 ...
///     gpu.l2.capacity: {from: 256 KiB, to: 4 MiB, factor: 2}    # 256 KiB, 512 KiB ...
///     gpu.dram.reserve: {from: 0.1, to: 10, scale: log}      # any value between, for a sample

#include <string>
#include <vector>

#include "models/core/yaml_node.hpp"
#include "platforms/sweep/quantity_text.hpp"

namespace reconverge::cli {

/// All values between two numbers.
struct ContinuousRange {
  double from = 0;
  double to = 0;
  sweep::QuantityKind kind = sweep::QuantityKind::count;
  bool logarithmic = false;

  /// The text of the value at a fraction from 0 to 1 of the range.
  std::string at(double fraction) const;
};

struct ListedRange {
  ContinuousRange range;
  std::vector<std::string> values;  ///< empty without `step` and `factor`
};

/// Reads the map after the key of an entry. Throws InputError with its location.
ListedRange read_range(const std::string& file, const YamlEntry& entry);

}  // namespace reconverge::cli
