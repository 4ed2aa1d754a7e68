// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Warnings about a plan before it runs.

#include <string>
#include <vector>

#include "models/protocols/scheme_list.hpp"
#include "platforms/launch/plan.hpp"
#include "platforms/machine_kind.hpp"

namespace reconverge::launch {

/// Warnings, with file and line, about programs of the plan that may behave differently on this machine than their
/// authors intend. Throws InputError for unknown schemes.
std::vector<std::string> warnings_of(const LaunchPlan& plan, const MachineKind& machine, const Platform& platform,
                                     SchemeList schemes = built_in_schemes());

}  // namespace reconverge::launch
