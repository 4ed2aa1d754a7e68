/* The megakernels of megakernel.h, a kernel an effect, whose rays the traversal unit of an SM traces. */

#include "platforms/kernels/megakernel.h"
#include "platforms/kernels/traversal_unit.h"

namespace reconverge::kernels {

namespace {

struct UnitTraversal {
  __device__ static Hit closest(const AccelerationStructure& scene, const Ray& ray) {
    return trace_closest(scene, &ray);
  }
  __device__ static bool any(const AccelerationStructure& scene, const Ray& ray) { return trace_any(scene, &ray); }
};

}  // namespace

extern "C" {

__global__ void megakernel_diffuse_unit(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                        const TriangleRecord* triangles, const Float4* positions,
                                        const Material* materials, const unsigned* lights, TextureObject pictures,
                                        const MegakernelFrame* frame, Float4* picture) {
  Megakernel<UnitTraversal, diffuse_effect>(
      {{nodes, triangle_rows, triangle_of_row}, {triangles, positions, materials, pictures, 0.0F}, lights, frame})
      .draw(picture);
}

__global__ void megakernel_occlusion_unit(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                          const TriangleRecord* triangles, const Float4* positions,
                                          const Material* materials, const unsigned* lights, TextureObject pictures,
                                          const MegakernelFrame* frame, Float4* picture) {
  Megakernel<UnitTraversal, occlusion_effect>(
      {{nodes, triangle_rows, triangle_of_row}, {triangles, positions, materials, pictures, 0.0F}, lights, frame})
      .draw(picture);
}

__global__ void megakernel_reflection_unit(const BvhNode* nodes, const Float4* triangle_rows,
                                           const int* triangle_of_row, const TriangleRecord* triangles,
                                           const Float4* positions, const Material* materials, const unsigned* lights,
                                           TextureObject pictures, const MegakernelFrame* frame, Float4* picture) {
  Megakernel<UnitTraversal, reflection_effect>(
      {{nodes, triangle_rows, triangle_of_row}, {triangles, positions, materials, pictures, 0.0F}, lights, frame})
      .draw(picture);
}

__global__ void megakernel_mixed_unit(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                      const TriangleRecord* triangles, const Float4* positions,
                                      const Material* materials, const unsigned* lights, TextureObject pictures,
                                      const MegakernelFrame* frame, Float4* picture) {
  Megakernel<UnitTraversal, mixed_effect>(
      {{nodes, triangle_rows, triangle_of_row}, {triangles, positions, materials, pictures, 0.0F}, lights, frame})
      .draw(picture);
}
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
