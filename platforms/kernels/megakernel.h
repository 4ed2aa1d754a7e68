#pragma once
/* Ray-tracing megakernels after Damani et al. (Subwarp Interleaving, Fig. 1, sections II-B and IV-B): a thread traces
   the ray of a pixel, then runs the shader program of the material that it hit, then traces from there. The rays from
   the first surface define the effect; `Traversal` defines how a ray is traced:
     static Hit closest(const AccelerationStructure&, const Ray&), static bool any(const AccelerationStructure&, const
   Ray&) */

#include "platforms/kernels/material_programs.h"
#include "platforms/kernels/ray_log.h"
#include "platforms/kernels/software_traversal.h"

namespace reconverge::kernels {

/* Rays from the first surface of a pixel. */
struct Effect {
  unsigned diffuse;   /* rays around its normal that gather the light of other surfaces (global illumination) */
  unsigned mirror;    /* reflected rays; mirrors that they hit cast another ray, within their program */
  unsigned occlusion; /* rays around its normal that measure how much of the near surroundings is open */
};
inline constexpr Effect diffuse_effect{2, 0, 0};
inline constexpr Effect occlusion_effect{0, 0, 4};
inline constexpr Effect reflection_effect{0, 1, 0};
inline constexpr Effect mixed_effect{1, 1, 2};

struct MegakernelScene {
  AccelerationStructure structure;
  ShadedScene shaded;
  const unsigned* lights; /* triangles */
  const MegakernelFrame* frame;
};

inline constexpr float far_away = 1e30F;

__device__ inline Ray ray_from(const Vector& origin, const Vector& direction, float t_max) {
  return {{origin.x, origin.y, origin.z}, 0.0F, {direction.x, direction.y, direction.z}, t_max};
}

/* Sine and cosine of a quarter turn times `x`, -0.5..0.5, by their series: the last terms are below 2^-24. */
__device__ inline float sine_of_quarters(float x) {
  const float a = x * 1.5707963F;
  const float s = a * a;
  return a * fma(s, fma(s, fma(s, -1.98413e-4F, 8.333333e-3F), -0.16666667F), 1.0F);
}
__device__ inline float cosine_of_quarters(float x) {
  const float a = x * 1.5707963F;
  const float s = a * a;
  return fma(s, fma(s, fma(s, fma(s, 2.48016e-5F, -1.3888889e-3F), 4.1666668e-2F), -0.5F), 1.0F);
}

/* About the normal, cosine-distributed: the normal plus a point of the sphere around it. `a` and `b` are in 0..1. */
__device__ inline Vector cosine_direction(const Vector& normal, float a, float b) {
  const float z = fma(-2.0F, a, 1.0F);
  const float radius = square_root(maximum(fma(-z, z, 1.0F), 0.0F));
  const float quarters = b * 4.0F;
  const auto quarter = static_cast<unsigned>(quarters);
  const float sine = sine_of_quarters(quarters - static_cast<float>(quarter) - 0.5F);
  const float cosine = cosine_of_quarters(quarters - static_cast<float>(quarter) - 0.5F);
  const float x = (quarter & 1U) != 0 ? -sine : cosine;
  const float y = (quarter & 1U) != 0 ? cosine : sine;
  const float sign = (quarter & 2U) != 0 ? -radius : radius;
  return normalised({fma(sign, x, normal.x), fma(sign, y, normal.y), normal.z + z});
}

template <typename Traversal, Effect effect>
class Megakernel {
 public:
  __device__ explicit Megakernel(const MegakernelScene& scene) : scene_(scene) {
    const Float4 scales = load_float4(scene.frame, 4);
    surface_offset_ = scales.x;
    occlusion_distance_ = scales.y;
    scene_.shaded.texture_scale = scales.z;
    seed_ = float_bits(scales.w);
  }

