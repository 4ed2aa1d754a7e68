// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Conditions between the parameters of a point: SQL expressions over the paths of parameters, evaluated by SQLite, so
/// that a design space and `reconverge query` have one language.
///
///     gpu.sms * gpu.sm.warp_slots <= 960
///     gpu.sm.scheme = 'dynamic_ray_shuffling' or gpu.dram.channels < 6

#include <map>
#include <string>
#include <vector>

#include "models/core/error.hpp"
#include "platforms/sweep/database.hpp"

namespace reconverge::sweep {

/// Parameters of a point by path. Quantities are numbers in bytes, hertz or cycles; lists and words are texts.
using Parameters = std::map<std::string, std::string>;

class Condition {
 public:
  /// `location` is that of the text, for messages.
  Condition(std::string text, SourceLocation location);

  const std::string& text() const { return text_; }
  const SourceLocation& location() const { return location_; }
  /// The paths in it, each once: names with a dot, and single names that are no words of SQL.
  const std::vector<std::string>& paths() const { return paths_; }

  /// Throws InputError with the location of the text if a path is missing in `parameters`, or if SQLite does not
  /// understand the text.
  bool holds(const Parameters& parameters) const;

 private:
  std::string text_;
  SourceLocation location_;
  std::vector<std::string> paths_;
  std::string statement_;  ///< SELECT with a `?N` for each path
};

}  // namespace reconverge::sweep
