#pragma once
/* Three-component vectors, bit for bit the same on any machine. */

#include "platforms/kernels/device.h"

namespace reconverge::kernels {

struct Vector {
  float x, y, z;
};

__device__ inline Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ inline Vector operator-(const Vector& a) { return {-a.x, -a.y, -a.z}; }
__device__ inline Vector operator*(const Vector& a, float scale) { return {a.x * scale, a.y * scale, a.z * scale}; }
/* a + scale * b, fused. */
__device__ inline Vector along(const Vector& a, const Vector& b, float scale) {
  return {fma(scale, b.x, a.x), fma(scale, b.y, a.y), fma(scale, b.z, a.z)};
}
__device__ inline float dot(const Vector& a, const Vector& b) { return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z)); }
__device__ inline Vector cross(const Vector& a, const Vector& b) {
  return {fma(a.y, b.z, -(a.z * b.y)), fma(a.z, b.x, -(a.x * b.z)), fma(a.x, b.y, -(a.y * b.x))};
}
/* Of length 1; a zero or nearly zero vector gives a shorter one. */
__device__ inline Vector normalised(const Vector& a) {
  return a * reciprocal(square_root(maximum(dot(a, a), 0x1p-100F)));
}
/* The direction into which a mirror with this unit normal reflects light along `direction`. */
__device__ inline Vector mirrored(const Vector& direction, const Vector& normal) {
  return along(direction, normal, -2.0F * dot(direction, normal));
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
