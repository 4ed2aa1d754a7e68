#pragma once
/// All counters of a platform: those of every block of a tree, each block's added up over its instances.

#include <any>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/parameters.hpp"
#include "models/core/statistics.hpp"

namespace reconverge {

/// A value, which needs no description once it is made. Without blocks it is zero, and takes those of the first that
/// is added.
class Statistics {
 public:
  Statistics() = default;
  /// Zeros for `root` and the blocks within it; those without statistics do not appear.
  explicit Statistics(const BlockDescription& root);

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

  /// True without any block.
  bool empty() const { return nodes_.empty(); }

  /// Adds counter by counter, to sum over launches. Throws std::logic_error when the trees differ.
  Statistics& operator+=(const Statistics& other);
  /// What was counted since `earlier` was taken.
  Statistics since(const Statistics& earlier) const;

  /// Calls `visit(path, StatisticsView)` for each block, in report order. A path begins with the root: `gpu.sm.l1`.
  template <typename Visit>
  void visit(Visit&& visitor) const {
    for (const Node& node : nodes_) visitor(std::string_view(node.path), node.operations->view(node.counters));
  }

 private:
  struct Node {
    std::string path;
    const StatisticsOperations* operations = nullptr;
    std::any counters;
  };

  void add_block(const BlockDescription& block, const std::string& path);
  void require_same(const Statistics& other) const;
  [[noreturn]] static void refuse();

  std::vector<Node> nodes_;
};

}  // namespace reconverge