  /* One pixel of a tile that is 8 wide and as high as the block's threads fill. */
  __device__ void draw(Float4* picture) {
    const Float4 eye = load_float4(scene_.frame, 0);
    const Float4 right = load_float4(scene_.frame, 1);
    const Float4 up = load_float4(scene_.frame, 2);
    const Float4 forward = load_float4(scene_.frame, 3);
    const unsigned width = float_bits(eye.w);
    const unsigned height = float_bits(right.w);
    programs_ = float_bits(up.w);
    lights_ = float_bits(forward.w);
    constexpr unsigned tile = 8;
    const unsigned tiles = (width + tile - 1) / tile;
    const unsigned block = block_index().x * float_bits(load_float4(scene_.frame, 5).x);
    const unsigned x = block % tiles * tile + thread_index().x % tile;
    const unsigned y = block / tiles * (block_size().x / tile) + thread_index().x / tile;
    if (x >= width || y >= height) return;
    pixel_ = y * width + x;
    const float across = fma(2.0F, quotient(static_cast<float>(x) + random(), static_cast<float>(width)), -1.0F);
    const float down = fma(-2.0F, quotient(static_cast<float>(y) + random(), static_cast<float>(height)), 1.0F);
    const Vector direction{fma(across, right.x, fma(down, up.x, forward.x)),
                           fma(across, right.y, fma(down, up.y, forward.y)),
                           fma(across, right.z, fma(down, up.z, forward.z))};
    const Colour sum = gather(ray_from({eye.x, eye.y, eye.z}, normalised(direction), far_away));
    /* A number from 1 to 2 whose bits depend on every hit. */
    write_float4(picture + pixel_, {sum.red, sum.green, sum.blue, bits_float(digest_ >> 9U | 0x3f800000U)});
  }

 private:
  /* All rays of a pixel use one loop, so that traversal and programs exist only once in the code. */
  __device__ Colour gather(Ray ray) {
    Colour sum{};
    Surface first{};
    Vector first_direction{};
    for (unsigned round = 0;; ++round) {
      const Hit hit = closest(ray);
      const Vector direction{ray.direction[0], ray.direction[1], ray.direction[2]};
      const Surface here = shade(hit, direction, round > effect.diffuse);
      const Colour light = leaving(here);
      if (round == 0) {
        sum = light;
        if (hit.triangle < 0) return sum;
        first = here;
        first_direction = direction;
      } else if (round <= effect.diffuse) {
        constexpr float share = effect.diffuse == 0 ? 1.0F : 1.0F / static_cast<float>(effect.diffuse);
        sum = added(sum, times(first.albedo, light), share);
      } else {
        sum = added(sum, light, maximum(first.mirror, 0.1F));
      }
      if (round == effect.diffuse + effect.mirror) break;
      Vector next{};
      if (round < effect.diffuse) {
        next = about(first.normal);
      } else {
        next = mirrored(first_direction, first.normal);
      }
      ray = ray_from(above(first), next, far_away);
    }
    if constexpr (effect.occlusion != 0) {
      float open = 0.0F;
      for (unsigned i = 0; i < effect.occlusion; ++i) {
        const Vector direction = about(first.normal);
        if (!any(ray_from(above(first), direction, occlusion_distance_))) open += 1.0F;
      }
      sum = added(sum, first.albedo, open * (1.0F / static_cast<float>(effect.occlusion)));
    }
    return sum;
  }

  __device__ static Colour added(const Colour& sum, const Colour& colour, float weight) {
    return {fma(weight, colour.red, sum.red), fma(weight, colour.green, sum.green), fma(weight, colour.blue, sum.blue)};
  }

  __device__ Vector above(const Surface& surface) const {
    return along(surface.position, surface.normal, surface_offset_);
  }

  /* The branch of the megakernel (Fig. 1): each program is a separate path. */
  __device__ Surface shade(const Hit& hit, const Vector& direction, bool casts) {
    if (hit.triangle < 0) return {{}, {}, {}, sky(scene_.shaded, direction), 0.0F};
    const Int4 triangle = load_int4(scene_.shaded.triangles, static_cast<unsigned>(hit.triangle));
    const ShadedScene& scene = scene_.shaded;
    const auto attributes = [&] { return fetch_attributes(scene, triangle, hit, direction); };
    switch (static_cast<unsigned>(triangle.w) % programs_) {
      case 0:
        return shade_paint(scene, attributes());
      case 1:
        return shade_stucco(attributes());
      case 2:
        return with_reflection(shade_lacquer(scene, attributes()), direction, casts);
      case 3:
        return shade_cloth(scene, attributes());
      case 4:
        return shade_brick(scene, attributes());
      case 5:
        return with_reflection(shade_metal(scene, attributes()), direction, casts);
      case 6:
        return shade_wood(scene, attributes());
      case 7:
        return shade_rock(scene, attributes());
      case 8:
        return shade_velvet(scene, attributes());
      case 9:
        return shade_tiles(scene, attributes());
      case 10:
        return shade_carpet(scene, attributes());
      case 11:
        return with_reflection(shade_water(scene, attributes()), direction, casts);
      case 12:
        return shade_marble(scene, attributes());
      case 13:
        return shade_leaf(scene, attributes());
      case 14:
        return shade_layers(scene, attributes());
      default:
        return shade_matte(attributes());
    }
  }

