// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Checks a machine's hits against the oracle, and can be interrupted.

#include <functional>
#include <optional>
#include <span>

#include "scenes/structures/hit_comparison.hpp"

namespace reconverge {

/// Finds the hits of rays in a mesh independently.
struct Oracle {
  const scenes::Mesh& mesh;
  const scenes::EmbreeScene& scene;  ///< of the mesh
};

/// Compares hits part by part, with the result of scenes::compare_hits for all of them, or of scenes::compare_occlusion
/// if `shadow`. Calls `goes_on` before each part; returns nothing if it returns false.
std::optional<scenes::HitComparison> judged_hits(const Oracle& oracle, std::span<const scenes::Ray> rays,
                                                 std::span<const scenes::Hit> found, bool shadow,
                                                 const std::function<bool()>& goes_on);

}  // namespace reconverge
