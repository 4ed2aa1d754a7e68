// SPDX-License-Identifier: Apache-2.0
#include "models/stream/stream_state.hpp"

#include <algorithm>

namespace reconverge {

using kernel::NodeKind;
using kernel::StreamArc;
using kernel::StreamNode;

void StreamState::begin(const kernel::StreamingGraph& graph) {
  graph_ = &graph;
  loop_room_.assign(graph_->nodes.size(), 0);
  if (parameters_.admission == StreamSchedulerAdmission::open) return;
  std::vector<bool> fills(graph_->nodes.size(), false);  // by component: the number of records may grow
  for (const StreamArc& arc : graph_->arcs) {
    if (arc.from == StreamArc::source) continue;
    const std::uint32_t component = graph_->nodes[arc.from].component;
    if (component != graph_->nodes[arc.to].component) continue;
    if (arc.stack || arc.most > 1) fills[component] = true;
    for (const std::uint32_t node : {arc.from, arc.to}) {
      std::uint64_t& room = loop_room_[component];
      const std::uint64_t own = streams_.top(node).capacity();
      room = room == 0 ? own : std::min(room, own);
    }
  }
  for (std::size_t component = 0; component < fills.size(); ++component) {
    if (fills[component]) loop_room_[component] = 0;
  }
}

const std::vector<NodeView>& StreamState::look() {
  views_.resize(graph_->nodes.size());
  for (std::uint32_t number = 0; number < views_.size(); ++number) {
    const StreamNode& node = graph_->nodes[number];
    NodeView& view = views_[number];
    view = {};
    view.waiting = streams_.top(number).size();
    if (view.waiting == 0) continue;
    view.words = node.fields.words();
    view.most = most_of(node);
    view.synchronised = synchronised(node, number);
    view.outputs_empty = outputs_empty(node);
    view.order = node.order;
  }
  return views_;
}

bool StreamState::pushes(const StreamArc& arc) const {
  const RecordQueue& top = streams_.top(arc.to);
  const double filled = static_cast<double>(top.size());
  return arc.stack && filled > parameters_.push_threshold * static_cast<double>(top.capacity());
}

std::uint64_t StreamState::room_on(const StreamArc& arc) const {
  const RecordQueue& top = streams_.top(arc.to);
  return pushes(arc) ? top.capacity() : top.room();
}

std::uint64_t StreamState::admitted(std::uint32_t number) const {
  const std::uint32_t component = graph_->nodes[number].component;
  const std::uint64_t room = loop_room_[component];
  if (room == 0) return RecordQueue::unlimited;
  std::uint64_t inside = 0;
  for (std::uint32_t node = 0; node < graph_->nodes.size(); ++node) {
    if (graph_->nodes[node].component == component) inside += streams_.waiting(node);
  }
  return room > inside ? room - inside : 0;
}

std::uint64_t StreamState::most_of(const StreamNode& node) const {
  std::uint64_t most = RecordQueue::unlimited;
  for (const std::uint32_t output : node.outputs) {
    if (output == node.repeated) continue;
    const StreamArc& arc = graph_->arcs[output];
    std::uint64_t room = room_on(arc);
    if (graph_->nodes[arc.to].component != node.component) room = std::min(room, admitted(arc.to));
    // All arcs to one stream together.
    std::uint64_t records = 0;
    for (const std::uint32_t other : node.outputs) {
      if (other != node.repeated && graph_->arcs[other].to == arc.to) records += graph_->arcs[other].most;
    }
    most = std::min(most, room / records);
  }
  return most;
}

bool StreamState::synchronised(const StreamNode& node, std::uint32_t number) const {
  if (node.waits_for.empty()) return true;
  // A stream without room for another strip does not wait, because other streams could not advance.
  if (streams_.top(number).room() < lanes_) return true;
  return std::ranges::all_of(node.waits_for, [&](std::uint32_t one) { return streams_.waiting(one) == 0; });
}

bool StreamState::outputs_empty(const StreamNode& node) const {
  return std::ranges::all_of(node.outputs, [&](std::uint32_t output) {
    const StreamArc& arc = graph_->arcs[output];
    return output == node.repeated || graph_->nodes[arc.to].kind != NodeKind::regular || streams_.waiting(arc.to) == 0;
  });
}

}  // namespace reconverge
