/* Kernels whose threads run different shader programs.
   - shade_megakernel: the shading after the traversal in the ray-tracing megakernels of Damani et al. (Subwarp
     Interleaving, sections II and IV): every thread has a hit, or none, and calls the program of its material. Hits
     are unsorted, in the order of the rays. A program for misses and seven for hits differ in loads, in chains
     of loads and in arithmetic, so that subwarps stall at different times.
   - material_mapping: the fragment program of that name of Popa (2004, section 3.4): a mask in a texture says, for each
     pixel, which of two shaders runs, factored garnet red or wood.
   In clang's output, all programs are inlined, and the switch is a tree of comparisons. */

#include "platforms/kernels/kernels.h"
#include "platforms/kernels/shaders.h"

namespace reconverge::kernels {

namespace {

/* Numbers of the pictures that the megakernel reads. */
enum Picture : unsigned { sky, painting, wood, garnet, garnet_out, garnet_between, relief, bumps };

__device__ inline Colour shade_hit(const Textures& textures, unsigned material, const SurfacePoint& at) {
  switch (material % 7) {
    case 0:
      return shade_plaster(at);
    case 1:
      return shade_painted(textures, painting, at);
    case 2:
      return shade_wood(textures, wood, at);
    case 3:
      return shade_factored(textures, garnet, at);
    case 4:
      return shade_relief(textures, relief, at);
    case 5:
      return shade_mirror(textures, bumps, sky, at);
    default:
      return shade_tiles(textures, painting, at);
  }
}

}  // namespace

extern "C" {

__global__ void shade_megakernel(const Ray* rays, const Hit* hits, const unsigned* material_of_triangle,
                                 const Float4* texels, unsigned side, Float4* colours, unsigned count) {
  const unsigned index = global_thread();
  if (index >= count) return;
  const Textures textures{texels, side};
  const Float4 direction = load_float4(rays + index, 1);
  const Int4 hit = load_int4(hits + index, 0);
  Colour colour{};
  if (hit.x < 0) {
    colour = colour_of(direction_texel(textures, sky, direction.x, direction.y, direction.z));
  } else {
    const SurfacePoint at{bits_float(static_cast<unsigned>(hit.z)), bits_float(static_cast<unsigned>(hit.w)),
                          direction.x, direction.y, direction.z};
    colour = shade_hit(textures, load_int(material_of_triangle + hit.x), at);
  }
  write_float4(colours + index, {colour.red, colour.green, colour.blue, 1.0F});
}

__global__ void material_mapping(const unsigned* mask, const Float4* texels, unsigned side, unsigned width,
                                 unsigned height, Float4* colours) {
  const unsigned x = block_index().x * block_size().x + thread_index().x;
  const unsigned y = block_index().y * block_size().y + thread_index().y;
  if (x >= width || y >= height) return;
  const Textures textures{texels, side};
  const float u = (static_cast<float>(x) + 0.5F) / static_cast<float>(width);
  const float v = (static_cast<float>(y) + 0.5F) / static_cast<float>(height);
  /* A plane seen from in front of its middle. */
  const SurfacePoint at{u, v, u - 0.5F, v - 0.5F, -1.0F};
  const unsigned pixel = y * width + x;
  Colour colour{};
  if (load_int(mask + pixel) != 0) {
    colour = shade_factored(textures, garnet, at);
  } else {
    colour = shade_wood(textures, wood, at);
  }
  write_float4(colours + pixel, {colour.red, colour.green, colour.blue, 1.0F});
}
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
