// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Points and vectors in double precision, for tests of rays. Private to this library.

#include <cmath>

#include "scenes/vec3.hpp"

namespace reconverge::scenes {

struct Double3 {
  double x, y, z;
};

constexpr Double3 widen(Vec3 v) { return {v.x, v.y, v.z}; }
constexpr Double3 operator-(Double3 a, Double3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Double3 operator+(Double3 a, Double3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Double3 operator*(Double3 a, double s) { return {a.x * s, a.y * s, a.z * s}; }
constexpr double dot(Double3 a, Double3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Double3 cross(Double3 a, Double3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(Double3 a) { return std::sqrt(dot(a, a)); }

}  // namespace reconverge::scenes
