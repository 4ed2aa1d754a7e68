// SPDX-License-Identifier: Apache-2.0
#include "testbenches/contract/stream_ways.hpp"

#include <array>

namespace reconverge::contract {

StreamProcessorParameters stream_parameters(std::uint64_t way, std::uint64_t shape) {
  StreamProcessorParameters parameters;
  StreamingGraphParameters& graph = parameters.graph;
  const auto take = [&](std::uint64_t choices) {
    const std::uint64_t choice = way % choices;
    way /= choices;
    return choice;
  };
  graph.fields = take(2) == 0 ? StreamingGraphFields::live : StreamingGraphFields::shared;
  const std::uint64_t merging = take(3);
  graph.merging = merging == 0   ? StreamingGraphMerging::traffic
                  : merging == 1 ? StreamingGraphMerging::chains
                                 : StreamingGraphMerging::none;
  graph.merge_nodes = take(2) != 0;
  graph.accumulation_nodes = take(2) != 0;
  graph.in_place = take(2) != 0;
  graph.constants = take(2) == 0;
  constexpr std::array<std::uint64_t, 5> lanes = {16, 2, 32, 8, 4};
  parameters.lanes = parameters.network.ports = lanes[shape % lanes.size()];
  parameters.network.register_every = shape % 3;
  constexpr std::array<std::uint64_t, 3> words = {8192, 65536, 0};
  parameters.registers.words = words[shape / 5 % words.size()];
  parameters.registers.count = shape / 15 % 2 == 0 ? 64 : 40;
  const bool greedy = parameters.registers.words != 0 || shape % 2 == 0;
  parameters.scheduler.policy = greedy ? StreamSchedulerPolicy::greedy : StreamSchedulerPolicy::deepest_first;
  return parameters;
}

}  // namespace reconverge::contract
