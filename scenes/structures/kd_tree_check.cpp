// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <span>
#include <stdexcept>

#include "scenes/structures/bvh.hpp"
#include "scenes/structures/kd_tree.hpp"
#include "scenes/structures/triangle_box.hpp"

namespace reconverge::scenes {

namespace {

[[noreturn]] void fail(const std::string& message) { throw std::logic_error("kd-tree: " + message); }

std::array<Box, 2> halves_of(const KdNode& node, const Box& voxel) {
  std::array<Box, 2> halves{voxel, voxel};
  set_component(halves[0].high, kd::axis(node), kd::plane(node));
  set_component(halves[1].low, kd::axis(node), kd::plane(node));
  return halves;
}

/// The axis along which a triangle has no extent; 3 if there is none.
std::size_t flat_axis(const Corners& corners) {
  const Vec3 size = bounds_of(corners).size();
  return size.x == 0.0F ? 0 : size.y == 0.0F ? 1 : size.z == 0.0F ? 2 : 3;
}

/// Descends with the triangles that must be in each subtree.
class Checker {
 public:
  Checker(const KdTree& tree, const Mesh& mesh)
      : tree_(tree), mesh_(mesh), node_seen_(tree.nodes.size()), entry_seen_(tree.leaf_triangles.size()) {
    const Box box = mesh.bounds();
    const double largest = max_component(max(max(box.high, -box.high), max(box.low, -box.low)));
    // Well above the rounding of the overlap test, and well below float precision at the scene's size.
    inside_ = -std::ldexp(largest, -36);
    near_ = std::ldexp(largest, -20);
  }

  void run() {
    if (tree_.nodes.empty()) fail("there is no root");
    check_triangles();
    std::vector<int> all(mesh_.triangle_count());
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = static_cast<int>(i);
      const Box own = bounds_of(mesh_.corners(i));
      if (min(own.low, tree_.bounds.low) != tree_.bounds.low || max(own.high, tree_.bounds.high) != tree_.bounds.high)
        fail(fmt::format("triangle {} sticks out of the root's voxel", i));
    }
    visit(0, tree_.bounds, all, 0);
    for (std::size_t i = 0; i < node_seen_.size(); ++i) {
      if (!node_seen_[i]) fail(fmt::format("node {} is never reached", i));
    }
    for (std::size_t i = 0; i < entry_seen_.size(); ++i) {
      if (!entry_seen_[i]) fail(fmt::format("entry {} of the list is in no leaf", i));
    }
    if (depth_ != tree_.depth) fail(fmt::format("depth {} found, {} recorded", depth_, tree_.depth));
    if (leaves_ != tree_.leaves || empty_ != tree_.empty_leaves) {
      fail(fmt::format("{} leaves with {} empty ones found, {} with {} recorded", leaves_, empty_, tree_.leaves,
                       tree_.empty_leaves));
    }
  }

 private:
  void check_triangles() const {
    if (tree_.triangles.size() != mesh_.triangle_count()) {
      fail(fmt::format("{} triangles of {}", tree_.triangles.size(), mesh_.triangle_count()));
    }
    using Bits = std::array<std::array<unsigned, 4>, 3>;
    for (std::size_t i = 0; i < tree_.triangles.size(); ++i) {
      if (std::bit_cast<Bits>(tree_.triangles[i]) != std::bit_cast<Bits>(woop_triangle(mesh_.corners(i))))
        fail(fmt::format("the rows of triangle {} are not its own", i));
    }
  }

  // NOLINTNEXTLINE(misc-no-recursion): nodes are visited once
  void visit(std::size_t index, const Box& voxel, std::span<const int> expected, int depth) {
    if (index >= tree_.nodes.size()) fail(fmt::format("child {} of {} nodes", index, tree_.nodes.size()));
    if (node_seen_[index]) fail(fmt::format("node {} is reached twice", index));
    node_seen_[index] = true;
    depth_ = std::max(depth_, depth);
    const KdNode& node = tree_.nodes[index];
    if (kd::is_leaf(node)) {
      visit_leaf(index, voxel, expected);
      return;
    }
    const std::size_t axis = kd::axis(node);
    if (!(kd::plane(node) > component(voxel.low, axis) && kd::plane(node) < component(voxel.high, axis)))
      fail(fmt::format("the plane of node {} is not within its voxel", index));
    const std::array<Box, 2> halves = halves_of(node, voxel);
    std::array<std::vector<int>, 2> parts;
    for (const int triangle : expected) {
      const auto corners = mesh_.corners(static_cast<std::size_t>(triangle));
      if (flat_axis(corners) == axis && component(corners[0], axis) == kd::plane(node)) {
        // It lies in the plane, so one side is enough; any leaf that it intersects shows which.
        parts[is_listed(kd::index(node), halves[0], triangle) ? 0 : 1].push_back(triangle);
        continue;
      }
      for (std::size_t half = 0; half < 2; ++half) {
        if (must_hold(corners, halves[half])) parts[half].push_back(triangle);
      }
    }
    visit(kd::index(node), halves[0], parts[0], depth + 1);
    visit(kd::index(node) + 1, halves[1], parts[1], depth + 1);
  }

