// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Several runs as one JSON document; docs/json.md describes its keys.

#include <span>
#include <string>

#include "platforms/cli/run/several_plan.hpp"

namespace reconverge::cli {

/// `codes`: exit codes of the runs; `interrupted` for runs that did not start.
std::string collected_json(const SeveralPlan& plan, std::span<const ExitCode> codes);

}  // namespace reconverge::cli
