// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "scenes/structures/bvh.hpp"
#include "scenes/structures/sbvh.hpp"
#include "scenes/structures/triangle_box.hpp"

namespace reconverge::scenes {

namespace {

[[noreturn]] void fail(const std::string& message) { throw std::logic_error("BVH: " + message); }

Box child_box(const BvhNode& node, int child) {
  return child == 0 ? Box{{node.c0_lo_x, node.c0_lo_y, node.c0_lo_z}, {node.c0_hi_x, node.c0_hi_y, node.c0_hi_z}}
                    : Box{{node.c1_lo_x, node.c1_lo_y, node.c1_lo_z}, {node.c1_hi_x, node.c1_hi_y, node.c1_hi_z}};
}

bool holds(const Box& box, Vec3 point) { return min(box.low, point) == box.low && max(box.high, point) == box.high; }

bool is_end(const TriangleRow& row) { return std::bit_cast<unsigned>(row.x) == leaf_end_bits; }

enum class Triangles : std::uint8_t { in_one_leaf, in_any_leaves };

/// All checks; if triangles may be in several leaves, `Coverage` checks them instead.
class Checker {
 public:
  Checker(const Bvh& bvh, const Mesh& mesh, Triangles triangles)
      : bvh_(bvh),
        mesh_(mesh),
        triangles_(triangles),
        node_seen_(bvh.nodes.size()),
        last_leaf_(mesh.triangle_count(), none) {}

