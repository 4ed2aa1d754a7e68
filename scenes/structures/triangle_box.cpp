// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/triangle_box.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace reconverge::scenes {

namespace {

using Double3 = std::array<double, 3>;

Double3 widen(Vec3 v) { return {v.x, v.y, v.z}; }

/// Six cuts give a triangle at most nine corners, twelve cuts fifteen; rounding may add a few, but no cut adds more
/// than half of the corners.
struct Polygon {
  std::array<Double3, 32> corner;
  std::size_t count = 0;

  void add(const Double3& c) { corner[count++] = c; }
};

/// Stores in `kept` the part with sign * (p[axis] - plane) >= 0 (Sutherland and Hodgman).
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

/// Whether, by the polygon's bounds, none of its points is in the box enlarged by `slack`.
bool is_beside(const Polygon& polygon, const Box& box, double slack) {
  const auto corners = std::span(polygon.corner).first(polygon.count);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double low = component(box.low, axis) - slack;
    const double high = component(box.high, axis) + slack;
    if (std::ranges::all_of(corners, [&](const Double3& p) { return p[axis] < low; })) return true;
    if (std::ranges::all_of(corners, [&](const Double3& p) { return p[axis] > high; })) return true;
  }
  return false;
}

/// Subtracts the boxes one after the other: the part outside a box is beyond one of its faces.
// NOLINTNEXTLINE(misc-no-recursion): as deep as there are boxes
bool lies_within(Polygon polygon, std::span<const Box> covers, double slack) {
  while (!covers.empty() && is_beside(polygon, covers[0], slack)) covers = covers.subspan(1);
  if (covers.empty()) return false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const double sign : {1.0, -1.0}) {
      const Vec3 face = sign > 0.0 ? covers[0].high : covers[0].low;
      const double plane = component(face, axis) + sign * slack;
      // A corner in the plane is inside: a part beyond the plane needs another corner.
      const auto beyond = [&](const Double3& p) { return sign * (p[axis] - plane) > 0.0; };
      if (std::ranges::none_of(std::span(polygon.corner).first(polygon.count), beyond)) continue;
      Polygon part;
      cut(polygon, axis, plane, sign, part);
      if (!lies_within(part, covers.subspan(1), slack)) return false;
      cut(polygon, axis, plane, -sign, part);
      polygon = part;
      if (polygon.count == 0) return true;
    }
  }
  return true;
}

Polygon polygon_of(const Corners& corners) {
  Polygon polygon;
  for (const Vec3 corner : corners) polygon.add(widen(corner));
  return polygon;
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

std::array<Box, 2> split_bounds(const Corners& corners, const Box& box, std::size_t axis, float plane) {
  constexpr double far = std::numeric_limits<double>::infinity();
  struct Bounds {
    Double3 low{far, far, far};
    Double3 high{-far, -far, -far};

    void extend(const Double3& p) {
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], p[k]);
        high[k] = std::max(high[k], p[k]);
      }
    }
  };
  std::array<Bounds, 2> sides;
  const double at = plane;
  const std::array<Double3, 3> p{widen(corners[0]), widen(corners[1]), widen(corners[2])};
  for (std::size_t i = 0; i < 3; ++i) {
    const Double3& from = p[i];
    const Double3& to = p[i == 2 ? 0 : i + 1];
    if (from[axis] <= at) sides[0].extend(from);
    if (from[axis] >= at) sides[1].extend(from);
    if (!((from[axis] < at && to[axis] > at) || (from[axis] > at && to[axis] < at))) continue;
    const double s = (at - from[axis]) / (to[axis] - from[axis]);
    Double3 crossing{from[0] + s * (to[0] - from[0]), from[1] + s * (to[1] - from[1]), from[2] + s * (to[2] - from[2])};
    crossing[axis] = at;
    for (Bounds& side : sides) side.extend(crossing);
  }
  const auto within = [&box](const Bounds& side) {
    return Box{max(box.low, {round_down(side.low[0]), round_down(side.low[1]), round_down(side.low[2])}),
               min(box.high, {round_up(side.high[0]), round_up(side.high[1]), round_up(side.high[2])})};
  };
  return {within(sides[0]), within(sides[1])};
}

bool is_covered(const Corners& corners, std::span<const Box> covers, double slack) {
  return lies_within(polygon_of(corners), covers, slack);
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
