// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Compares hits of any kernel or hardware unit with Embree's. Every difference is either explained or a mismatch.
///
/// Two correct single-precision tests may differ in the last bits, so a third test in double precision decides:
///  - a distance may be off by 1e-4 of itself plus 16 * 2^-24 of the coordinates' size divided by the cosine at the
///    surface: the first covers the approximate reciprocal of kernels, the second is how far rounding of the
///    coordinates moves the meeting point of a ray and a plane;
///  - a hit or miss may differ only where the ray passes an edge of the triangle within 16 * 2^-24 of the
///    coordinates' size, or meets it at an end of the ray's interval.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scenes/structures/embree_scene.hpp"

namespace reconverge::scenes {

struct HitTolerance {
  double relative_distance = 1e-4;
  double coordinate_roundings = 16.0;  ///< units of 2^-24 of the largest coordinate on the ray's way
};

struct HitMismatch {
  std::size_t ray = 0;
  Hit expected{};
  Hit actual{};
  std::string reason;
};

struct HitComparison {
  std::size_t rays = 0;
  std::size_t equal = 0;       ///< same triangle at the same distance, or both missed
  std::size_t ties = 0;        ///< another triangle at the same distance: a shared edge, or coplanar triangles
  std::size_t edges = 0;       ///< one grazes an edge that the other just misses, as proved in double precision
  std::size_t mismatches = 0;  ///< everything else
  double max_relative_distance_error = 0.0;  ///< over equal hits, against the double-precision distance
  std::vector<HitMismatch> examples;         ///< the first eight mismatches

  bool ok() const { return mismatches == 0; }
};

/// One line for a report.
std::string to_string(const HitComparison& comparison);

/// Closest hits. `rays` and `actual` have the same length.
HitComparison compare_hits(const Mesh& mesh, const EmbreeScene& oracle, std::span<const Ray> rays,
                           std::span<const Hit> actual, const HitTolerance& tolerance = {});

/// Any-hit answers: a hit may name any triangle that really blocks the ray. Ties do not occur.
HitComparison compare_occlusion(const Mesh& mesh, const EmbreeScene& oracle, std::span<const Ray> rays,
                                std::span<const Hit> actual, const HitTolerance& tolerance = {});

}  // namespace reconverge::scenes
