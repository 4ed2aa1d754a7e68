// SPDX-License-Identifier: Apache-2.0
#include "models/core/block_tree.hpp"

#include <algorithm>
#include <utility>

namespace reconverge {

namespace {

/// `text` with the first words in braces, and the braces, replaced by `causes`, or by these words if there are none.
std::string filled(std::string_view text, std::string_view causes) {
  const std::size_t begin = text.find('{');
  const std::size_t end = text.find('}', begin);
  std::string result(text);
  if (begin == std::string_view::npos || end == std::string_view::npos) return result;
  if (causes.empty()) causes = text.substr(begin + 1, end - begin - 1);
  return result.replace(begin, end + 1 - begin, causes);
}

}  // namespace

std::string text_without_parts(const StatisticDescription& statistic) {
  return statistic.open_bin == no_bin ? std::string(statistic.text) : filled(statistic.text, {});
}

BlockTree::BlockTree(const BlockDescription& root, std::span<const OpenParts> added) {
  auto blocks = std::make_shared<Blocks>();
  root_ = complete(root, added, nullptr, *blocks);
  blocks_ = std::move(blocks);
}

const BlockDescription* BlockTree::complete(const BlockDescription& block, std::span<const OpenParts> added,
                                            const OpenParts* around, Blocks& blocks) {
  std::vector<ChildDescription> children(block.children.begin(), block.children.end());
  const auto own = std::ranges::find(added, block.parts, &OpenParts::member);
  const bool opened = block.open_parts() && own != added.end();
  if (opened) {
    around = &*own;
    const auto place = children.begin() + static_cast<std::ptrdiff_t>(block.parts_at);
    children.insert(place, own->parts.begin(), own->parts.end());
  }
  const bool counts_causes =
      std::ranges::any_of(block.statistics, [](const auto& statistic) { return statistic.open_bin != no_bin; });
  bool changed = opened || (counts_causes && around != nullptr);
  for (ChildDescription& child : children) {
    const BlockDescription* const completed = complete(*child.block, added, around, blocks);
    changed |= completed != child.block;
    child.block = completed;
  }
  if (!changed) return &block;
  Block& copy = blocks.emplace_back();
  copy.description = block;
  copy.children = std::move(children);
  copy.parameters.assign(block.parameters.begin(), block.parameters.end());
  if (opened) {
    copy.names = own->names;
    for (ParameterDescription& parameter : copy.parameters) {
      const bool names = parameter.type == ParameterType::name || parameter.type == ParameterType::names;
      if (names) parameter.choices = copy.names;
    }
  }
  copy.statistics.assign(block.statistics.begin(), block.statistics.end());
  if (counts_causes && around != nullptr) open_bins(copy, around->parts);
  copy.description.statistics = copy.statistics;
  copy.description.children = copy.children;
  copy.description.parameters = copy.parameters;
  return &copy.description;
}

void BlockTree::open_bins(Block& block, std::span<const ChildDescription> parts) {
  std::vector<std::string_view> causes;
  std::string texts;
  for (const ChildDescription& part : parts) {
    for (const CauseDescription& cause : part.block->causes) {
      causes.push_back(cause.name);
      texts += (texts.empty() ? "" : ", ") + std::string(cause.text);
    }
  }
  if (causes.empty()) return;
  for (StatisticDescription& statistic : block.statistics) {
    if (statistic.open_bin == no_bin) continue;
    auto& names = block.bin_names.emplace_back(statistic.bin_names.begin(), statistic.bin_names.end());
    const auto open = names.erase(names.begin() + static_cast<std::ptrdiff_t>(statistic.open_bin));
    names.insert(open, causes.begin(), causes.end());
    statistic.bin_names = names;
    statistic.bins = names.size();
    statistic.open_bins = causes.size();
    statistic.text = block.texts.emplace_back(filled(statistic.text, texts));
  }
}

}  // namespace reconverge
