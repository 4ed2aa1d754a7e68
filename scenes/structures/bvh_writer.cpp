// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/bvh_writer.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "models/core/error.hpp"

namespace reconverge::scenes {

BvhWriter::BvhWriter(const Mesh& mesh) : mesh_(mesh), margin_(bvh_margin(mesh)) {
  if (mesh.triangles.empty()) throw InputError({mesh.name}, "cannot build a BVH over no triangles");
}

int BvhWriter::add_node(int depth) {
  bvh_.depth = std::max(bvh_.depth, depth);
  bvh_.nodes.push_back({});
  return static_cast<int>(bvh_.nodes.size()) - 1;
}

int BvhWriter::add_leaf(std::span<const unsigned> triangles) {
  const std::size_t first = bvh_.rows.size();
  if (first + 3 * triangles.size() >= static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw InputError({mesh_.name}, "more triangles than a 32-bit row index reaches");
  }
  for (const unsigned triangle : triangles) {
    for (const auto& row : std::bit_cast<std::array<TriangleRow, 3>>(woop_triangle(mesh_.corners(triangle)))) {
      bvh_.rows.push_back(row);
      bvh_.triangle_of_row.push_back(-1);
    }
    bvh_.triangle_of_row[bvh_.rows.size() - 3] = static_cast<int>(triangle);
  }
  add_end();
  ++bvh_.leaves;
  return ~static_cast<int>(first);
}

void BvhWriter::add_end() {
  bvh_.rows.push_back({std::bit_cast<float>(leaf_end_bits), 0.0F, 0.0F, 0.0F});
  bvh_.triangle_of_row.push_back(-1);
}

Bvh BvhWriter::take() {
  for (unsigned i = 0; i < spare_rows; ++i) add_end();
  return std::move(bvh_);
}

void BvhWriter::set_node(int node, const std::array<Box, 2>& boxes, const std::array<int, 2>& children) {
  const Vec3 margin{margin_, margin_, margin_};
  const Box first{boxes[0].low - margin, boxes[0].high + margin};
  const Box second{boxes[1].low - margin, boxes[1].high + margin};
  bvh_.nodes[static_cast<std::size_t>(node)] = {first.low.x,
                                                first.high.x,
                                                first.low.y,
                                                first.high.y,
                                                second.low.x,
                                                second.high.x,
                                                second.low.y,
                                                second.high.y,
                                                first.low.z,
                                                first.high.z,
                                                second.low.z,
                                                second.high.z,
                                                children[0],
                                                children[1],
                                                0,
                                                0};
}

void BvhWriter::add_only_leaf(std::span<const unsigned> triangles) {
  const int node = add_node(1);
  const int leaf = add_leaf(triangles);
  const Box box = mesh_.bounds();
  set_node(node, {box, box}, {leaf, add_leaf({})});
}

float bvh_margin(const Mesh& mesh) {
  const Box box = mesh.bounds();
  const Vec3 largest = max(max(box.high, -box.high), max(box.low, -box.low));
  return std::max(std::ldexp(max_component(largest), -20), std::numeric_limits<float>::min());
}

WoopTriangle woop_triangle(const std::array<Vec3, 3>& corners) {
  using Double3 = std::array<double, 3>;
  const auto minus = [](Vec3 a, Vec3 b) { return Double3{double(a.x) - b.x, double(a.y) - b.y, double(a.z) - b.z}; };
  const auto outer = [](const Double3& a, const Double3& b) {
    return Double3{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  const auto inner = [](const Double3& a, const Double3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  const Double3 e1 = minus(corners[1], corners[0]);
  const Double3 e2 = minus(corners[2], corners[0]);
  const Double3 normal = outer(e1, e2);
  const double area_squared = inner(normal, normal);
  const Double3 base = minus(corners[0], {});
  // p = a + u e1 + v e2 + w n: the dual basis reads u, v and w from p - a.
  const auto row = [&](const Double3& direction, double sign, float(&out)[4]) {
    for (std::size_t i = 0; i < 3; ++i) out[i] = static_cast<float>(direction[i] / area_squared);
    out[3] = static_cast<float>(sign * inner(direction, base) / area_squared);
  };
  WoopTriangle triangle{};
  row(normal, 1.0, triangle.row0);
  row(outer(e2, normal), -1.0, triangle.row1);
  row(outer(normal, e1), -1.0, triangle.row2);
  // Minus zero is the end marker.
  if (std::bit_cast<unsigned>(triangle.row0[0]) == leaf_end_bits) triangle.row0[0] = 0.0F;
  return triangle;
}

}  // namespace reconverge::scenes
