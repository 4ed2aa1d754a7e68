// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The output of `reconverge inspect` as JSON; docs/json.md describes the keys. It complements the text output of
/// models/kernel/inspect, which does not depend on JSON.

#include <boost/json/value.hpp>
#include <span>

#include "models/kernel/inspect/inspect_passes.hpp"
#include "models/kernel/partition/partition.hpp"
#include "models/kernel/program.hpp"
#include "models/kernel/streams/streaming_graph.hpp"

namespace reconverge::kernel {

/// `file` and `kernel`, the first keys of every document.
boost::json::object json_head(const Program& program);

boost::json::object program_json(const Program& program);
boost::json::object functions_json(const Program& program);
boost::json::object flow_json(const Program& program);
boost::json::object loops_json(const Program& program);
boost::json::object liveness_json(const Program& program);
boost::json::object reconvergence_json(const Program& program);
boost::json::object divergence_json(const Program& program);
boost::json::object barriers_json(const Program& program);
boost::json::object scoreboards_json(const Program& program);
boost::json::object occupancy_json(const Program& program, const OccupancyQuestion& question);
boost::json::object streams_json(const StreamingGraph& graph);
boost::json::object passes_json(const Partition& partition);
/// A kernel and its parameters, without the first keys.
boost::json::object entry_json(const Program& program);

/// Blocks, nodes and the like by number.
inline boost::json::array json_numbers(std::span<const std::uint32_t> numbers) {
  boost::json::array array(numbers.begin(), numbers.end());
  return array;
}
/// `number`, or null if it is `none`.
inline boost::json::value json_unless(std::uint32_t number, std::uint32_t none) {
  return number == none ? boost::json::value(nullptr) : boost::json::value(number);
}

}  // namespace reconverge::kernel
