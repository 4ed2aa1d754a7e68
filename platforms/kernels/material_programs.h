#pragma once
/* The shader programs of the megakernels: sixteen hit shaders that fetch the data of their triangle themselves, like
   DXR's hit shaders, then constants of their material (ld.const) and pictures (tex). They differ in the number of
   fetches, in chains of dependent fetches, and in arithmetic: 40 to 300 instructions. */

#include "platforms/kernels/kernels.h"
#include "platforms/kernels/shaders.h"
#include "platforms/kernels/vector.h"

/* NOLINTNEXTLINE(bugprone-reserved-identifier): CUDA's own word */
#if defined(__CUDA__)
#define __constant__ __attribute__((constant))
#else
#define __constant__
#endif

namespace reconverge::kernels {

/* The scene data that a program needs. */
struct ShadedScene {
  const TriangleRecord* triangles;
  const Float4* positions;
  const Material* materials;
  TextureObject pictures; /* 16 layers */
  float texture_scale;
};

/* The point where a ray arrives, and the light that arrives along it. */
struct Surface {
  Vector position;
  Vector normal; /* of length 1, on the side of the ray */
  Colour albedo; /* of diffuse reflection */
  Colour light;  /* towards the ray: emission, and the light found by the program's own rays */
  float mirror;  /* share of mirror reflection */
};

/* Two vectors of constants for each material of a scene, indexed by its number modulo 16. */
struct alignas(16) MaterialConstants {
  Float4 tint_and_scale;
  Float4 details; /* picture, strength of bumps, share of mirror, pattern */
};
inline constexpr unsigned material_constants_count = 16;

/* clang-format off: a row a material */
/* NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): device code takes it as the module's own */
inline __constant__ MaterialConstants material_constants[material_constants_count] = {
    {{0.90F, 0.85F, 0.80F, 1.0F}, {0, 0.30F, 0.05F, 4.0F}},  {{0.80F, 0.80F, 0.85F, 2.0F}, {1, 0.50F, 0.10F, 6.0F}},
    {{0.70F, 0.60F, 0.50F, 1.5F}, {2, 0.20F, 0.30F, 3.0F}},  {{0.95F, 0.95F, 0.90F, 3.0F}, {3, 0.60F, 0.05F, 5.0F}},
    {{0.60F, 0.75F, 0.60F, 0.7F}, {4, 0.40F, 0.05F, 8.0F}},  {{0.85F, 0.80F, 0.70F, 2.5F}, {5, 0.10F, 0.60F, 2.0F}},
    {{0.75F, 0.55F, 0.40F, 1.2F}, {6, 0.30F, 0.08F, 7.0F}},  {{0.65F, 0.65F, 0.70F, 1.8F}, {7, 0.25F, 0.05F, 4.0F}},
    {{0.80F, 0.40F, 0.35F, 0.9F}, {8, 0.35F, 0.15F, 5.0F}},  {{0.90F, 0.90F, 0.95F, 2.2F}, {9, 0.15F, 0.10F, 6.0F}},
    {{0.50F, 0.45F, 0.60F, 3.5F}, {10, 0.55F, 0.02F, 3.0F}}, {{0.60F, 0.75F, 0.85F, 0.5F}, {11, 0.20F, 0.50F, 8.0F}},
    {{0.95F, 0.90F, 0.90F, 0.8F}, {12, 0.10F, 0.12F, 2.0F}}, {{0.45F, 0.70F, 0.35F, 4.0F}, {13, 0.45F, 0.04F, 7.0F}},
    {{0.85F, 0.70F, 0.55F, 1.6F}, {14, 0.30F, 0.20F, 4.0F}}, {{0.70F, 0.70F, 0.70F, 1.0F}, {15, 0.00F, 0.00F, 5.0F}}};
/* clang-format on */

inline constexpr float picture_count = 16.0F;

/* The layer of pictures with that number, which may be any number. */
__device__ inline Float4 picture_at(const ShadedScene& scene, float layer, float u, float v) {
  return fetch_volume(scene.pictures, u, v, fma(layer, 1.0F / picture_count, 0.5F / picture_count));
}

/* A picture of all directions: the last layer but one. */
__device__ inline Colour sky(const ShadedScene& scene, const Vector& direction) {
  const float scale =
      reciprocal(maximum(absolute(direction.x) + absolute(direction.y) + absolute(direction.z), 0x1p-60F));
  return colour_of(
      picture_at(scene, 14.0F, fma(direction.x, 0.5F * scale, 0.5F), fma(direction.y, 0.5F * scale, 0.5F)));
}

/* Noise in a plane, 0..1, interpolated between the numbers of the surrounding lattice points. */
__device__ inline float noise(float u, float v) {
  const float x = absolute(u);
  const float y = absolute(v);
  const auto i = static_cast<unsigned>(x);
  const auto j = static_cast<unsigned>(y);
  const float low = fma(lattice(i + 1, j) - lattice(i, j), fraction(x), lattice(i, j));
  const float high = fma(lattice(i + 1, j + 1) - lattice(i, j + 1), fraction(x), lattice(i, j + 1));
  return fma(high - low, fraction(y), low);
}

/* The common inputs of all programs. */
struct Attributes {
  Vector position;
  Vector normal;
  Vector direction; /* of length 1 */
  float u, v;       /* coordinates in a picture */
  Colour albedo;
  Colour emission;
  MaterialConstants constants;
};

__device__ inline Vector position_at(const ShadedScene& scene, unsigned corner) {
  const Float4 p = load_float4(scene.positions, corner);
  return {p.x, p.y, p.z};
}

__device__ inline Attributes fetch_attributes(const ShadedScene& scene, const Int4& triangle, const Hit& hit,
                                              const Vector& direction) {
  Attributes at{};
  const Vector a = position_at(scene, static_cast<unsigned>(triangle.x));
  const Vector ab = position_at(scene, static_cast<unsigned>(triangle.y)) - a;
  const Vector ac = position_at(scene, static_cast<unsigned>(triangle.z)) - a;
  const auto material = static_cast<unsigned>(triangle.w);
  const Float4 reflects = load_float4(scene.materials + material, 0);
  const Float4 emits = load_float4(scene.materials + material, 1);
  at.constants = material_constants[material % material_constants_count];
  at.position = along(along(a, ab, hit.u), ac, hit.v);
  at.direction = normalised(direction);
  at.normal = normalised(cross(ab, ac));
  if (dot(at.normal, at.direction) > 0.0F) at.normal = -at.normal;
  const float scale = scene.texture_scale * at.constants.tint_and_scale.w;
  at.u = fma(at.position.z, 0.5F, at.position.x) * scale;
  at.v = fma(at.position.z, 0.25F, at.position.y) * scale;
  at.albedo = {reflects.x, reflects.y, reflects.z};
  at.emission = {emits.x, emits.y, emits.z};
  return at;
}

__device__ inline Colour tint(const Attributes& at) {
  const Float4& t = at.constants.tint_and_scale;
  return {at.albedo.red * t.x, at.albedo.green * t.y, at.albedo.blue * t.z};
}

__device__ inline Vector bumped(const Attributes& at, const Float4& bump) {
  const Vector by{bump.x - 0.5F, bump.y - 0.5F, bump.z - 0.5F};
  return normalised(along(at.normal, by, at.constants.details.y));
}

__device__ inline Surface diffuse_surface(const Attributes& at, const Colour& albedo) {
  return {at.position, at.normal, albedo, at.emission, 0.0F};
}

/* Matte: only constants. */
__device__ inline Surface shade_matte(const Attributes& at) { return diffuse_surface(at, tint(at)); }

/* Paint: one picture. */
__device__ inline Surface shade_paint(const ShadedScene& scene, const Attributes& at) {
  return diffuse_surface(at, times(tint(at), colour_of(picture_at(scene, at.constants.details.x, at.u, at.v))));
}

/* Stucco: four octaves of noise, no picture. */
__device__ inline Surface shade_stucco(const Attributes& at) {
  float sum = 0.25F;
  float weight = 0.375F;
  float u = at.u * at.constants.details.w;
  float v = at.v * at.constants.details.w;
  for (unsigned octave = 0; octave < 4; ++octave) {
    sum = fma(weight, noise(u, v), sum);
    weight *= 0.5F;
    u = fma(u, 2.0F, 1.3F);
    v = fma(v, 2.0F, 0.7F);
  }
  return diffuse_surface(at, mix({0.0F, 0.0F, 0.0F}, tint(at), sum));
}

/* Cloth: a weave and its bumps, fetched together. */
__device__ inline Surface shade_cloth(const ShadedScene& scene, const Attributes& at) {
  const Float4 weave = picture_at(scene, at.constants.details.x, at.u * 4.0F, at.v * 4.0F);
  const Float4 bump = picture_at(scene, at.constants.details.x + 1.0F, at.u * 4.0F, at.v * 4.0F);
  Surface surface = diffuse_surface(at, times(tint(at), colour_of(weave)));
  surface.normal = bumped(at, bump);
  return surface;
}

/* Brick: up to eight steps into a relief, each dependent on the previous height, then the colour there. */
__device__ inline Surface shade_brick(const ShadedScene& scene, const Attributes& at) {
  float u = at.u;
  float v = at.v;
  float height = 1.0F;
  for (unsigned step = 0; step < 8; ++step) {
    if (picture_at(scene, at.constants.details.x, u, v).w >= height) break;
    height -= 0.125F;
    u = fma(at.direction.x, 0.01F, u);
    v = fma(at.direction.y, 0.01F, v);
  }
  const Colour colour = colour_of(picture_at(scene, at.constants.details.x + 1.0F, u, v));
  return diffuse_surface(at, mix({0.0F, 0.0F, 0.0F}, times(tint(at), colour), fma(height, 0.5F, 0.5F)));
}

/* Wood: rings by noise, which choose a place in a picture. */
__device__ inline Surface shade_wood(const ShadedScene& scene, const Attributes& at) {
  const float grain = noise(at.u * 16.0F, at.v * 2.0F);
  const float radius = fma(grain, 0.3F, square_root(fma(at.u, at.u, at.v * at.v)) * at.constants.details.w);
  return diffuse_surface(at, times(tint(at), colour_of(picture_at(scene, at.constants.details.x, radius, grain))));
}

/* Rock: three pictures, one along each axis, weighed by the normal. */
__device__ inline Surface shade_rock(const ShadedScene& scene, const Attributes& at) {
  const float scale = scene.texture_scale * at.constants.details.w;
  const Vector p = at.position * scale;
  const Colour x = colour_of(picture_at(scene, at.constants.details.x, p.y, p.z));
  const Colour y = colour_of(picture_at(scene, at.constants.details.x + 1.0F, p.x, p.z));
  const Colour z = colour_of(picture_at(scene, at.constants.details.x + 2.0F, p.x, p.y));
  const Colour xy = mix(x, y, at.normal.y * at.normal.y);
  return diffuse_surface(at, times(tint(at), mix(xy, z, at.normal.z * at.normal.z)));
}

/* Velvet: a reflectance as a product of three pictures, by the direction, the normal and the half vector. */
__device__ inline Surface shade_velvet(const ShadedScene& scene, const Attributes& at) {
  const Vector between = normalised(at.normal - at.direction);
  const Colour in = colour_of(picture_at(scene, at.constants.details.x, at.direction.x, at.direction.y));
  const Colour out = colour_of(picture_at(scene, at.constants.details.x + 1.0F, at.normal.x, at.normal.y));
  const Colour half = colour_of(picture_at(scene, at.constants.details.x + 2.0F, between.x, between.y));
  return diffuse_surface(at, times(tint(at), mix(times(in, out), half, 0.5F)));
}

/* Tiles: every other one has a picture, the others noise; joints are plain. */
__device__ inline Surface shade_tiles(const ShadedScene& scene, const Attributes& at) {
  const float u = absolute(at.u) * at.constants.details.w;
  const float v = absolute(at.v) * at.constants.details.w;
  if (minimum(fraction(u), fraction(v)) < 0.05F) return diffuse_surface(at, {0.4F, 0.4F, 0.4F});
  if (((static_cast<unsigned>(u) + static_cast<unsigned>(v)) & 1U) == 0) {
    return diffuse_surface(at, mix({0.1F, 0.1F, 0.1F}, tint(at), noise(u * 8.0F, v * 8.0F)));
  }
  return diffuse_surface(at, times(tint(at), colour_of(picture_at(scene, at.constants.details.x, u, v))));
}

/* Carpet: four octaves of one picture, all of them fetched before the first is used. */
__device__ inline Surface shade_carpet(const ShadedScene& scene, const Attributes& at) {
  const float layer = at.constants.details.x;
  const Colour first = colour_of(picture_at(scene, layer, at.u, at.v));
  const Colour second = colour_of(picture_at(scene, layer, at.u * 2.0F, at.v * 2.0F));
  const Colour third = colour_of(picture_at(scene, layer, at.u * 4.0F, at.v * 4.0F));
  const Colour fourth = colour_of(picture_at(scene, layer, at.u * 8.0F, at.v * 8.0F));
  return diffuse_surface(at, times(tint(at), mix(mix(first, second, 0.5F), mix(third, fourth, 0.5F), 0.25F)));
}

/* Marble: three octaves of noise, then a colour from a ramp. */
__device__ inline Surface shade_marble(const ShadedScene& scene, const Attributes& at) {
  float turbulence = 0.0F;
  float weight = 0.5F;
  float scale = at.constants.details.w;
  for (unsigned octave = 0; octave < 3; ++octave) {
    turbulence = fma(weight, noise(at.u * scale, at.v * scale), turbulence);
    weight *= 0.5F;
    scale *= 2.0F;
  }
  const Colour ramp = colour_of(picture_at(scene, at.constants.details.x, fma(turbulence, 2.0F, at.u), 0.5F));
  return diffuse_surface(at, times(tint(at), ramp));
}

/* Leaf: where the picture is thin, light of another picture shines through from the back. */
__device__ inline Surface shade_leaf(const ShadedScene& scene, const Attributes& at) {
  const Float4 upper = picture_at(scene, at.constants.details.x, at.u, at.v);
  Colour colour = colour_of(upper);
  if (upper.w < 0.4F) {
    colour =
        mix(colour, colour_of(picture_at(scene, at.constants.details.x + 1.0F, at.u + upper.x, at.v + upper.y)), 0.6F);
  }
  return diffuse_surface(at, times(tint(at), colour));
}

/* Layers: the number is in the constants; each layer is shifted by the contents of the preceding one. */
__device__ inline Surface shade_layers(const ShadedScene& scene, const Attributes& at) {
  Colour colour = tint(at);
  float u = at.u;
  float v = at.v;
  const auto layers = static_cast<unsigned>(at.constants.details.w);
  for (unsigned i = 0; i < layers; ++i) {
    const Float4 layer = picture_at(scene, at.constants.details.x + static_cast<float>(i), u, v);
    colour = mix(colour, colour_of(layer), layer.w * 0.5F);
    u += layer.x * 0.1F;
    v += layer.y * 0.1F;
  }
  return diffuse_surface(at, colour);
}

/* Metal, lacquer and water are mirrors whose normals come from one picture, from noise and two pictures, and from two
   waves; the megakernel may cast a ray from within them. */
__device__ inline Surface mirror_surface(const Attributes& at, const Colour& albedo, const Vector& normal) {
  Surface surface = diffuse_surface(at, albedo);
  surface.normal = normal;
  surface.mirror = at.constants.details.z;
  return surface;
}

__device__ inline Surface shade_metal(const ShadedScene& scene, const Attributes& at) {
  return mirror_surface(at, tint(at), bumped(at, picture_at(scene, at.constants.details.x, at.u, at.v)));
}

__device__ inline Surface shade_lacquer(const ShadedScene& scene, const Attributes& at) {
  const float flakes = noise(at.u * 64.0F, at.v * 64.0F);
  const Float4 bump = picture_at(scene, at.constants.details.x, at.u + flakes * 0.01F, at.v);
  const Colour paint = colour_of(picture_at(scene, at.constants.details.x + 1.0F, at.u, at.v));
  return mirror_surface(at, times(tint(at), paint), bumped(at, bump));
}

__device__ inline Surface shade_water(const ShadedScene& scene, const Attributes& at) {
  const Float4 wave = picture_at(scene, at.constants.details.x, at.u, at.v);
  const Float4 ripple =
      picture_at(scene, at.constants.details.x, fma(wave.x, 0.2F, at.u * 5.0F), fma(wave.y, 0.2F, at.v * 5.0F));
  const Float4 both{(wave.x + ripple.x) * 0.5F, (wave.y + ripple.y) * 0.5F, (wave.z + ripple.z) * 0.5F, 0.0F};
  return mirror_surface(at, mix({0.0F, 0.1F, 0.15F}, tint(at), ripple.w), bumped(at, both));
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
