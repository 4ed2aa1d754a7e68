// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "scenes/structures/ray_tests.hpp"
#include "scenes/structures/trace_scalar.hpp"
#include "scenes/structures/triangle_box.hpp"

namespace reconverge::scenes {

namespace {

/// The walk of a ray along one axis of a grid.
struct Walk {
  Walk(const Grid& grid, std::size_t axis, const Ray& ray, float inverse_along, float t_near)
      : low(grid.frame.low[axis]),
        cell(grid.frame.cell[axis]),
        origin(ray.origin[axis]),
        inverse(inverse_along),
        cells(grid.resolution()[axis]),
        step(ray.direction[axis] < 0.0F   ? -1
             : ray.direction[axis] > 0.0F ? 1
                                          : 0) {
    const float place = std::floor((origin + ray.direction[axis] * t_near - low) / cell);
    at = static_cast<int>(std::clamp(place, 0.0F, static_cast<float>(cells - 1)));
    // Rounding may have put the start past the plane through which the ray enters its cell.
    while (step != 0 && t_of_plane(step < 0 ? at + 1 : at) > t_near && at - step >= 0 && at - step < cells) at -= step;
    t_next = t_exit();
  }

  float t_of_plane(int i) const { return (low + static_cast<float>(i) * cell - origin) * inverse; }
  float t_exit() const { return step == 0 ? INFINITY : t_of_plane(step < 0 ? at : at + 1); }
  /// Returns false if this step leaves the grid.
  bool advance() {
    at += step;
    t_next = t_exit();
    return at >= 0 && at < cells;
  }

  float low, cell, origin, inverse;
  int cells;
  int step;  ///< 0: the ray stays between two planes
  int at = 0;
  float t_next = 0.0F;
};

}  // namespace

Hit trace_scalar(const Grid& grid, const Ray& ray, bool any_hit, TraceWork* work) {
  const RayBoxTest box(ray);
  const GridFrame& frame = grid.frame;
  Hit hit{-1, ray.t_max, 0.0F, 0.0F};
  const auto [t_near, t_far] = box.span(to_vec3(frame.enter_low), to_vec3(frame.enter_high), ray.t_max);
  if (!(t_near <= t_far)) return hit;
  TraceWork counted;
  const auto walk = [&, start = t_near](std::size_t axis) {
    return Walk(grid, axis, ray, component(box.inverse, axis), start);
  };
  std::array<Walk, 3> walks{walk(0), walk(1), walk(2)};
  bool finished = false;
  while (!finished) {
    ++counted.nodes;
    const std::size_t cell = cell_number(frame, {walks[0].at, walks[1].at, walks[2].at});
    counted.leaves += grid.first[cell] != grid.first[cell + 1] ? 1 : 0;
    for (std::size_t i = grid.first[cell]; i < grid.first[cell + 1] && !finished; ++i) {
      ++counted.triangles;
      const int triangle = grid.cell_triangles[i];
      const auto rows = std::bit_cast<std::array<TriangleRow, 3>>(grid.triangles[static_cast<std::size_t>(triangle)]);
      finished = test_triangle(rows, ray, triangle, hit) && any_hit;
    }
    Walk& nearest =
        *std::min_element(walks.begin(), walks.end(), [](const Walk& a, const Walk& b) { return a.t_next < b.t_next; });
    finished = finished || hit.t <= nearest.t_next || !nearest.advance();
  }
  if (work != nullptr) work->add(counted);
  return hit;
}

std::vector<Hit> trace_scalar(const Grid& grid, std::span<const Ray> rays, bool any_hit, TraceWork* work) {
  std::vector<Hit> hits;
  hits.reserve(rays.size());
  for (const Ray& ray : rays) hits.push_back(trace_scalar(grid, ray, any_hit, work));
  return hits;
}

}  // namespace reconverge::scenes
