// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Values of options that depend on blocks, figures, scenes and platforms, for shell completions.

#include <string>
#include <string_view>
#include <vector>

#include "platforms/cli/description/completion.hpp"

namespace reconverge::cli {

/// The values of the kind that --help names which may complete `begun`. Paths of parameters are completed up to the
/// next dot, as file names are up to the next slash.
std::vector<Candidate> known_values(std::string_view kind, const std::string& begun);

}  // namespace reconverge::cli
