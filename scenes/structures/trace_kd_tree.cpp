// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "scenes/structures/ray_tests.hpp"
#include "scenes/structures/trace_scalar.hpp"
#include "scenes/structures/triangle_box.hpp"

namespace reconverge::scenes {

namespace {

/// A subtree that the ray still has to visit, and the distances at which the ray enters and leaves it.
struct Far {
  std::size_t node;
  float t_near, t_far;
};

}  // namespace

Hit trace_scalar(const KdTree& tree, const Ray& ray, bool any_hit, TraceWork* work) {
  const RayBoxTest box(ray);
  const Vec3 origin = to_vec3(ray.origin);
  Hit hit{-1, ray.t_max, 0.0F, 0.0F};
  TraceWork counted;
  std::vector<Far> stack;
  stack.reserve(static_cast<std::size_t>(tree.depth));
  auto [t_near, t_far] = box.span(tree.bounds.low, tree.bounds.high, ray.t_max);
  std::size_t current = 0;
  bool finished = !(t_near <= t_far);
  while (!finished) {
    const KdNode& node = tree.nodes[current];
    if (!kd::is_leaf(node)) {
      ++counted.nodes;
      const std::size_t axis = kd::axis(node);
      const float inverse = component(box.inverse, axis);
      const float t = (kd::plane(node) - component(origin, axis)) * inverse;
      const std::size_t first = kd::index(node) + (inverse < 0.0F ? 1 : 0);
      const std::size_t second = kd::index(node) + (inverse < 0.0F ? 0 : 1);
      if (t > t_far) {
        current = first;
      } else if (t < t_near) {
        current = second;
      } else {
        stack.push_back({second, t, t_far});
        counted.deepest_stack = std::max(counted.deepest_stack, static_cast<int>(stack.size()));
        current = first;
        t_far = t;
      }
      continue;
    }
    ++counted.leaves;
    for (std::size_t i = 0; i < node.value && !finished; ++i) {
      ++counted.triangles;
      const int triangle = tree.leaf_triangles[kd::index(node) + i];
      const auto rows = std::bit_cast<std::array<TriangleRow, 3>>(tree.triangles[static_cast<std::size_t>(triangle)]);
      finished = test_triangle(rows, ray, triangle, hit) && any_hit;
    }
    if (finished || stack.empty() || hit.t <= t_far) break;
    current = stack.back().node;
    t_near = stack.back().t_near;
    t_far = stack.back().t_far;
    stack.pop_back();
  }
  if (work != nullptr) work->add(counted);
  return hit;
}

std::vector<Hit> trace_scalar(const KdTree& tree, std::span<const Ray> rays, bool any_hit, TraceWork* work) {
  std::vector<Hit> hits;
  hits.reserve(rays.size());
  for (const Ray& ray : rays) hits.push_back(trace_scalar(tree, ray, any_hit, work));
  return hits;
}

}  // namespace reconverge::scenes
