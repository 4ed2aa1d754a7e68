#pragma once
/// What happened over time, as `report.json` has it. docs/report.md says what is in it.

#include <boost/json/object.hpp>

#include "models/core/statistics_tree.hpp"
#include "models/protocols/run_history.hpp"

namespace reconverge::report {

/// `counters`: of the same launch, for the names of outcomes.
boost::json::object timeline_json(const RunHistory& history, const Statistics& counters);

}  // namespace reconverge::report
