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
  constexpr std::array mergings = {PartitionMerging::ifs, PartitionMerging::cheap, PartitionMerging::chains,
                                   PartitionMerging::none};
  partition.merging = mergings[take(mergings.size())];
  constexpr std::array bipartizations = {PartitionBipartization::exact, PartitionBipartization::greedy,
                                         PartitionBipartization::none};
  partition.bipartization = bipartizations[take(bipartizations.size())];
  partition.bypassing = take(2) == 0;
  partition.constants = take(2) == 0;
  partition.outputs = take(2) == 0 ? 8 : 4;
  parameters.skip_ended = take(2) == 0;
  constexpr std::array<std::uint64_t, 3> words = {4, 1, 2};
  partition.output_words = words[shape % words.size()];
  constexpr std::array<std::uint64_t, 4> tiles = {32, 8, 128, 16};
  parameters.tile = tiles[shape / 3 % tiles.size()];
  constexpr std::array<std::uint64_t, 3> lanes = {8, 32, 4};
  parameters.lanes = std::min(lanes[shape / 12 % lanes.size()], parameters.tile);
  return parameters;
}

}  // namespace reconverge::contract
