// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Reads the parameters of an effective.yaml with their origins, which are in its comments.

#include <string>
#include <vector>

#include "platforms/page/run.hpp"

namespace reconverge::page {

/// One setting for each single value or list of single values, in text order; `file` is its name in messages. Throws
/// InputError for a text that is not YAML or nests endlessly.
std::vector<Setting> read_effective(const std::string& text, const std::string& file);

}  // namespace reconverge::page
