#pragma once
/// What a machine's hits are worth, found out without keeping anybody waiting.

#include <functional>
#include <optional>
#include <span>

#include "scenes/structures/hit_comparison.hpp"

namespace reconverge {

/// Compares hits part by part, as scenes::compare_hits does all of them, or scenes::compare_occlusion where `shadow`.
/// Before each part `goes_on` is asked; nothing when it says no.
std::optional<scenes::HitComparison> judged_hits(const scenes::Mesh& mesh, const scenes::EmbreeScene& oracle,
                                                 std::span<const scenes::Ray> rays, std::span<const scenes::Hit> found,
                                                 bool shadow, const std::function<bool()>& goes_on);

}  // namespace reconverge
