// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A vector of three floats with the operations that scene building and path tracing need. Lengths are in metres in the
/// built-in scenes and in the file's own unit otherwise.

#include <algorithm>
#include <array>
#include <cmath>

namespace reconverge::scenes {

struct Vec3 {
  float x = 0.0F;
  float y = 0.0F;
  float z = 0.0F;

  bool operator==(const Vec3&) const = default;
};

constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
constexpr Vec3 operator*(Vec3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
constexpr Vec3 operator*(float s, Vec3 a) { return a * s; }
constexpr Vec3 operator*(Vec3 a, Vec3 b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

constexpr float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline float length(Vec3 a) { return std::sqrt(dot(a, a)); }
/// `a` must not be zero.
inline Vec3 normalize(Vec3 a) { return a * (1.0F / length(a)); }
constexpr float max_component(Vec3 a) { return std::max({a.x, a.y, a.z}); }
inline bool is_finite(Vec3 a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

constexpr Vec3 min(Vec3 a, Vec3 b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
constexpr Vec3 max(Vec3 a, Vec3 b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }

constexpr Vec3 to_vec3(const float (&a)[3]) { return {a[0], a[1], a[2]}; }

/// Luminance of a linear RGB colour (ITU-R BT.709 weights).
constexpr float luminance(Vec3 rgb) { return 0.2126F * rgb.x + 0.7152F * rgb.y + 0.0722F * rgb.z; }

/// An axis-aligned box; the default box is empty and grows by `extend`.
struct Box {
  Vec3 low{INFINITY, INFINITY, INFINITY};
  Vec3 high{-INFINITY, -INFINITY, -INFINITY};

  void extend(Vec3 point) {
    low = min(low, point);
    high = max(high, point);
  }
  void extend(const Box& other) {
    low = min(low, other.low);
    high = max(high, other.high);
  }
  bool empty() const { return !(low.x <= high.x && low.y <= high.y && low.z <= high.z); }
  Vec3 size() const { return high - low; }
  Vec3 centre() const { return (low + high) * 0.5F; }
  float diagonal() const { return empty() ? 0.0F : length(size()); }
};

/// Half the surface area of a non-empty box.
inline double half_area(const Box& box) {
  const double x = double(box.high.x) - box.low.x;
  const double y = double(box.high.y) - box.low.y;
  const double z = double(box.high.z) - box.low.z;
  return x * y + y * z + z * x;
}

/// Two unit vectors that make a right-handed orthonormal frame with the unit vector `normal`
/// (Duff et al., "Building an orthonormal basis, revisited", JCGT 2017).
inline std::array<Vec3, 2> tangent_frame(Vec3 normal) {
  const float sign = std::copysign(1.0F, normal.z);
  const float a = -1.0F / (sign + normal.z);
  const float b = normal.x * normal.y * a;
  return {Vec3{1.0F + sign * normal.x * normal.x * a, sign * b, -sign * normal.x},
          Vec3{b, sign + normal.y * normal.y * a, -normal.y}};
}

}  // namespace reconverge::scenes
