/* The megakernels of megakernel.h, a kernel an effect, with traversal by software: any machine runs them. */

#include "platforms/kernels/megakernel.h"

namespace reconverge::kernels {

namespace {

struct SoftwareTraversal {
  __device__ static Hit closest(const AccelerationStructure& scene, const Ray& ray) {
    return trace_closest_software(scene, ray);
  }
  __device__ static bool any(const AccelerationStructure& scene, const Ray& ray) {
    return trace_any_software(scene, ray);
  }
};

}  // namespace

extern "C" {

__global__ void megakernel_diffuse(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                   const TriangleRecord* triangles, const Float4* positions, const Material* materials,
                                   const unsigned* lights, TextureObject pictures, const MegakernelFrame* frame,
                                   Float4* picture) {
  Megakernel<SoftwareTraversal, diffuse_effect>(
      {{nodes, triangle_rows, triangle_of_row}, {triangles, positions, materials, pictures, 0.0F}, lights, frame})
      .draw(picture);
}

__global__ void megakernel_occlusion(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                     const TriangleRecord* triangles, const Float4* positions,
                                     const Material* materials, const unsigned* lights, TextureObject pictures,
                                     const MegakernelFrame* frame, Float4* picture) {
  Megakernel<SoftwareTraversal, occlusion_effect>(
      {{nodes, triangle_rows, triangle_of_row}, {triangles, positions, materials, pictures, 0.0F}, lights, frame})
      .draw(picture);
}

__global__ void megakernel_reflection(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                      const TriangleRecord* triangles, const Float4* positions,
                                      const Material* materials, const unsigned* lights, TextureObject pictures,
                                      const MegakernelFrame* frame, Float4* picture) {
  Megakernel<SoftwareTraversal, reflection_effect>(
      {{nodes, triangle_rows, triangle_of_row}, {triangles, positions, materials, pictures, 0.0F}, lights, frame})
      .draw(picture);
}

__global__ void megakernel_mixed(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                 const TriangleRecord* triangles, const Float4* positions, const Material* materials,
                                 const unsigned* lights, TextureObject pictures, const MegakernelFrame* frame,
                                 Float4* picture) {
  Megakernel<SoftwareTraversal, mixed_effect>(
      {{nodes, triangle_rows, triangle_of_row}, {triangles, positions, materials, pictures, 0.0F}, lights, frame})
      .draw(picture);
}
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
