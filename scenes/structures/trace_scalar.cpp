// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/trace_scalar.hpp"

#include <bit>

#include "scenes/structures/ray_tests.hpp"

namespace reconverge::scenes {

void TraceWork::add(const TraceWork& other) {
  nodes += other.nodes;
  leaves += other.leaves;
  triangles += other.triangles;
  deepest_stack = std::max(deepest_stack, other.deepest_stack);
}

Hit trace_scalar(const Bvh& bvh, const Ray& ray, bool any_hit, TraceWork* work) {
  const RayBoxTest box(ray);
  Hit hit{-1, ray.t_max, 0.0F, 0.0F};
  TraceWork counted;
  std::vector<int> stack;
  stack.reserve(static_cast<std::size_t>(bvh.depth));
  int current = 0;
  bool finished = false;
  while (!finished) {
    bool descend = false;
    if (current >= 0) {
      ++counted.nodes;
      const BvhNode& n = bvh.nodes[static_cast<std::size_t>(current)];
      const auto first = box.span({n.c0_lo_x, n.c0_lo_y, n.c0_lo_z}, {n.c0_hi_x, n.c0_hi_y, n.c0_hi_z}, hit.t);
      const auto second = box.span({n.c1_lo_x, n.c1_lo_y, n.c1_lo_z}, {n.c1_hi_x, n.c1_hi_y, n.c1_hi_z}, hit.t);
      const bool enter0 = first[0] <= first[1];
      const bool enter1 = second[0] <= second[1];
      const bool second_is_nearer = second[0] < first[0];
      if (enter0 && enter1) {
        stack.push_back(second_is_nearer ? n.child0 : n.child1);
        counted.deepest_stack = std::max(counted.deepest_stack, static_cast<int>(stack.size()));
        current = second_is_nearer ? n.child1 : n.child0;
        descend = true;
      } else if (enter0 || enter1) {
        current = enter0 ? n.child0 : n.child1;
        descend = true;
      }
    } else {
      ++counted.leaves;
      const int first = ~current;
      for (auto row = static_cast<std::size_t>(first); std::bit_cast<unsigned>(bvh.rows[row].x) != leaf_end_bits;
           row += 3) {
        ++counted.triangles;
        const std::span<const TriangleRow, 3> rows(&bvh.rows[row], 3);
        finished = test_triangle(rows, ray, bvh.triangle_of_row[row], hit) && any_hit;
        if (finished) break;
      }
    }
    if (!descend && !finished) {
      finished = stack.empty();
      if (!finished) {
        current = stack.back();
        stack.pop_back();
      }
    }
  }
  if (work != nullptr) work->add(counted);
  return hit;
}

std::vector<Hit> trace_scalar(const Bvh& bvh, std::span<const Ray> rays, bool any_hit, TraceWork* work) {
  std::vector<Hit> hits;
  hits.reserve(rays.size());
  for (const Ray& ray : rays) hits.push_back(trace_scalar(bvh, ray, any_hit, work));
  return hits;
}

Hit trace_brute_force(const Mesh& mesh, const Ray& ray) {
  Hit hit{-1, ray.t_max, 0.0F, 0.0F};
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
    const auto rows = std::bit_cast<std::array<TriangleRow, 3>>(woop_triangle(mesh.corners(i)));
    test_triangle(rows, ray, static_cast<int>(i), hit);
  }
  return hit;
}

}  // namespace reconverge::scenes
