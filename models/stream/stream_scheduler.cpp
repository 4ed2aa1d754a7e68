// SPDX-License-Identifier: Apache-2.0
#include "models/stream/stream_scheduler.hpp"

#include <algorithm>

namespace reconverge {

namespace {

std::uint64_t records_of(const NodeView& node) { return node.synchronised ? std::min(node.waiting, node.most) : 0; }

}  // namespace

StreamScheduler::StreamScheduler(sc_core::sc_module_name name, const StreamSchedulerParameters& parameters)
    : sc_module(name), requests("requests"), parameters_(parameters) {
  requests.bind(*this);
}

void StreamScheduler::b_transport(ScheduleRequest& request, sc_core::sc_time& /*delay*/) {
  if (parameters_.policy == StreamSchedulerPolicy::greedy) return choose_greedily(request);
  choose_deepest(request);
}

std::uint64_t weight_of(const NodeView& node) { return records_of(node) * std::max<std::uint64_t>(node.words, 1); }

void choose_greedily(ScheduleRequest& request) {
  std::uint64_t heaviest = 0;
  for (std::uint32_t i = 0; i < request.nodes.size(); ++i) {
    const std::uint64_t weight = weight_of(request.nodes[i]);
    if (weight < heaviest || weight == 0 || (weight == heaviest && i != request.running)) continue;
    heaviest = weight;
    request.chosen = i;
    request.records = records_of(request.nodes[i]);
  }
}

void choose_deepest(ScheduleRequest& request) {
  for (const bool wants_empty : {true, false}) {
    for (std::uint32_t i = 0; i < request.nodes.size(); ++i) {
      const NodeView& node = request.nodes[i];
      if (records_of(node) == 0 || (wants_empty && !node.outputs_empty)) continue;
      if (request.chosen != ScheduleRequest::none && request.nodes[request.chosen].order > node.order) continue;
      request.chosen = i;
      request.records = records_of(node);
    }
    if (request.chosen != ScheduleRequest::none) return;
  }
}

}  // namespace reconverge
