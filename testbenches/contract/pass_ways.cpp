// SPDX-License-Identifier: Apache-2.0
#include "testbenches/contract/pass_ways.hpp"

#include <array>

namespace reconverge::contract {

MultiPassParameters pass_parameters(std::uint64_t way, std::uint64_t shape) {
  MultiPassParameters parameters;
  PartitionParameters& partition = parameters.partition;
  const auto take = [&](std::uint64_t choices) {
    const std::uint64_t choice = way % choices;
    way /= choices;
    return choice;
  };
  constexpr std::array merging = {PartitionMerging::ifs, PartitionMerging::cheap, PartitionMerging::chains,
                                  PartitionMerging::none};
  partition.merging = merging[take(merging.size())];
  constexpr std::array bipartization = {PartitionBipartization::exact, PartitionBipartization::greedy,
                                        PartitionBipartization::none};
  partition.bipartization = bipartization[take(bipartization.size())];
  partition.bypassing = take(2) == 0;
  partition.constants = take(2) == 0;
  constexpr std::array<std::uint64_t, 5> tiles = {32, 1, 8, 128, 4096};
  parameters.tile = tiles[shape % tiles.size()];
  constexpr std::array<std::uint64_t, 3> lanes = {8, 32, 1};
  parameters.lanes = lanes[shape % lanes.size()];
  parameters.skip_ended = shape % 2 == 0;
  constexpr std::array<std::uint64_t, 4> outputs = {8, 2, 64, 4};
  partition.outputs = outputs[shape / 2 % outputs.size()];
  partition.output_words = 1 + shape % 4;
  return parameters;
}

}  // namespace reconverge::contract
