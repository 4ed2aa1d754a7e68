// SPDX-License-Identifier: Apache-2.0
#include "models/block_generator/describe.hpp"

namespace reconverge::block_generator {

DescribedBlock::DescribedBlock(const Block& block) {
  const auto view_words = [&](const std::vector<std::string>& words) -> std::span<const std::string_view> {
    return words_.emplace_back(words.begin(), words.end());
  };
  // Reserved, because descriptions point into these vectors.
  words_.reserve(block.parameters.size() + block.statistics.size());
  child_blocks_.reserve(block.children.size());
  for (const Parameter& parameter : block.parameters) {
    ParameterDescription& description = parameters_.emplace_back();
    description.name = parameter.name;
    description.type = parameter.type;
    description.default_text = parameter.default_text;
    description.minimum = parameter.minimum;
    description.maximum = parameter.maximum;
    description.choices = view_words(parameter.choices);
    description.source = parameter.source;
    description.text = parameter.text;
  }
  for (const Child& child : block.children) {
    child_blocks_.emplace_back().name = child.block;
    ChildDescription& description = children_.emplace_back();
    description.name = child.name;
    description.block = &child_blocks_.back();
  }
  for (const Statistic& statistic : block.statistics) {
    StatisticDescription& description = statistics_.emplace_back();
    description.name = statistic.name;
    description.unit = statistic.unit;
    description.text = statistic.text;
    description.bins = statistic.bins;
    description.bin_names = view_words(statistic.bin_names);
    description.open_bin = statistic.open_bin;
  }
  for (const Cause& cause : block.causes) causes_.push_back({cause.name, cause.text});
  description_.name = block.name;
  description_.folder = block.folder;
  description_.summary = block.summary;
  description_.parameters = parameters_;
  description_.children = children_;
  description_.parts = block.parts;
  description_.parts_at = block.parts_at;
  description_.causes = causes_;
  description_.statistics = statistics_;
}

}  // namespace reconverge::block_generator
