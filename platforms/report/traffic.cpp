// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/traffic.hpp"

#include <fmt/format.h>

#include "platforms/figures/text.hpp"

namespace reconverge::report {

std::string traffic_dot(std::span<const PartedRun> runs) {
  std::string clusters;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].traffic.empty()) continue;
    clusters += fmt::format("  subgraph cluster_{} {{\n    label=\"{}\";\n", i, runs[i].name);
    for (const Traffic& arc : runs[i].traffic) {
      const std::string_view from = arc.from.empty() ? "threads" : std::string_view(arc.from);
      for (const std::string_view node : {from, std::string_view(arc.to)}) {
        clusters += fmt::format("    \"{}: {}\" [label=\"{}\"];\n", i, node, node);
      }
      clusters += fmt::format("    \"{}: {}\" -> \"{}: {}\" [label=\"{} records\\n{} bytes\"];\n", i, from, i, arc.to,
                              grouped(arc.records), grouped(arc.bytes));
    }
    clusters += "  }\n";
  }
  if (clusters.empty()) return {};
  return "digraph traffic {\n  node [shape=box, fontname=\"monospace\"];\n" + clusters + "}\n";
}

boost::json::array traffic_json(std::span<const Traffic> traffic) {
  boost::json::array arcs;
  for (const Traffic& arc : traffic) {
    arcs.push_back({{"from", arc.from}, {"to", arc.to}, {"records", arc.records}, {"bytes", arc.bytes}});
  }
  return arcs;
}

boost::json::array parts_json(std::span<const PartRuns> parts) {
  boost::json::array all;
  for (const PartRuns& part : parts) {
    all.push_back({{"name", part.name}, {"runs", part.runs}, {"records", part.records}});
  }
  return all;
}

}  // namespace reconverge::report
