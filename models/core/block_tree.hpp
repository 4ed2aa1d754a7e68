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

/// Parts that a caller adds to every block whose file says `<member>: any`.
struct OpenParts {
  std::string_view member;
  std::vector<ChildDescription> parts;  ///< in report order
  std::vector<std::string_view> names;  ///< the words of the block's parameters of the types `name` and `names`
};

/// The text of a statistic in its block file, without the braces around the words that causes of parts replace.
std::string text_without_parts(const StatisticDescription& statistic);

/// A value, cheap to copy. It refers to block files, and is valid as long as a copy exists.
///
/// If a statistic leaves a bin open, the causes of the parts that are added to its block, or else to the nearest
/// enclosing block, replace this bin in the same order, and their texts replace the words in braces in its text.
class BlockTree {
 public:
  /// The tree as the block files define it.
  BlockTree(const BlockDescription& root) : root_(&root) {}  // NOLINT(google-explicit-constructor)
  BlockTree(const BlockDescription& root, std::span<const OpenParts> added);

  const BlockDescription& root() const { return *root_; }

 private:
  /// A block with separate tables.
  struct Block {
    BlockDescription description;
    std::vector<ParameterDescription> parameters;
    std::vector<ChildDescription> children;
    std::vector<std::string_view> names;
    std::vector<StatisticDescription> statistics;
    std::deque<std::vector<std::string_view>> bin_names;
    std::deque<std::string> texts;
  };
  using Blocks = std::deque<Block>;

  /// `around`: the parts that are added to the nearest enclosing block; null: none.
  static const BlockDescription* complete(const BlockDescription& block, std::span<const OpenParts> added,
                                          const OpenParts* around, Blocks& blocks);
  static void open_bins(Block& block, std::span<const ChildDescription> parts);

  std::shared_ptr<const Blocks> blocks_;  // blocks that differ from their files
  const BlockDescription* root_;
};

}  // namespace reconverge
