// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The history of a launch as in `report.json`. docs/report.md describes its contents.

#include <boost/json/object.hpp>

#include "models/core/statistics_tree.hpp"
#include "models/protocols/run_history.hpp"

namespace reconverge::report {

/// `counters`: of the same launch, for the names of outcomes.
boost::json::object timeline_json(const RunHistory& history, const Statistics& counters);

}  // namespace reconverge::report
