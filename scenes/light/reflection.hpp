#pragma once
/// How a surface reflects: a diffuse share, and a share that a white mirror reflects, which may be rough. Rough mirrors
/// have microfacets with the GGX distribution (Walter et al., EGSR 2007), chosen among those that are seen (Heitz,
/// "Sampling the GGX distribution of visible normals", JCGT 2018).

#include <array>
#include <optional>

#include "scenes/device_layout.h"
#include "scenes/vec3.hpp"

namespace reconverge::scenes {

class Reflection {
 public:
  /// `normal` and `outgoing` are unit vectors, the latter against the ray that came, and on one side of the surface.
  /// `blurred`: what is sharper than `least_roughness` counts as diffuse, as it does behind a diffuse surface: the
  /// glints that it throws would need far more paths than a picture here has.
  Reflection(const Material& material, Vec3 normal, Vec3 outgoing, bool blurred);

  /// The least roughness (alpha of GGX) that paths follow behind a diffuse surface.
  static constexpr float least_roughness = 0.1F;

  struct Value {
    Vec3 weight;           ///< of light from a direction: what is reflected to `outgoing`, cosine included; RGB
    float density = 0.0F;  ///< with which `choose` takes that direction, per solid angle
  };
  /// For a unit vector. Without the part of an ideal mirror, which no direction but one meets.
  Value evaluate(Vec3 incoming) const;

  struct Choice {
    Vec3 direction;  ///< unit
    Vec3 factor;     ///< of the light that comes from there, already divided by the chance to choose it; RGB
    float density;   ///< as in Value; 0 for an ideal mirror's, which no other way can find
  };
  /// `lobe` and `point` are uniform in [0, 1). Nothing when the direction is below the surface: the light is lost.
  std::optional<Choice> choose(float lobe, std::array<float, 2> point) const;

  /// Whether this choice of the lobe is an ideal mirror's: light must not be looked for by shadow rays then.
  bool is_mirror(float lobe) const { return lobe < ideal_; }

 private:
  Vec3 diffuse_;            // albedo of the diffuse part
  float glossy_ = 0.0F;     // share of the rough mirror
  float ideal_ = 0.0F;      // share of the ideal one
  float roughness_ = 0.0F;  // of the rough one: alpha
  Vec3 normal_;
  Vec3 outgoing_;
};

/// Direction about `normal` with density cosine / pi; `point` is uniform in [0, 1)^2.
Vec3 cosine_direction(Vec3 normal, std::array<float, 2> point);

}  // namespace reconverge::scenes
