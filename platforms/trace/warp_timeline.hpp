#pragma once
/// What warps ran, read from a trace: the picture of a report.

#include <boost/json.hpp>

#include "platforms/trace/trace.hpp"

namespace reconverge::trace {

/// {"begin", "end", "rows": [{"name", "spans": [[begin, end, lanes, pc], ...]}]}: cycles; a row for each warp slot of
/// each SM that issued anything, in their order, and a span for each instruction, up to the next of its slot. Throws
/// InputError when a slice of an instruction does not say its lanes and pc.
boost::json::object warp_timeline(const Trace& trace);

}  // namespace reconverge::trace
