// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Finds the reads and writes of struct members in C++ source, from its tokens. It uses no compiler: the scan takes
/// milliseconds in every build, and is precise enough to find an unused parameter or statistic.

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace reconverge::block_generator {

struct SourceUse {
  std::vector<std::string> includes;  ///< of the form `#include "..."`
  std::set<std::string> reads;        ///< names in `x.name` or `x->name` that are neither assigned to nor called
  std::set<std::string> writes;       ///< names that are assigned to, incremented, pointed to or bound to a reference
};

/// Scans one source text; comments and literals do not count.
SourceUse scan_source(std::string_view text);

/// Tokens of a source text: words, numbers and operators. A literal becomes the token `""`.
std::vector<std::string_view> tokenize(std::string_view text);

}  // namespace reconverge::block_generator
