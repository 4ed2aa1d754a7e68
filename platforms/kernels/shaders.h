#pragma once
/* Shader programs: small, different in loads and arithmetic, and bit for bit the same on any machine. Colours are
   linear; a shader gets the data of a hit and reads its own textures. */

#include "platforms/kernels/device.h"

namespace reconverge::kernels {

struct Colour {
  float red, green, blue;
};

/* Where a ray hits a surface: barycentric weights and the ray's direction, of any length. */
struct SurfacePoint {
  float u, v;
  float x, y, z; /* direction */
};

/* Square pictures of side x side texels that follow each other; `side` is a power of two. */
struct Textures {
  const Float4* texels;
  unsigned side;
};

__device__ inline Colour times(const Colour& a, const Colour& b) {
  return {a.red * b.red, a.green * b.green, a.blue * b.blue};
}
__device__ inline Colour mix(const Colour& a, const Colour& b, float share) {
  return {fma(b.red - a.red, share, a.red), fma(b.green - a.green, share, a.green),
          fma(b.blue - a.blue, share, a.blue)};
}

/* The fractional part of a nonnegative number less than 2^31. */
__device__ inline float fraction(float number) { return number - static_cast<float>(static_cast<unsigned>(number)); }

__device__ inline Float4 texel(const Textures& textures, unsigned picture, unsigned x, unsigned y) {
  const unsigned mask = textures.side - 1;
  return load_float4(textures.texels, (picture * textures.side + (y & mask)) * textures.side + (x & mask));
}

/* The texel that contains (u, v); the picture repeats. Both are nonnegative and less than 2^20. */
__device__ inline Float4 nearest_texel(const Textures& textures, unsigned picture, float u, float v) {
  const auto side = static_cast<float>(textures.side);
  return texel(textures, picture, static_cast<unsigned>(u * side), static_cast<unsigned>(v * side));
}

/* A direction's coordinates in a picture of all directions: |x| and |y| over the sum of all three. */
__device__ inline Float4 direction_texel(const Textures& textures, unsigned picture, float x, float y, float z) {
  const float sum = absolute(x) + absolute(y) + absolute(z);
  const float scale = reciprocal(maximum(sum, 0x1p-60F));
  return nearest_texel(textures, picture, absolute(x) * scale, absolute(y) * scale);
}

__device__ inline Colour colour_of(const Float4& texel) { return {texel.x, texel.y, texel.z}; }

/* A number in 0..1 for a lattice point. */
__device__ inline float lattice(unsigned x, unsigned y) {
  unsigned h = x * 0x9e3779b1U ^ y * 0x85ebca77U;
  h = (h ^ h >> 15U) * 0x2c1b3c6dU;
  h = (h ^ h >> 12U) * 0x297a2d39U;
  return static_cast<float>(h >> 8U) * 0x1p-24F;
}

/* Plaster: four octaves of noise, no loads. */
__device__ inline Colour shade_plaster(const SurfacePoint& at) {
  float sum = 0.0F;
  float weight = 0.5F;
  float u = at.u * 4.0F;
  float v = at.v * 4.0F;
  for (unsigned octave = 0; octave < 4; ++octave) {
    const auto x = static_cast<unsigned>(u);
    const auto y = static_cast<unsigned>(v);
    const float low = fma(lattice(x + 1, y) - lattice(x, y), fraction(u), lattice(x, y));
    const float high = fma(lattice(x + 1, y + 1) - lattice(x, y + 1), fraction(u), lattice(x, y + 1));
    sum = fma(weight, fma(high - low, fraction(v), low), sum);
    weight *= 0.5F;
    u *= 2.0F;
    v *= 2.0F;
  }
  return {sum, sum * 0.9F, sum * 0.8F};
}

/* Wood: rings around an axis, in two colours from a table; one load, selected by arithmetic. */
__device__ inline Colour shade_wood(const Textures& textures, unsigned picture, const SurfacePoint& at) {
  const float grain = lattice(static_cast<unsigned>(at.u * 16.0F), static_cast<unsigned>(at.v * 2.0F));
  const float radius = square_root(fma(at.u, at.u, at.v * at.v)) * 6.0F + grain * 0.3F;
  return colour_of(nearest_texel(textures, picture, fraction(radius), grain));
}

/* Painted: four texels around the point, weighted. */
__device__ inline Colour shade_painted(const Textures& textures, unsigned picture, const SurfacePoint& at) {
  const auto side = static_cast<float>(textures.side);
  const float u = at.u * side;
  const float v = at.v * side;
  const auto x = static_cast<unsigned>(u);
  const auto y = static_cast<unsigned>(v);
  const Colour low =
      mix(colour_of(texel(textures, picture, x, y)), colour_of(texel(textures, picture, x + 1, y)), fraction(u));
  const Colour high = mix(colour_of(texel(textures, picture, x, y + 1)),
                          colour_of(texel(textures, picture, x + 1, y + 1)), fraction(u));
  return mix(low, high, fraction(v));
}

/* Garnet red: a reflectance that homomorphic factorization turned into a product of tables, by the directions in and
   out and by the half vector (McCool, Ang and Ahmad, 2001). Three pictures from `picture` on. */
__device__ inline Colour shade_factored(const Textures& textures, unsigned picture, const SurfacePoint& at) {
  const float light_x = 0.6F;
  const float light_z = 0.8F;
  const Colour in = colour_of(direction_texel(textures, picture, light_x, at.u, light_z));
  const Colour out = colour_of(direction_texel(textures, picture + 1, at.x, at.y, at.z));
  const Colour between = colour_of(direction_texel(textures, picture + 2, at.x + light_x, at.y + at.u, at.z + light_z));
  return times(times(in, out), between);
}

/* Relief: steps along the ray until it is below the picture's height, its fourth channel: a chain of dependent loads
   whose length depends on data, at most 16. */
__device__ inline Colour shade_relief(const Textures& textures, unsigned picture, const SurfacePoint& at) {
  float u = at.u;
  float v = at.v;
  Float4 found = nearest_texel(textures, picture, u, v);
  float height = 1.0F;
  for (unsigned step = 0; step < 16 && found.w < height; ++step) {
    height -= 0.0625F;
    u = fma(absolute(at.x), 0.01F, u);
    v = fma(absolute(at.y), 0.01F, v);
    found = nearest_texel(textures, picture, fraction(u), fraction(v));
  }
  return {found.x * height, found.y * height, found.z * height};
}

/* Mirror with bumps: a normal from one picture, the surroundings in the reflected direction from another. */
__device__ inline Colour shade_mirror(const Textures& textures, unsigned bumps, unsigned surroundings,
                                      const SurfacePoint& at) {
  const Float4 normal = nearest_texel(textures, bumps, at.u, at.v);
  const float twice = 2.0F * fma(at.x, normal.x, fma(at.y, normal.y, at.z * normal.z));
  return colour_of(direction_texel(textures, surroundings, fma(-twice, normal.x, at.x), fma(-twice, normal.y, at.y),
                                   fma(-twice, normal.z, at.z)));
}

/* Tiles: a checker of two other programs. */
__device__ inline Colour shade_tiles(const Textures& textures, unsigned picture, const SurfacePoint& at) {
  const unsigned tile = static_cast<unsigned>(at.u * 8.0F) + static_cast<unsigned>(at.v * 8.0F);
  if ((tile & 1U) != 0) return shade_painted(textures, picture, at);
  const Colour plaster = shade_plaster(at);
  return times(plaster, colour_of(nearest_texel(textures, picture, at.v, at.u)));
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