  void run() {
    if (bvh_.nodes.empty()) fail("there is no root");
    if (bvh_.rows.size() != bvh_.triangle_of_row.size()) fail("rows and their triangles differ in number");
    Box everything{{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    visit_inner(0, everything, 1);
    const auto first = [](const auto& seen, auto value) { return std::ranges::find(seen, value) - seen.begin(); };
    if (const auto node = first(node_seen_, false); node != std::ssize(node_seen_))
      fail(fmt::format("node {} is not reached", node));
    if (const auto triangle = first(last_leaf_, none); triangle != std::ssize(last_leaf_)) {
      fail(fmt::format("triangle {} is in no leaf", triangle));
    }
    if (rows_seen_ + spare_rows != bvh_.rows.size())
      fail(fmt::format("{} rows are reached, and there are {} with the spare ones", rows_seen_, bvh_.rows.size()));
    if (leaves_ != bvh_.leaves) fail(fmt::format("{} leaves reached, {} counted", leaves_, bvh_.leaves));
    if (depth_ != bvh_.depth) fail(fmt::format("depth {} found, {} recorded", depth_, bvh_.depth));
  }

 private:
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the tree
  void visit_inner(int index, const Box& box, int depth) {
    const auto i = static_cast<std::size_t>(index);
    if (i >= bvh_.nodes.size()) fail(fmt::format("child {} of {} nodes", index, bvh_.nodes.size()));
    if (node_seen_[i]) fail(fmt::format("node {} is reached twice", index));
    node_seen_[i] = true;
    depth_ = std::max(depth_, depth);
    const BvhNode& node = bvh_.nodes[i];
    for (int side = 0; side < 2; ++side) {
      const int child = side == 0 ? node.child0 : node.child1;
      // A triangle must be in every box above it, so boxes are intersected on the way down.
      const Box own = child_box(node, side);
      const Box both{max(own.low, box.low), min(own.high, box.high)};
      if (child >= 0) {
        visit_inner(child, both, depth + 1);
      } else {
        visit_leaf(~child, both);
      }
    }
  }

  void visit_leaf(int first, const Box& box) {
    ++leaves_;
    auto row = static_cast<std::size_t>(first);
    while (true) {
      if (row >= bvh_.rows.size()) fail(fmt::format("the leaf at row {} is not closed", first));
      if (is_end(bvh_.rows[row])) break;
      if (row + 3 >= bvh_.rows.size()) fail(fmt::format("the leaf at row {} is cut short", first));
      check_triangle(row, box);
      row += 3;
      rows_seen_ += 3;
    }
    ++rows_seen_;
  }

  void check_triangle(std::size_t row, const Box& box) {
    const int triangle = bvh_.triangle_of_row[row];
    if (triangle < 0 || static_cast<std::size_t>(triangle) >= mesh_.triangle_count()) {
      fail(fmt::format("row {} names triangle {}", row, triangle));
    }
    std::size_t& last = last_leaf_[static_cast<std::size_t>(triangle)];
    if (last == leaves_) fail(fmt::format("triangle {} is twice in the leaf before row {}", triangle, row));
    const auto corners = mesh_.corners(static_cast<std::size_t>(triangle));
    if (triangles_ == Triangles::in_one_leaf) {
      if (last != none) fail(fmt::format("triangle {} is in two leaves", triangle));
      for (const Vec3 corner : corners) {
        if (!holds(box, corner)) fail(fmt::format("triangle {} sticks out of its boxes", triangle));
      }
    }
    last = leaves_;
    using Bits = std::array<std::array<unsigned, 4>, 3>;
    const std::array<TriangleRow, 3> rows{bvh_.rows[row], bvh_.rows[row + 1], bvh_.rows[row + 2]};
    if (std::bit_cast<Bits>(rows) != std::bit_cast<Bits>(woop_triangle(corners))) {
      fail(fmt::format("the rows at {} are not those of triangle {}", row, triangle));
    }
  }

  static constexpr std::size_t none = 0;  // leaves count from one

  const Bvh& bvh_;
  const Mesh& mesh_;
  Triangles triangles_;
  std::vector<bool> node_seen_;
  std::vector<std::size_t> last_leaf_;  // of each triangle
  std::size_t rows_seen_ = 0;
  std::size_t leaves_ = 0;
  int depth_ = 0;
};

/// Checks that each point of a triangle is in a leaf that lists it. A leaf extends over the intersection of all boxes
/// above it, each shrunk by 7/8 of the margin, which is reserved for rays.
class Coverage {
 public:
  Coverage(const Bvh& bvh, const Mesh& mesh) : bvh_(bvh), mesh_(mesh), reach_(mesh.triangle_count()) {}

  void run() {
    visit(0, {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}});
    const double slack = -0.875 * double(bvh_margin(mesh_));
    for (std::size_t triangle = 0; triangle < reach_.size(); ++triangle) {
      if (!is_covered(mesh_.corners(triangle), reach_[triangle], slack))
        fail(fmt::format("a part of triangle {} is outside the boxes of its leaves", triangle));
    }
  }

 private:
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the tree
  void visit(int child, const Box& box) {
    if (child >= 0) {
      const BvhNode& node = bvh_.nodes[static_cast<std::size_t>(child)];
      const auto within = [&box](const Box& own) { return Box{max(own.low, box.low), min(own.high, box.high)}; };
      visit(node.child0, within(child_box(node, 0)));
      visit(node.child1, within(child_box(node, 1)));
      return;
    }
    const int first = ~child;
    for (auto row = static_cast<std::size_t>(first); !is_end(bvh_.rows[row]); row += 3)
      reach_[static_cast<std::size_t>(bvh_.triangle_of_row[row])].push_back(box);
  }

  const Bvh& bvh_;
  const Mesh& mesh_;
  std::vector<std::vector<Box>> reach_;  // by triangle: extents of the leaves that list it
};

}  // namespace

std::size_t references(const Bvh& bvh) {
  return static_cast<std::size_t>(
      std::ranges::count_if(bvh.triangle_of_row, [](int triangle) { return triangle >= 0; }));
}

std::size_t size_in_memory(const Bvh& bvh) {
  return bvh.nodes.size() * sizeof(BvhNode) + bvh.rows.size() * (sizeof(TriangleRow) + sizeof(int));
}

void check_bvh(const Bvh& bvh, const Mesh& mesh) { Checker(bvh, mesh, Triangles::in_one_leaf).run(); }

void check_sbvh(const Bvh& bvh, const Mesh& mesh) {
  Checker(bvh, mesh, Triangles::in_any_leaves).run();
  Coverage(bvh, mesh).run();
}

BvhQuality quality(const Bvh& bvh) {
  BvhQuality quality;
  Box root = child_box(bvh.nodes.at(0), 0);
  root.extend(child_box(bvh.nodes[0], 1));
  quality.node_visits = 1.0;
  for (const BvhNode& node : bvh.nodes) {
    for (int side = 0; side < 2; ++side) {
      const int child = side == 0 ? node.child0 : node.child1;
      const double chance = half_area(child_box(node, side)) / half_area(root);
      if (child >= 0) {
        quality.node_visits += chance;
        continue;
      }
      const int first = ~child;
      for (auto row = static_cast<std::size_t>(first); !is_end(bvh.rows[row]); row += 3) {
        quality.triangle_tests += chance;
      }
    }
  }
  return quality;
}

}  // namespace reconverge::scenes
