#pragma once
/// The parameters of an effective.yaml with their origins, which stand there as comments.

#include <string>
#include <vector>

#include "platforms/page/run.hpp"

namespace reconverge::page {

/// One setting for each single value or list of such, in the order of the text; `file` is its name in messages. Throws
/// InputError for a text that is not YAML or nests without end.
std::vector<Setting> read_effective(const std::string& text, const std::string& file);

}  // namespace reconverge::page
