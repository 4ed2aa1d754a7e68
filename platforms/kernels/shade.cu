/* From hits to a picture: the kernels that a renderer runs between and after its traversal kernels. One thread a pixel,
   so that no two threads add to the same pixel and the order of the sum is fixed. */

#include "platforms/kernels/display.h"
#include "platforms/kernels/kernels.h"

namespace reconverge::kernels {

namespace {

struct Light {
  float red, green, blue;
};

/* weight * light on top of the sum; not fused, so that the host gets the same by plain arithmetic. */
__device__ void add_light(Float4& sum, const Float4& weight, const Light& light) {
  sum.x += weight.x * light.red;
  sum.y += weight.y * light.green;
  sum.z += weight.z * light.blue;
}

__device__ Light emission_of(int triangle, const unsigned* material_of_triangle, const Material* materials) {
  const Float4 second_half = load_float4(materials + load_int(material_of_triangle + triangle), 1);
  return {second_half.x, second_half.y, second_half.z};
}

}  // namespace

extern "C" __global__ void shade_hits(const unsigned* pixel_first, const PathSample* samples, const Hit* hits,
                                      const unsigned* material_of_triangle, const Material* materials, float sky_red,
                                      float sky_green, float sky_blue, Float4* picture, unsigned pixels) {
  const unsigned pixel = global_thread();
  if (pixel >= pixels) return;
  const Light sky{sky_red, sky_green, sky_blue};
  Float4 sum = read_float4(picture + pixel);
  const unsigned end = load_int(pixel_first + pixel + 1);
  for (unsigned i = load_int(pixel_first + pixel); i < end; ++i) {
    const Float4 weight = load_float4(samples, i);
    const int triangle = load_int(&hits[i].triangle);
    add_light(sum, weight, triangle < 0 ? sky : emission_of(triangle, material_of_triangle, materials));
  }
  write_float4(picture + pixel, sum);
}

extern "C" __global__ void shade_shadow(const unsigned* pixel_first, const PathSample* samples, const Hit* hits,
                                        Float4* picture, unsigned pixels) {
  const unsigned pixel = global_thread();
  if (pixel >= pixels) return;
  Float4 sum = read_float4(picture + pixel);
  const unsigned end = load_int(pixel_first + pixel + 1);
  for (unsigned i = load_int(pixel_first + pixel); i < end; ++i) {
    if (load_int(&hits[i].triangle) >= 0) continue;
    const Float4 weight = load_float4(samples, i);
    sum.x += weight.x;
    sum.y += weight.y;
    sum.z += weight.z;
  }
  write_float4(picture + pixel, sum);
}

extern "C" __global__ void resolve_picture(const Float4* picture, unsigned* rgba, float scale, unsigned pixels) {
  const unsigned pixel = global_thread();
  if (pixel >= pixels) return;
  const Float4 sum = load_float4(picture, pixel);
  constexpr unsigned opaque = 0xff000000U;
  rgba[pixel] =
      display_byte(sum.x * scale) | display_byte(sum.y * scale) << 8U | display_byte(sum.z * scale) << 16U | opaque;
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