  /// Whether a triangle intersects the interior of a voxel; a triangle without extent along an axis may lie in the
  /// voxel's face.
  bool must_hold(const Corners& corners, const Box& voxel) const {
    std::array<double, 3> slack{inside_, inside_, inside_};
    const std::size_t flat = flat_axis(corners);
    if (flat < 3) slack[flat] = 0.0;
    return overlaps(corners, voxel, slack);
  }

  // NOLINTNEXTLINE(misc-no-recursion): a child that exists is beyond its parent, which `visit` proves later
  bool is_listed(std::size_t index, const Box& voxel, int triangle) const {
    if (index >= tree_.nodes.size() || !must_hold(mesh_.corners(static_cast<std::size_t>(triangle)), voxel))
      return false;
    const KdNode& node = tree_.nodes[index];
    if (kd::is_leaf(node)) {
      const auto list = entries(index);
      return std::binary_search(list.begin(), list.end(), triangle);
    }
    if (kd::index(node) <= index) fail(fmt::format("node {} has a child before it", index));
    const std::array<Box, 2> halves = halves_of(node, voxel);
    return is_listed(kd::index(node), halves[0], triangle) || is_listed(kd::index(node) + 1, halves[1], triangle);
  }

  std::span<const int> entries(std::size_t leaf) const {
    const KdNode& node = tree_.nodes[leaf];
    if (kd::index(node) + node.value > tree_.leaf_triangles.size())
      fail(fmt::format("the list of leaf {} ends beyond the entries", leaf));
    return std::span<const int>(tree_.leaf_triangles).subspan(kd::index(node), node.value);
  }

  void visit_leaf(std::size_t index, const Box& voxel, std::span<const int> expected) {
    const auto list = entries(index);
    ++leaves_;
    empty_ += list.empty() ? 1 : 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::size_t entry = kd::index(tree_.nodes[index]) + i;
      if (entry_seen_[entry]) fail(fmt::format("entry {} of the list is in two leaves", entry));
      entry_seen_[entry] = true;
      if (list[i] < 0 || static_cast<std::size_t>(list[i]) >= mesh_.triangle_count())
        fail(fmt::format("leaf {} names triangle {}", index, list[i]));
      if (i > 0 && list[i] <= list[i - 1]) fail(fmt::format("the list of leaf {} does not ascend", index));
      if (!overlaps(mesh_.corners(static_cast<std::size_t>(list[i])), voxel, {near_, near_, near_}))
        fail(fmt::format("triangle {} is in leaf {}, which it does not meet", list[i], index));
    }
    for (const int triangle : expected) {
      if (!std::binary_search(list.begin(), list.end(), triangle))
        fail(fmt::format("triangle {} is missing from leaf {}", triangle, index));
    }
  }

  const KdTree& tree_;
  const Mesh& mesh_;
  std::vector<bool> node_seen_;
  std::vector<bool> entry_seen_;
  double inside_ = 0.0;
  double near_ = 0.0;
  int depth_ = 0;
  std::size_t leaves_ = 0;
  std::size_t empty_ = 0;
};

// NOLINTNEXTLINE(misc-no-recursion): as deep as the tree
void add_areas(const KdTree& tree, std::size_t index, const Box& voxel, double root_area, KdQuality& sum) {
  const KdNode& node = tree.nodes[index];
  const double chance = half_area(voxel) / root_area;
  if (kd::is_leaf(node)) {
    sum.leaf_visits += node.value != 0 ? chance : 0.0;
    sum.triangle_tests += chance * node.value;
    return;
  }
  sum.steps_down += chance;
  const std::array<Box, 2> halves = halves_of(node, voxel);
  add_areas(tree, kd::index(node), halves[0], root_area, sum);
  add_areas(tree, kd::index(node) + 1, halves[1], root_area, sum);
}

}  // namespace

std::size_t size_in_memory(const KdTree& tree) {
  return tree.nodes.size() * sizeof(KdNode) + tree.leaf_triangles.size() * sizeof(int) +
         tree.triangles.size() * sizeof(WoopTriangle);
}

void check_kd_tree(const KdTree& tree, const Mesh& mesh) { Checker(tree, mesh).run(); }

KdQuality quality(const KdTree& tree) {
  KdQuality sum;
  add_areas(tree, 0, tree.bounds, half_area(tree.bounds), sum);
  return sum;
}

}  // namespace reconverge::scenes
