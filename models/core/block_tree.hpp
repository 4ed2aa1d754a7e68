// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A tree of block descriptions, completed by the parts that block files leave open.

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/parameters.hpp"

namespace reconverge {

/// A value, cheap to copy. It refers to block files, and is valid as long as a copy exists.
///
/// If a block's file says `parts: schemes`, the given parts are appended to its own, in order, and their names become
/// the words of its parameters of the type `names`. If a statistic leaves a bin open, the causes of the parts fill it,
/// in the same order, and their texts replace `{causes}` in its text.
class BlockTree {
 public:
  /// The tree as the block files define it.
  BlockTree(const BlockDescription& root) : root_(&root) {}  // NOLINT(google-explicit-constructor)
  BlockTree(const BlockDescription& root, std::span<const ChildDescription> parts);

  const BlockDescription& root() const { return *root_; }

 private:
  /// A block with separate tables.
  struct Block {
    BlockDescription description;
    std::vector<ParameterDescription> parameters;
    std::vector<ChildDescription> children;
    std::vector<std::string_view> words;
    std::vector<StatisticDescription> statistics;
    std::deque<std::vector<std::string_view>> bin_names;
    std::deque<std::string> texts;
  };
  using Blocks = std::deque<Block>;

  static const BlockDescription* complete(const BlockDescription& block, std::span<const ChildDescription> parts,
                                          Blocks& blocks);
  static void open_bins(Block& block, std::span<const ChildDescription> parts);

  std::shared_ptr<const Blocks> blocks_;  // blocks that differ from their files
  const BlockDescription* root_;
};

}  // namespace reconverge
