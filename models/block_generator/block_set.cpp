// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "models/block_generator/block_file.hpp"
#include "models/block_generator/names.hpp"
#include "models/core/suggestion.hpp"

namespace reconverge::block_generator {

namespace {

std::vector<std::string_view> block_names(const std::vector<Block>& blocks) {
  std::vector<std::string_view> names;
  names.reserve(blocks.size());
  for (const Block& block : blocks) names.emplace_back(block.name);
  return names;
}

/// Walks down from `block`; `chain` holds the names on the way.
void refuse_cycles(const std::vector<Block>& blocks, const Block& block, std::vector<std::string_view>& chain) {
  chain.emplace_back(block.name);
  for (const Child& child : block.children) {
    if (std::find(chain.begin(), chain.end(), child.block) != chain.end()) {
      chain.emplace_back(child.block);
      throw InputError(child.location, fmt::format("a block contains itself: {}", fmt::join(chain, " > ")));
    }
    refuse_cycles(blocks, find_block(blocks, child.block), chain);
  }
  chain.pop_back();
}

/// `l1` with the choice `cache_policy` and `l1_cache` with `policy` would both make L1CachePolicy.
void refuse_equal_types(const std::vector<Block>& blocks) {
  std::map<std::string, std::string> owners;
  const auto claim = [&](const std::string& type, const std::string& owner, const SourceLocation& location) {
    const auto [first, added] = owners.emplace(type, owner);
    if (!added) {
      throw InputError(location, fmt::format("{} and {} both make the type {}", first->second, owner, type),
                       "rename one");
    }
  };
  for (const Block& block : blocks) {
    claim(parameters_type(block.name), block.name, block.location);
    claim(statistics_type(block.name), block.name, block.location);
  }
  for (const Block& block : blocks) {
    for (const Parameter& parameter : block.parameters) {
      if (parameter.choices.empty()) continue;
      claim(enum_type(block.name, parameter.name), block.name + "." + parameter.name, parameter.location);
    }
    if (!block.causes.empty()) claim(enum_type(block.name, "cause"), block.name + ".causes", block.location);
    for (const Statistic& statistic : block.statistics) {
      if (statistic.bin_names.empty()) continue;
      claim(enum_type(block.name, statistic.name), block.name + "." + statistic.name, statistic.location);
    }
  }
}

}  // namespace

std::vector<Block> read_blocks(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder)) {
    throw InputError({folder.generic_string()}, "there is no such folder", "name the folder of the block files");
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Block> blocks;
  blocks.reserve(files.size());
  for (const auto& file : files) blocks.push_back(read_block(file));
  std::sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) { return a.name < b.name; });

  const std::vector<std::string_view> names = block_names(blocks);
  for (const Block& block : blocks) {
    for (const Child& child : block.children) {
      if (std::find(names.begin(), names.end(), child.block) == names.end()) {
        throw InputError(child.location, fmt::format("there is no block {}", child.block), suggest(child.block, names));
      }
    }
  }
  for (const Block& block : blocks) {
    std::vector<std::string_view> chain;
    refuse_cycles(blocks, block, chain);
  }
  refuse_equal_types(blocks);
  return blocks;
}

const Block& find_block(const std::vector<Block>& blocks, std::string_view name) {
  const auto found = std::find_if(blocks.begin(), blocks.end(), [&](const Block& b) { return b.name == name; });
  if (found == blocks.end()) {
    throw InputError({}, fmt::format("there is no block {}", name), suggest(name, block_names(blocks)));
  }
  return *found;
}

}  // namespace reconverge::block_generator
