// SPDX-License-Identifier: Apache-2.0
#include "models/core/statistics_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace reconverge {

Statistics::Statistics(const BlockTree& tree) : tree_(tree) {
  add_block(tree_->root(), std::string(tree_->root().name));
}

void Statistics::add_block(const BlockDescription& block, const std::string& path) {
  if (block.counters != nullptr) nodes_.push_back({path, &block, block.counters->make()});
  for (const ChildDescription& child : block.children) add_block(*child.block, fmt::format("{}.{}", path, child.name));
}

void Statistics::require_same(const Statistics& other) const {
  const bool same = std::equal(nodes_.begin(), nodes_.end(), other.nodes_.begin(), other.nodes_.end(),
                               [](const Node& a, const Node& b) { return a.path == b.path; });
  if (!same) throw std::logic_error("counters of different platforms");
}

void Statistics::refuse() { throw std::logic_error("counters of a block that the platform does not have"); }

Statistics& Statistics::operator+=(const Statistics& other) {
  if (other.nodes_.empty()) return *this;
  if (nodes_.empty()) return *this = other;
  require_same(other);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].block->counters->add(nodes_[i].counters, other.nodes_[i].counters);
  }
  return *this;
}

Statistics Statistics::since(const Statistics& earlier) const {
  Statistics difference = *this;
  if (earlier.nodes_.empty()) return difference;
  require_same(earlier);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].block->counters->subtract(difference.nodes_[i].counters, earlier.nodes_[i].counters);
  }
  return difference;
}

Statistics Statistics::scaled(double factor) const {
  Statistics result = *this;
  for (Node& node : result.nodes_) {
    const std::span<std::byte> bytes = node.block->counters->bytes(node.counters);
    for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
      std::uint64_t counter = 0;
      std::memcpy(&counter, &bytes[i], sizeof counter);
      counter = static_cast<std::uint64_t>(std::llround(static_cast<double>(counter) * factor));
      std::memcpy(&bytes[i], &counter, sizeof counter);
    }
  }
  return result;
}

}  // namespace reconverge
