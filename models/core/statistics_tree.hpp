// SPDX-License-Identifier: Apache-2.0
#pragma once
/// All counters of a platform: for every block of a tree, the sum over its instances.

#include <any>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/block_tree.hpp"
#include "models/core/state_archive.hpp"
#include "models/core/statistics.hpp"

namespace reconverge {

/// A value. Without blocks it is zero, and takes the blocks of the first one that is added.
class Statistics {
 public:
  Statistics() = default;
  /// Zeros for the blocks of the tree; those without statistics do not appear.
  explicit Statistics(const BlockTree& tree);

  /// The counters of the block with this generated struct. Throws std::logic_error when the tree has no such block.
  template <typename Counters>
  Counters& of() {
    for (Node& node : nodes_) {
      if (auto* const counters = std::any_cast<Counters>(&node.counters)) return *counters;
    }
    refuse();
  }
  /// The same; all zero when the tree has no such block.
  template <typename Counters>
  const Counters& of() const {
    static const Counters nothing;
    for (const Node& node : nodes_) {
      if (const auto* const counters = std::any_cast<Counters>(&node.counters)) return *counters;
    }
    return nothing;
  }

  /// The result of of<Counters>(), as the tree describes it.
  template <typename Counters>
  StatisticsView view() const {
    for (const Node& node : nodes_) {
      if (std::any_cast<Counters>(&node.counters) != nullptr) return view(node);
    }
    return StatisticsView(of<Counters>());
  }

  /// True without any block.
  bool empty() const { return nodes_.empty(); }

  /// Adds counter by counter, to sum over launches. Throws std::logic_error when the trees differ.
  Statistics& operator+=(const Statistics& other);
  /// The counts since `earlier` was taken.
  Statistics since(const Statistics& earlier) const;

  /// Every counter times `factor`, rounded.
  Statistics scaled(double factor) const;

  /// The counters of all blocks. To restore, it must have the same blocks.
  void archive(StateArchive& state) {
    for (Node& node : nodes_) {
      const std::span<std::byte> bytes = node.block->counters->bytes(node.counters);
      state.raw(bytes.data(), bytes.size());
    }
  }

  /// Calls `visit(path, StatisticsView)` for each block, in report order. A path begins with the root: `gpu.sm.l1`.
  template <typename Visit>
  void visit(Visit&& visitor) const {
    for (const Node& node : nodes_) visitor(std::string_view(node.path), view(node));
  }

 private:
  struct Node {
    std::string path;
    const BlockDescription* block = nullptr;
    std::any counters;
  };

  static StatisticsView view(const Node& node) {
    return node.block->counters->view(node.counters, node.block->statistics);
  }

  void add_block(const BlockDescription& block, const std::string& path);
  void require_same(const Statistics& other) const;
  [[noreturn]] static void refuse();

  std::optional<BlockTree> tree_;  // whose blocks the nodes name
  std::vector<Node> nodes_;
};

}  // namespace reconverge