  /* One level of recursion: a program casts a ray, and its hit is shaded without a program, as games
     simplify materials in reflections. */
  __device__ Surface with_reflection(Surface surface, const Vector& direction, bool casts) {
    if constexpr (effect.mirror == 0) return surface;
    if (!casts) return surface;
    const Vector onwards = mirrored(normalised(direction), surface.normal);
    const Hit hit = closest(ray_from(above(surface), onwards, far_away));
    if (hit.triangle < 0) {
      surface.light = added(surface.light, sky(scene_.shaded, onwards), surface.mirror);
      return surface;
    }
    const Int4 triangle = load_int4(scene_.shaded.triangles, static_cast<unsigned>(hit.triangle));
    const Attributes at = fetch_attributes(scene_.shaded, triangle, hit, onwards);
    const Colour seen =
        added(at.emission, times(tint(at), colour_of(picture_at(scene_.shaded, 0.0F, at.u, at.v))), 0.5F);
    surface.light = added(surface.light, seen, surface.mirror);
    return surface;
  }

  /* The light that leaves a surface: its emission, and the light of one lamp, tested by a shadow ray. */
  __device__ Colour leaving(const Surface& surface) {
    if constexpr (effect.diffuse + effect.mirror == 0) return surface.light;
    if (lights_ == 0 || surface.albedo.red + surface.albedo.green + surface.albedo.blue == 0.0F) return surface.light;
    const auto choice = static_cast<unsigned>(random() * static_cast<float>(lights_));
    const unsigned lamp = load_int(scene_.lights + (choice < lights_ ? choice : lights_ - 1));
    const Int4 triangle = load_int4(scene_.shaded.triangles, lamp);
    const Vector a = position_at(scene_.shaded, static_cast<unsigned>(triangle.x));
    const Vector ab = position_at(scene_.shaded, static_cast<unsigned>(triangle.y)) - a;
    const Vector ac = position_at(scene_.shaded, static_cast<unsigned>(triangle.z)) - a;
    const float root = square_root(random());
    const float along_ac = random() * root;
    const Vector from = above(surface);
    const Vector to = along(along(a, ab, root - along_ac), ac, along_ac) - from;
    const float squared = dot(to, to);
    const Vector twice_area = cross(ab, ac);
    /* The cosines at both ends, each times the distance. */
    const float cosines = maximum(dot(surface.normal, to), 0.0F) * absolute(dot(twice_area, to));
    if (cosines == 0.0F) return surface.light;
    constexpr float before_the_lamp = 1.0F - 1.0F / 1024;
    if (any(ray_from(from, to, before_the_lamp))) return surface.light;
    const Float4 emission = load_float4(scene_.shaded.materials + static_cast<unsigned>(triangle.w), 1);
    constexpr float half_over_pi = 0.15915494F;
    const float weight = quotient(cosines * half_over_pi * static_cast<float>(lights_), squared * squared);
    return added(surface.light, times(surface.albedo, {emission.x, emission.y, emission.z}), weight);
  }

  __device__ Hit closest(const Ray& ray) {
    const Hit hit = Traversal::closest(scene_.structure, ray);
    log_closest(ray, hit);
    digest(static_cast<unsigned>(hit.triangle) ^ float_bits(hit.t));
    return hit;
  }
  __device__ bool any(const Ray& ray) {
    const bool hit = Traversal::any(scene_.structure, ray);
    log_any(ray, hit);
    digest(hit ? 1U : 0U);
    return hit;
  }
  __device__ void digest(unsigned word) { digest_ = (digest_ ^ word) * 0x01000193U; }

  __device__ Vector about(const Vector& normal) {
    const float a = random();
    const float b = random();
    return cosine_direction(normal, a, b);
  }
  /* The pixel's next number, 0..1. */
  __device__ float random() { return lattice(pixel_ + seed_, drawn_++); }

  MegakernelScene scene_;
  float surface_offset_;
  float occlusion_distance_;
  unsigned programs_ = 0;
  unsigned lights_ = 0;
  unsigned seed_;
  unsigned pixel_ = 0;
  unsigned drawn_ = 0;
  unsigned digest_ = 0x811c9dc5U;
};

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
