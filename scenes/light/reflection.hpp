// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The reflection of a surface: a diffuse share, and the share of a white mirror, which may be rough. Rough mirrors
/// have microfacets with the GGX distribution (Walter et al., EGSR 2007), sampled from the visible normals (Heitz,
/// "Sampling the GGX distribution of visible normals", JCGT 2018).

#include <array>
#include <optional>

#include "scenes/device_layout.h"
#include "scenes/vec3.hpp"

namespace reconverge::scenes {

class Reflection {
 public:
  /// `normal` and `outgoing` are unit vectors on the same side of the surface; `outgoing` is opposite to the incoming
  /// ray. `blurred`: mirrors sharper than `least_roughness` count as diffuse, as they do after a diffuse surface: their
  /// glints would need far more paths than pictures here have.
  Reflection(const Material& material, Vec3 normal, Vec3 outgoing, bool blurred);

  /// The least roughness (alpha of GGX) that paths sample after a diffuse surface.
  static constexpr float least_roughness = 0.1F;

  struct Value {
    Vec3 weight;  ///< share of light from a direction that is reflected to `outgoing`, including the cosine; RGB
    float density = 0.0F;  ///< with which `choose` samples that direction, per solid angle
  };
  /// For a unit vector. Excludes the ideal mirror's part, which is nonzero for only one direction.
  Value evaluate(Vec3 incoming) const;

  struct Choice {
    Vec3 direction;  ///< unit
    Vec3 factor;     ///< of the light from there, already divided by the probability of the choice; RGB
    float density;   ///< as in Value; 0 for an ideal mirror, whose direction cannot be sampled otherwise
  };
  /// `lobe` and `point` are uniform in [0, 1). Empty if the direction is below the surface: the light is lost.
  std::optional<Choice> choose(float lobe, std::array<float, 2> point) const;

  /// Whether `lobe` selects the ideal mirror: then shadow rays must not sample lights.
  bool is_mirror(float lobe) const { return lobe < ideal_; }

 private:
  Vec3 diffuse_;            // albedo of the diffuse part
  float glossy_ = 0.0F;     // share of the rough mirror
  float ideal_ = 0.0F;      // share of the ideal mirror
  float roughness_ = 0.0F;  // alpha of the rough mirror
  Vec3 normal_;
  Vec3 outgoing_;
};

/// Direction about `normal` with density cosine / pi; `point` is uniform in [0, 1)^2.
Vec3 cosine_direction(Vec3 normal, std::array<float, 2> point);

}  // namespace reconverge::scenes
