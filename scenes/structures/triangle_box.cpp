#include "scenes/structures/triangle_box.hpp"

#include <limits>
#include <utility>

namespace reconverge::scenes {

namespace {

using Double3 = std::array<double, 3>;

Double3 widen(Vec3 v) { return {v.x, v.y, v.z}; }

/// Six cuts leave a triangle nine corners; rounding may make a few more, but no cut more than half as many again.
struct Polygon {
  std::array<Double3, 32> corner;
  std::size_t count = 0;

  void add(const Double3& c) { corner[count++] = c; }
};

/// Leaves in `kept` the part with sign * (p[axis] - plane) >= 0 (Sutherland and Hodgman).
void cut(const Polygon& polygon, std::size_t axis, double plane, double sign, Polygon& kept) {
  kept.count = 0;
  for (std::size_t i = 0; i < polygon.count; ++i) {
    const Double3& a = polygon.corner[i];
    const Double3& b = polygon.corner[i + 1 == polygon.count ? 0 : i + 1];
    const double from = sign * (a[axis] - plane);
    const double to = sign * (b[axis] - plane);
    if (from >= 0.0) kept.add(a);
    if ((from < 0.0 && to > 0.0) || (from > 0.0 && to < 0.0)) {
      const double s = from / (from - to);
      kept.add({a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]), a[2] + s * (b[2] - a[2])});
      kept.corner[kept.count - 1][axis] = plane;
    }
  }
}

float round_down(double value) {
  const auto nearest = static_cast<float>(value);
  return nearest > value ? std::nextafter(nearest, -std::numeric_limits<float>::infinity()) : nearest;
}

float round_up(double value) { return -round_down(-value); }

/// Whether the projections of triangle and box (centred at zero, half as large as `half`) on an axis are apart.
bool separates(const Double3& axis, const std::array<Double3, 3>& corners, const Double3& half) {
  const auto along = [&axis](const Double3& p) { return axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2]; };
  const auto [low, high] = std::minmax({along(corners[0]), along(corners[1]), along(corners[2])});
  const double reach = half[0] * std::abs(axis[0]) + half[1] * std::abs(axis[1]) + half[2] * std::abs(axis[2]);
  return low > reach || high < -reach;
}

}  // namespace

Box bounds_of(const Corners& corners) {
  Box box;
  for (const Vec3 corner : corners) box.extend(corner);
  return box;
}

Box clipped_bounds(const Corners& corners, const Box& box, double margin) {
  const Box own = bounds_of(corners);
  std::array<Polygon, 2> buffers;
  Polygon* current = buffers.data();
  Polygon* other = current + 1;
  for (const Vec3 corner : corners) current->add(widen(corner));
  const auto keep = [&](std::size_t axis, double plane, double sign) {
    cut(*current, axis, plane, sign, *other);
    std::swap(current, other);
  };
  const Double3 low = widen(box.low);
  const Double3 high = widen(box.high);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (component(own.low, axis) < low[axis]) keep(axis, low[axis] - margin, 1.0);
    if (component(own.high, axis) > high[axis]) keep(axis, high[axis] + margin, -1.0);
  }
  const Polygon& polygon = *current;
  if (polygon.count == 0) return {};
  Box result;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double least = polygon.corner[0][axis];
    double most = least;
    for (std::size_t i = 1; i < polygon.count; ++i) {
      least = std::min(least, polygon.corner[i][axis]);
      most = std::max(most, polygon.corner[i][axis]);
    }
    const float bottom = std::max(component(own.low, axis), component(box.low, axis));
    const float top = std::min(component(own.high, axis), component(box.high, axis));
    set_component(result.low, axis, std::clamp(round_down(least - margin), bottom, top));
    set_component(result.high, axis, std::clamp(round_up(most + margin), bottom, top));
  }
  return result;
}

bool overlaps(const Corners& corners, const Box& box, const std::array<double, 3>& slack) {
  const Double3 low = widen(box.low);
  const Double3 high = widen(box.high);
  Double3 half{};
  std::array<Double3, 3> p{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double centre = 0.5 * (low[axis] + high[axis]);
    half[axis] = 0.5 * (high[axis] - low[axis]) + slack[axis];
    if (half[axis] < 0.0) return false;
    for (std::size_t i = 0; i < 3; ++i) p[i][axis] = component(corners[i], axis) - centre;
    const auto [least, most] = std::minmax({p[0][axis], p[1][axis], p[2][axis]});
    if (least > half[axis] || most < -half[axis]) return false;
  }
  const auto edge = [&p](std::size_t from, std::size_t to) {
    return Double3{p[to][0] - p[from][0], p[to][1] - p[from][1], p[to][2] - p[from][2]};
  };
  const std::array<Double3, 3> edges{edge(0, 1), edge(1, 2), edge(2, 0)};
  const Double3& a = edges[0];
  const Double3& b = edges[1];
  if (separates({a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}, p, half))
    return false;
  for (const Double3& e : edges) {
    if (separates({0.0, -e[2], e[1]}, p, half) || separates({e[2], 0.0, -e[0]}, p, half) ||
        separates({-e[1], e[0], 0.0}, p, half)) {
      return false;
    }
  }
  return true;
}

}  // namespace reconverge::scenes
