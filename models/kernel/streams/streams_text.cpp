// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "models/kernel/streams/streaming_graph.hpp"

namespace reconverge::kernel {

namespace {

std::string fields_text(const RecordFields& fields) {
  std::string text;
  const auto add = [&](const std::string& one) { text += (text.empty() ? "" : " ") + one; };
  for (const std::uint16_t row : fields.registers) add(fmt::format("r{}", row));
  for (const std::uint16_t row : fields.predicates) add(fmt::format("p{}", row));
  for (const SpecialRow row : fields.specials) add(std::string(name_of(row)));
  return text.empty() ? "nothing" : text;
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string_view kind_text(const StreamNode& node) {
  switch (node.kind) {
    case NodeKind::merging:
      return " merges";
    case NodeKind::accumulation:
      return " gathers";
    case NodeKind::regular:
      break;
  }
  return node.blocks.empty() ? " passes through" : "";
}

/// The target of the arc, and the fields of its records.
std::string arc_text(const StreamingGraph& graph, const StreamArc& arc) {
  const StreamNode& to = graph.nodes[arc.to];
  return fmt::format("{}, {} bytes{}{}", to.name, to.fields.bytes(), arc.feedback ? ", feedback" : "",
                     arc.stack ? ", stack" : "");
}

std::vector<std::uint32_t> in_order(const StreamingGraph& graph) {
  std::vector<std::uint32_t> order(graph.nodes.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[graph.nodes[i].order] = i;
  return order;
}

}  // namespace

std::string streams_text(const StreamingGraph& graph) {
  std::string text;
  for (const std::uint32_t number : in_order(graph)) {
    const StreamNode& node = graph.nodes[number];
    text += fmt::format("{}{}: {}, records of {}: {}\n", node.name, kind_text(node),
                        counted(node.instructions, "instruction"), counted(node.fields.words(), "word"),
                        fields_text(node.fields));
    if (!node.uniforms.empty())
      text += fmt::format("  {} that all threads share\n", counted(node.uniforms.size(), "word"));
    for (const std::uint32_t waited : node.waits_for) {
      text += fmt::format("  waits for {} to be empty\n", graph.nodes[waited].name);
    }
    if (node.repeats()) text += "  repeats in place\n";
    for (const std::uint32_t arc : node.outputs) {
      if (arc != node.repeated) text += fmt::format("  to {}\n", arc_text(graph, graph.arcs[arc]));
    }
  }
  return text;
}

std::string streams_dot(const StreamingGraph& graph) {
  std::string text = "digraph streams {\n  node [shape=box, fontname=\"monospace\"];\n";
  for (std::uint32_t number = 0; number < graph.nodes.size(); ++number) {
    const StreamNode& node = graph.nodes[number];
    text += fmt::format("  n{} [label=\"{}{}\\n{} instructions\"{}];\n", number, node.name, kind_text(node),
                        node.instructions, node.kind == NodeKind::regular ? "" : ", shape=ellipse");
  }
  for (const StreamArc& arc : graph.arcs) {
    if (arc.from == StreamArc::source) continue;
    text +=
        fmt::format("  n{} -> n{} [label=\"{} bytes\"{}{}];\n", arc.from, arc.to, graph.nodes[arc.to].fields.bytes(),
                    arc.feedback ? ", constraint=false" : "", arc.stack ? ", style=bold" : "");
  }
  return text + "}\n";
}

}  // namespace reconverge::kernel
