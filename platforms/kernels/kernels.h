#pragma once
/* Every kernel of this folder, with the meaning of its arguments. All pointers are device pointers to arrays of the
   length given; unless stated otherwise, threads beyond the last element are idle, so a grid may be
   rounded up to blocks. platforms/kernels/README.md gives launch shapes. */

#include "platforms/kernels/device.h"
#include "scenes/device_layout.h"

namespace reconverge::kernels {

using scenes::BvhNode;
using scenes::EyeFrame;
using scenes::GridFrame;
using scenes::Hit;
using scenes::KdNode;
using scenes::Material;
using scenes::MegakernelFrame;
using scenes::PathSample;
using scenes::Ray;
using scenes::TriangleRecord;

extern "C" {

/* The nearest hit of each ray, one thread a ray. Arrays as in scenes::Bvh; node 0 is the root and an inner node; the
   tree's depth is at most 63. */
__global__ void trace_while_while(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                  const Ray* rays, Hit* hits, unsigned count);

/* The same with speculative traversal: a lane postpones its first leaf until every lane of its warp's loop has one. */
__global__ void trace_speculative(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                  const Ray* rays, Hit* hits, unsigned count);

/* The same with persistent threads: each takes the next ray from *counter when its own has ended. *counter must be 0
   before the launch, and is at least `count` after it. Any grid traces all rays; the kernel is meant for a grid that
   exactly fills the machine. `trace_persistent` takes new rays when all rays of a warp have ended, `trace_replacing`
   already when fewer than 20 lanes trace; with `_speculative` as above. */
__global__ void trace_persistent(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                 const Ray* rays, Hit* hits, unsigned count, unsigned* counter);
__global__ void trace_persistent_speculative(const BvhNode* nodes, const Float4* triangle_rows,
                                             const int* triangle_of_row, const Ray* rays, Hit* hits, unsigned count,
                                             unsigned* counter);
__global__ void trace_replacing(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                const Ray* rays, Hit* hits, unsigned count, unsigned* counter);
__global__ void trace_replacing_speculative(const BvhNode* nodes, const Float4* triangle_rows,
                                            const int* triangle_of_row, const Ray* rays, Hit* hits, unsigned count,
                                            unsigned* counter);

/* The last of these with all three rows of a triangle loaded before the first is tested. It reads two rows beyond each
   end marker, so `triangle_rows` needs its spare rows. */
__global__ void trace_replacing_speculative_three_rows(const BvhNode* nodes, const Float4* triangle_rows,
                                                       const int* triangle_of_row, const Ray* rays, Hit* hits,
                                                       unsigned count, unsigned* counter);

/* As trace_while_while, in one loop: a round visits one inner node, then tests one triangle if the node is a leaf. */
__global__ void trace_if_if(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                            const Ray* rays, Hit* hits, unsigned count);

/* As trace_persistent, in one loop: a round fetches a ray, or visits one inner node, or tests one leaf. */
__global__ void trace_while_if(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                               const Ray* rays, Hit* hits, unsigned count, unsigned* counter);

/* Like trace_while_if, for dynamic ray shuffling: rays may move between threads from round to round, with the 17
   registers of RayRegisters (shuffled_ray.h). counters[0] is *counter above; counters[1] must also be 0, and counts the
   places that have had a ray. `stacks` has 65 words for each place that may have a ray: for the threads of the grid if
   rays do not move, otherwise for all rows of rays; rounded up to 32 places, plus 32 words. The tree's depth is at most
   63. */
__global__ void trace_shuffled(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                               const Ray* rays, Hit* hits, unsigned count, unsigned* counters, int* stacks);

/* The same with all three rows of a triangle loaded before the first is tested, as above. */
__global__ void trace_shuffled_three_rows(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                          const Ray* rays, Hit* hits, unsigned count, unsigned* counters, int* stacks);

/* The nearest hit of each ray, and whether each ray hits anything (1 or 0), by the SM's traversal unit; one thread a
   ray. Arrays as above, hits equal bit for bit. */
__global__ void trace_unit(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                           const Ray* rays, Hit* hits, unsigned count);
__global__ void trace_unit_any(const BvhNode* nodes, const Float4* triangle_rows, const Ray* rays, unsigned* hits,
                               unsigned count);

/* The nearest hit of each ray in a kd-tree, one thread a ray. Arrays as in scenes::KdTree, with its bounds; the
   triangles' rows are those of its WoopTriangles. The tree's depth is at most 48. */
__global__ void trace_kd_tree(const KdNode* nodes, const int* leaf_triangles, const Float4* triangle_rows,
                              const Ray* rays, Hit* hits, unsigned count, float low_x, float low_y, float low_z,
                              float high_x, float high_y, float high_z);

/* The same, with hits equal bit for bit, for dynamic ray shuffling, with the 17 registers of its KdRay. `counters` as
   in trace_shuffled. `stacks` has 49 entries for each place that may have a ray, as there, rounded up to 32 places. */
__global__ void trace_kd_tree_shuffled(const KdNode* nodes, const int* leaf_triangles, const Float4* triangle_rows,
                                       const Ray* rays, Hit* hits, unsigned count, float low_x, float low_y,
                                       float low_z, float high_x, float high_y, float high_z, unsigned* counters,
                                       Word2* stacks);

/* trace_while_while and trace_kd_tree, with hits equal bit for bit, as dynamic micro-kernels: each round of a loop is a
   separate thread, and the hardware forms warps of these; the adaptive kernel continues by branches while the rays of a
   warp stay together, the patient one while most do. A thread's state is 68 and 48 bytes. `stacks` has 64 words and 48
   entries for each ray, entry `k` of ray `i` at k * count + i. At most 2^26 rays. */
__global__ void trace_microkernels(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                   const Ray* rays, Hit* hits, unsigned count, int* stacks);
__global__ void trace_adaptive_microkernels(const BvhNode* nodes, const Float4* triangle_rows,
                                            const int* triangle_of_row, const Ray* rays, Hit* hits, unsigned count,
                                            int* stacks);
__global__ void trace_patient_microkernels(const BvhNode* nodes, const Float4* triangle_rows,
                                           const int* triangle_of_row, const Ray* rays, Hit* hits, unsigned count,
                                           int* stacks);
__global__ void trace_kd_tree_microkernels(const KdNode* nodes, const int* leaf_triangles, const Float4* triangle_rows,
                                           const Ray* rays, Hit* hits, unsigned count, float low_x, float low_y,
                                           float low_z, float high_x, float high_y, float high_z, Word2* stacks);

/* The nearest hit of each ray in a uniform grid, one thread a ray. Arrays as in scenes::Grid. */
__global__ void trace_grid(const GridFrame* frame, const unsigned* first, const int* cell_triangles,
                           const Float4* triangle_rows, const Ray* rays, Hit* hits, unsigned count);

/* A picture by a uniform grid without shadows, one thread a pixel and no more threads than pixels: the nearest hit of
   each pixel (t infinite: none), and its colour, red in the lowest byte, alpha 255, lit by a point light. Grid as in
   scenes::Grid, with at least one triangle. */
__global__ void voxel_picture(EyeFrame frame, GridFrame grid, const unsigned* first, const int* cell_triangles,
                              const Float4* triangle_rows, const unsigned* material_of_triangle,
                              const Material* materials, float lamp_x, float lamp_y, float lamp_z, Hit* hits,
                              unsigned* picture);
__global__ void voxel_picture_rounds(EyeFrame frame, GridFrame grid, const unsigned* first, const int* cell_triangles,
                                     const Float4* triangle_rows, const unsigned* material_of_triangle,
                                     const Material* materials, float lamp_x, float lamp_y, float lamp_z, Hit* hits,
                                     unsigned* picture);
__global__ void voxel_picture_ifs(EyeFrame frame, GridFrame grid, const unsigned* first, const int* cell_triangles,
                                  const Float4* triangle_rows, const unsigned* material_of_triangle,
                                  const Material* materials, float lamp_x, float lamp_y, float lamp_z, Hit* hits,
                                  unsigned* picture);

/* The same by seven kernels without branches (voxel_tracer.cu): three that prepare a ray, three that are repeated until
   all rays have ended, and one that shades. `directions` and `inverses` (and the distance at which the ray enters the
   grid) are constant; cells, lists and hits are read from one set and written to a second, `_out`, and vice versa. */
__global__ void voxel_eye_rays(EyeFrame frame, Float4* directions);
__global__ void voxel_static_data(EyeFrame frame, GridFrame grid, const Float4* directions, Float4* inverses);
__global__ void voxel_dynamic_data(EyeFrame frame, GridFrame grid, const unsigned* first, const Float4* directions,
                                   const Float4* inverses, Int4* cells, Word2* lists, Hit* hits);
__global__ void voxel_traverse(EyeFrame frame, GridFrame grid, const unsigned* first, const Float4* directions,
                               const Float4* inverses, const Int4* cells, const Word2* lists, Int4* cells_out,
                               Word2* lists_out);
__global__ void voxel_intersect(EyeFrame frame, const int* cell_triangles, const Float4* triangle_rows,
                                const Float4* directions, const Int4* cells, const Word2* lists, const Hit* hits,
                                Hit* hits_out);
__global__ void voxel_validate(EyeFrame frame, GridFrame grid, const Float4* directions, const Float4* inverses,
                               const Int4* cells, const Word2* lists, const Hit* hits, Int4* cells_out,
                               Word2* lists_out, Hit* hits_out);
__global__ void voxel_shade(EyeFrame frame, const Float4* triangle_rows, const unsigned* material_of_triangle,
                            const Material* materials, float lamp_x, float lamp_y, float lamp_z,
                            const Float4* directions, const Hit* hits, unsigned* picture);

/* picture[p] += weight * emission of the ray's hit, or weight * sky if it hit nothing, for the rays pixel_first[p] ..
   pixel_first[p + 1] of pixel p in that order; one thread a pixel. `picture` sums linear RGB; its fourth element is
   unchanged. Each product is rounded before it is added. */
__global__ void shade_hits(const unsigned* pixel_first, const PathSample* samples, const Hit* hits,
                           const unsigned* material_of_triangle, const Material* materials, float sky_red,
                           float sky_green, float sky_blue, Float4* picture, unsigned pixels);

/* picture[p] += weight if the shadow ray hit nothing; otherwise like shade_hits. */
__global__ void shade_shadow(const unsigned* pixel_first, const PathSample* samples, const Hit* hits, Float4* picture,
                             unsigned pixels);

/* colours[i]: the result of a shader program for hit i, one thread a ray: program 0..6 of its triangle's material
   modulo 7, or the program for rays that hit nothing; the fourth element is 1. `texels` are 8 pictures of side x side,
   `side` a power of two: sky, painting, wood, three factors of garnet, relief (height in the fourth channel), bumps
   (normals). Barycentric weights are at most 1. */
__global__ void shade_megakernel(const Ray* rays, const Hit* hits, const unsigned* material_of_triangle,
                                 const Float4* texels, unsigned side, Float4* colours, unsigned count);

/* Ray-tracing megakernels (megakernel.h), one thread a pixel, blocks of whole tiles 8 pixels wide, a multiple of 8
   threads: global illumination by diffuse rays, ambient occlusion, reflection, and all of these. Arrays of the BVH as
   in scenes::Bvh; corners, material and light-emitting triangles of the mesh; `pictures` is a volume of 16 layers of
   four bytes, read as 0..1, linear filter, wrapped, coordinates from 0 to 1. picture[y * width + x] gets the light of
   the pixel and, in the fourth element, a number from 1 to 2 that encodes all hits. */
__global__ void megakernel_diffuse(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                   const TriangleRecord* triangles, const Float4* positions, const Material* materials,
                                   const unsigned* lights, TextureObject pictures, const MegakernelFrame* frame,
                                   Float4* picture);
__global__ void megakernel_occlusion(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                     const TriangleRecord* triangles, const Float4* positions,
                                     const Material* materials, const unsigned* lights, TextureObject pictures,
                                     const MegakernelFrame* frame, Float4* picture);
__global__ void megakernel_reflection(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                      const TriangleRecord* triangles, const Float4* positions,
                                      const Material* materials, const unsigned* lights, TextureObject pictures,
                                      const MegakernelFrame* frame, Float4* picture);
__global__ void megakernel_mixed(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                 const TriangleRecord* triangles, const Float4* positions, const Material* materials,
                                 const unsigned* lights, TextureObject pictures, const MegakernelFrame* frame,
                                 Float4* picture);

/* The same on SMs with a traversal unit. */
__global__ void megakernel_diffuse_unit(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                        const TriangleRecord* triangles, const Float4* positions,
                                        const Material* materials, const unsigned* lights, TextureObject pictures,
                                        const MegakernelFrame* frame, Float4* picture);
__global__ void megakernel_occlusion_unit(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                          const TriangleRecord* triangles, const Float4* positions,
                                          const Material* materials, const unsigned* lights, TextureObject pictures,
                                          const MegakernelFrame* frame, Float4* picture);
__global__ void megakernel_reflection_unit(const BvhNode* nodes, const Float4* triangle_rows,
                                           const int* triangle_of_row, const TriangleRecord* triangles,
                                           const Float4* positions, const Material* materials, const unsigned* lights,
                                           TextureObject pictures, const MegakernelFrame* frame, Float4* picture);
__global__ void megakernel_mixed_unit(const BvhNode* nodes, const Float4* triangle_rows, const int* triangle_of_row,
                                      const TriangleRecord* triangles, const Float4* positions,
                                      const Material* materials, const unsigned* lights, TextureObject pictures,
                                      const MegakernelFrame* frame, Float4* picture);

/* colours[i] of a picture of width x height: garnet if the pixel's mask is not zero, wood otherwise; `texels` as above.
   A two-dimensional grid, one thread a pixel. */
__global__ void material_mapping(const unsigned* mask, const Float4* texels, unsigned side, unsigned width,
                                 unsigned height, Float4* colours);

/* Sums of light to display bytes, red in the lowest byte, alpha 255: each channel times `scale`, clamped to 0..1,
   square root, times 255, rounded half up; not-a-number is black. One thread a pixel. */
__global__ void resolve_picture(const Float4* picture, unsigned* rgba, float scale, unsigned pixels);

/* y = a * x + y, fused; one thread an element. */
__global__ void saxpy(float a, const float* x, float* y, unsigned count);

/* steps[i]: how often start[i] is halved, or tripled plus one, until it is 1; 0 for 0. One thread a number. */
__global__ void collatz(const unsigned* start, unsigned* steps, unsigned count);

/* Each thread takes one of eight paths by way[i] % ways (ways 1..8) and stays on it for `rounds` rounds of a separate
   hash, starting from i; out[i] gets the result. */
__global__ void divergent_switch(const unsigned* way, unsigned ways, unsigned rounds, unsigned* out, unsigned count);

/* The subwarp microbenchmark: lanes of a warp go 32 / subwarp_size different ways (subwarp_size 1, 2, 4, 8, 16 or 32),
   and each way s adds up 16 * rounds integers that lie 128 bytes apart, from data[32 * (16 * rounds * s + advance * i)]
   on, in each of the iterations i. result[thread] is the last iteration's sum, plus s. `advance` is the paper's
   L2_CACHE_LINE and 16 * rounds its NUM_ACCESSES_PER_SUBWARP; every load misses when `advance` is at least the lines
   of one iteration, 16 * rounds * 32 / subwarp_size. One thread an element; the grid must fit `result`. */
__global__ void subwarps(const int* data, int* result, unsigned subwarp_size, unsigned rounds, unsigned iterations,
                         unsigned advance);

/* The same with an `if` instead of the switch: lanes below `lanes` of each warp add up the integers of way 0, the
   others none. result[thread] is the last iteration's sum, or 0. */
__global__ void subwarps_if_then(const int* data, int* result, unsigned lanes, unsigned rounds, unsigned iterations,
                                 unsigned advance);

/* The sum of `count` integers (modulo 2^32): block_sums[b] gets block b's sum, which is also added to *total. Blocks
   are one-dimensional with a power of two of threads, at most 256. */
__global__ void reduce_sum(const int* values, int* block_sums, int* total, unsigned count);

/* The number of iterations, at most `limit`, of z = z^2 + c until |z| > 2, for the points of a picture that spans
   -1.5..1.5 in x and y; a two-dimensional grid, one thread a pixel. */
__global__ void julia(float c_real, float c_imaginary, unsigned width, unsigned height, unsigned limit,
                      unsigned* iterations);

/* points[y * width + x] = (x, y, 0, 0), the middles of width x height pixels that span -scale..scale. One thread a
 * pixel. */
__global__ void picture_points(Float4* points, unsigned width, unsigned height, float scale);

/* colours[i] = n / (limit + 1), where n is the number of iterations of z = z^2 + c, at most `limit`, after the first
   one and before |z| > 2; z starts at the first two elements of points[i]. One thread a point. */
__global__ void julia_colours(const Float4* points, float c_real, float c_imaginary, unsigned limit, float* colours,
                              unsigned count);

/* The colours of julia_colours, bit for bit, with 976 dummy instructions an iteration. One thread a point, and no more
   threads than points, so that the streaming graph needs no node for surplus threads. */
__global__ void julia_padded(const Float4* points, float c_real, float c_imaginary, unsigned limit, float* colours);

/* The colours of julia_colours, bit for bit, for dynamic ray shuffling: threads stay, and points move between them with
   4 registers. *counter must be 0 before the launch and is `count` or more after it. Any grid of whole warps. */
__global__ void julia_shuffled(const Float4* points, float c_real, float c_imaginary, unsigned limit, float* colours,
                               unsigned count, unsigned* counter);

/* julia_colours with separate c and limit for the even and the odd squares of a checkerboard with sides of 1/2 and a
   corner at (-2, -2); no point is below or to the left of that corner. */
__global__ void checkerboard_julia(const Float4* points, float c_real_even, float c_imaginary_even, unsigned limit_even,
                                   float c_real_odd, float c_imaginary_odd, unsigned limit_odd, float* colours,
                                   unsigned count);

/* colours[i]: 1 and 0, the squares of a checkerboard with sides of `side`, white from (0, 0) to (side, side); the point
   is the first two elements of points[i]. One thread a point. */
__global__ void checkerboard(const Float4* points, float side, float* colours, unsigned count);

/* result[i]: start[i], and 1 more as long as it is 20 at most. One thread an element, and no more threads than these.
 */
__global__ void pass_example(const float* start, float* result);

/* A map for adaptive tessellation: heights[side * side], 0 to 0.625 * amplitude, hills on a plain; and bounds, two
   floats (minimum, maximum) for each square of 2 x 2 cells, of 4 x 4 and so on to one: 2 * (side * side - 1) / 3 in
   all. `side` is a power of two, at least 16. One block of any size. */
__global__ void displacement_map(float* heights, float* bounds, unsigned side, float amplitude);

/* The same without barriers, by several launches: the heights, one thread a texel, and then for each level, from size =
   side / 2 down to 1, the bounds of its size * size squares, one thread a square. */
__global__ void displacement_heights(float* heights, unsigned side, float amplitude);
__global__ void displacement_bounds(const float* heights, float* bounds, unsigned side, unsigned size);

/* A torus of 2 * around * across triangles, 3 in front of the eye (displacement.h); both are powers of two, at least 4.
   A triangle is 6 Float4: (x, y, z, u) and (normal, v) of each corner. One thread two triangles. */
__global__ void torus_patches(Float4* triangles, unsigned around, unsigned across);

/* One round of adaptive tessellation: of the first *count triangles, those with an edge that may be more than
   `tolerance` from the surface, in the picture at distance 1, are split into 2, 3 or 4 parts in `parts`, and others go
   to `leaves`. Streams hold `capacity` triangles each; *part_count and *leaf_count are increased by the number written.
   A count above `capacity` afterwards means that triangles are missing. Without `parts` all triangles are leaves: the
   last round. Any grid. Map as made by displacement_map. */
__global__ void tessellate_pass(const Float4* triangles, const unsigned* count, Float4* parts, unsigned* part_count,
                                Float4* leaves, unsigned* leaf_count, unsigned capacity, const float* heights,
                                const float* bounds, unsigned side, float tolerance);

/* All of up to `depth` rounds, including the last, for each of `count` triangles in a separate thread: the leaves of
   tessellate_pass, in another order. */
inline constexpr unsigned deepest_tessellation = 9;
__global__ void tessellate_stack(const Float4* triangles, unsigned count, unsigned depth, Float4* leaves,
                                 unsigned* leaf_count, unsigned capacity, const float* heights, const float* bounds,
                                 unsigned side, float tolerance);

/* The same without counters: the leaves of triangle i, depth first, begin at runs[i * capacity], and run_counts[i] is
   their number; if it is more than `capacity`, the last ones are missing. */
__global__ void tessellate_alone(const Float4* triangles, unsigned count, unsigned depth, Float4* runs,
                                 unsigned* run_counts, unsigned capacity, const float* heights, const float* bounds,
                                 unsigned side, float tolerance);

/* Copies `count` runs of triangles, none longer than `capacity`, one after the other into `leaves`, which has room for
   all; *leaf_count gets their number. One thread a run. */
__global__ void pack_runs(const Float4* runs, const unsigned* run_counts, unsigned count, unsigned capacity,
                          Float4* leaves, unsigned* leaf_count);

/* Draws the *count triangles, displaced and bump-mapped, into a picture of width x height, `scale` pixels for a unit of
   its plane, y downwards. A pixel keeps the maximum of its value and the drawn value: brightness, 16 to 255, in the
   lowest 8 bits, and nearness, the bits of 1 / z, in those above. Any grid, one thread a triangle. */
__global__ void draw_displaced(const Float4* triangles, const unsigned* count, const float* heights, unsigned side,
                               float scale, int* picture, unsigned width, unsigned height);
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
