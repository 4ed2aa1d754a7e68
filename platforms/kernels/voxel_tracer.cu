/* The ray tracer that Lashari, Lhotak and McCool (2008, section 5) partition: that of BrookGPU, which is Purcell's
   (SIGGRAPH 2002), as one kernel with nested loops, and by hand as seven kernels without. "Three of them generate eye
   rays and static and dynamic data for traversal, the fourth traverses the voxels, the fifth computes ray-triangle
   intersections, the sixth validates the intersections, and the seventh performs shading."

   By hand, the state of a ray is in memory: cells[i] is its cell and its state, lists[i] the triangles that are still
   to be tested, hits[i] the nearest hit. The fourth to the sixth kernel run repeatedly; in each of these rounds, a ray
   advances by one cell, or tests one triangle, or both if it enters a cell with triangles. A ray in the state of
   another kernel is left unchanged. No kernel writes the data that it reads: the fourth moves cells and lists to a
   second set, the fifth moves hits, and the sixth moves all of them back. */

#include "platforms/kernels/voxel_ray.h"

namespace reconverge::kernels {

namespace {

/* The kernel that a ray waits for. */
enum RayState { traversing, intersecting, shading };

__device__ inline Cell cell_of(const Int4& record) { return {record.x, record.y, record.z}; }

}  // namespace

extern "C" {

__global__ void voxel_picture(EyeFrame frame, GridFrame grid, const unsigned* first, const int* cell_triangles,
                              const Float4* triangle_rows, const unsigned* material_of_triangle,
                              const Material* materials, float lamp_x, float lamp_y, float lamp_z, Hit* hits,
                              unsigned* picture) {
  const unsigned pixel = global_thread();
  const Vector eye = vector_of(frame.eye);
  const Vector direction = eye_direction(frame, pixel);
  const Vector inverse = inverse_of(direction);
  const VoxelWay way(grid, eye, direction, inverse);
  const float t_near = grid_entry(grid, eye, direction, inverse);
  Cell cell = way.first_cell(t_near);
  CellList list = way.list_of(cell, first);
  Hit hit = no_hit();
  bool under_way = t_near < bits_float(infinity_bits);
  while (under_way) {
    for (; !list.is_empty(); ++list.entry) {
      hit = nearer_hit(hit, load_int(cell_triangles + list.entry), triangle_rows, eye, direction);
    }
    under_way = hit.t > way.t_exit(cell);
    if (under_way) {
      do {
        cell = way.next_cell(cell);
        list = way.list_of(cell, first);
        under_way = way.holds(cell);
      } while (both(under_way, list.is_empty()));
    }
  }
  hits[pixel] = hit;
  picture[pixel] =
      voxel_colour(hit, {lamp_x, lamp_y, lamp_z}, eye, direction, triangle_rows, material_of_triangle, materials);
}

/* The same with one loop, whose rounds are those of the kernels by hand. */
__global__ void voxel_picture_rounds(EyeFrame frame, GridFrame grid, const unsigned* first, const int* cell_triangles,
                                     const Float4* triangle_rows, const unsigned* material_of_triangle,
                                     const Material* materials, float lamp_x, float lamp_y, float lamp_z, Hit* hits,
                                     unsigned* picture) {
  const unsigned pixel = global_thread();
  const Vector eye = vector_of(frame.eye);
  const Vector direction = eye_direction(frame, pixel);
  const Vector inverse = inverse_of(direction);
  const VoxelWay way(grid, eye, direction, inverse);
  const float t_near = grid_entry(grid, eye, direction, inverse);
  Cell cell = way.first_cell(t_near);
  CellList list = way.list_of(cell, first);
  Hit hit = no_hit();
  bool under_way = t_near < bits_float(infinity_bits);
  while (under_way) {
    if (list.is_empty()) {
      cell = way.next_cell(cell);
      list = way.list_of(cell, first);
      under_way = way.holds(cell);
    }
    if (!list.is_empty()) {
      hit = nearer_hit(hit, load_int(cell_triangles + list.entry), triangle_rows, eye, direction);
      ++list.entry;
      if (list.is_empty()) under_way = hit.t > way.t_exit(cell);
    }
  }
  hits[pixel] = hit;
  picture[pixel] =
      voxel_colour(hit, {lamp_x, lamp_y, lamp_z}, eye, direction, triangle_rows, material_of_triangle, materials);
}

/* The nested loops, each with an if as its body and the test at its end. A compiler then copies no test in front of a
   loop, and partitioning merges the sides of each if with its loop. */
__global__ void voxel_picture_ifs(EyeFrame frame, GridFrame grid, const unsigned* first, const int* cell_triangles,
                                  const Float4* triangle_rows, const unsigned* material_of_triangle,
                                  const Material* materials, float lamp_x, float lamp_y, float lamp_z, Hit* hits,
                                  unsigned* picture) {
  const unsigned pixel = global_thread();
  const Vector eye = vector_of(frame.eye);
  const Vector direction = eye_direction(frame, pixel);
  const Vector inverse = inverse_of(direction);
  const VoxelWay way(grid, eye, direction, inverse);
  const float t_near = grid_entry(grid, eye, direction, inverse);
  Cell cell = way.first_cell(t_near);
  CellList list = way.list_of(cell, first);
  Hit hit = no_hit();
  bool under_way = t_near < bits_float(infinity_bits);
  while (under_way) {
    do {
      if (!list.is_empty()) {
        hit = nearer_hit(hit, load_int(cell_triangles + list.entry), triangle_rows, eye, direction);
        ++list.entry;
      }
    } while (!list.is_empty());
    under_way = hit.t > way.t_exit(cell);
    do {
      if (under_way) {
        cell = way.next_cell(cell);
        list = way.list_of(cell, first);
        under_way = way.holds(cell);
      }
    } while (both(under_way, list.is_empty()));
  }
  hits[pixel] = hit;
  picture[pixel] =
      voxel_colour(hit, {lamp_x, lamp_y, lamp_z}, eye, direction, triangle_rows, material_of_triangle, materials);
}

__global__ void voxel_eye_rays(EyeFrame frame, Float4* directions) {
  const unsigned pixel = global_thread();
  const Vector direction = eye_direction(frame, pixel);
  directions[pixel] = {direction.x, direction.y, direction.z, 0.0F};
}

__global__ void voxel_static_data(EyeFrame frame, GridFrame grid, const Float4* directions, Float4* inverses) {
  const unsigned pixel = global_thread();
  const Vector direction = vector_of(load_float4(directions, pixel));
  const Vector inverse = inverse_of(direction);
  inverses[pixel] = {inverse.x, inverse.y, inverse.z, grid_entry(grid, vector_of(frame.eye), direction, inverse)};
}

__global__ void voxel_dynamic_data(EyeFrame frame, GridFrame grid, const unsigned* first, const Float4* directions,
                                   const Float4* inverses, Int4* cells, Word2* lists, Hit* hits) {
  const unsigned pixel = global_thread();
  const Float4 inverse = load_float4(inverses, pixel);
  const VoxelWay way(grid, vector_of(frame.eye), vector_of(load_float4(directions, pixel)), vector_of(inverse));
  const Cell cell = way.first_cell(inverse.w);
  const CellList list = way.list_of(cell, first);
  const RayState begun = list.is_empty() ? traversing : intersecting;
  cells[pixel] = {cell.x, cell.y, cell.z, inverse.w < bits_float(infinity_bits) ? begun : shading};
  lists[pixel] = {list.entry, list.end};
  hits[pixel] = no_hit();
}

__global__ void voxel_traverse(EyeFrame frame, GridFrame grid, const unsigned* first, const Float4* directions,
                               const Float4* inverses, const Int4* cells, const Word2* lists, Int4* cells_out,
                               Word2* lists_out) {
  const unsigned pixel = global_thread();
  const VoxelWay way(grid, vector_of(frame.eye), vector_of(load_float4(directions, pixel)),
                     vector_of(load_float4(inverses, pixel)));
  const Int4 record = load_int4(cells, pixel);
  const Word2 words = load_word2(lists, pixel);
  const Cell next = way.next_cell(cell_of(record));
  const CellList list = way.list_of(next, first);
  const RayState reached = way.holds(next) ? (list.is_empty() ? traversing : intersecting) : shading;
  const bool is_mine = record.w == traversing;
  cells_out[pixel] = {is_mine ? next.x : record.x, is_mine ? next.y : record.y, is_mine ? next.z : record.z,
                      is_mine ? reached : record.w};
  lists_out[pixel] = {is_mine ? list.entry : words.x, is_mine ? list.end : words.y};
}

__global__ void voxel_intersect(EyeFrame frame, const int* cell_triangles, const Float4* triangle_rows,
                                const Float4* directions, const Int4* cells, const Word2* lists, const Hit* hits,
                                Hit* hits_out) {
  const unsigned pixel = global_thread();
  const bool is_mine = load_int4(cells, pixel).w == intersecting;
  const Hit hit = hit_of(load_float4(hits, pixel));
  const unsigned entry = load_word2(lists, pixel).x;
  const int triangle = load_int(cell_triangles + (is_mine ? entry : 0));
  const Hit nearer =
      nearer_hit(hit, triangle, triangle_rows, vector_of(frame.eye), vector_of(load_float4(directions, pixel)));
  hits_out[pixel] = {is_mine ? nearer.triangle : hit.triangle, is_mine ? nearer.t : hit.t, is_mine ? nearer.u : hit.u,
                     is_mine ? nearer.v : hit.v};
}

__global__ void voxel_validate(EyeFrame frame, GridFrame grid, const Float4* directions, const Float4* inverses,
                               const Int4* cells, const Word2* lists, const Hit* hits, Int4* cells_out,
                               Word2* lists_out, Hit* hits_out) {
  const unsigned pixel = global_thread();
  const VoxelWay way(grid, vector_of(frame.eye), vector_of(load_float4(directions, pixel)),
                     vector_of(load_float4(inverses, pixel)));
  const Int4 record = load_int4(cells, pixel);
  const Word2 words = load_word2(lists, pixel);
  const Hit hit = hit_of(load_float4(hits, pixel));
  const bool is_mine = record.w == intersecting;
  const CellList list{is_mine ? words.x + 1 : words.x, words.y};
  const RayState next = hit.t > way.t_exit(cell_of(record)) ? traversing : shading;
  cells_out[pixel] = {record.x, record.y, record.z, both(is_mine, list.is_empty()) ? next : record.w};
  lists_out[pixel] = {list.entry, list.end};
  hits_out[pixel] = hit;
}

__global__ void voxel_shade(EyeFrame frame, const Float4* triangle_rows, const unsigned* material_of_triangle,
                            const Material* materials, float lamp_x, float lamp_y, float lamp_z,
                            const Float4* directions, const Hit* hits, unsigned* picture) {
  const unsigned pixel = global_thread();
  const Hit hit = hit_of(load_float4(hits, pixel));
  picture[pixel] =
      voxel_colour(hit, {lamp_x, lamp_y, lamp_z}, vector_of(frame.eye), vector_of(load_float4(directions, pixel)),
                   triangle_rows, material_of_triangle, materials);
}
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
