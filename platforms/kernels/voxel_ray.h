#pragma once
/* The operations of the voxel tracer on a ray, each straight-line code: choices are conditional assignments of values
   computed or loaded before. One kernel with loops and seven without are made of these parts, so both find the same
   hits, bit for bit. Distances to planes are not fused, as in trace_grid. */

#include "platforms/kernels/display.h"
#include "platforms/kernels/kernels.h"
#include "platforms/kernels/traversal.h"
#include "platforms/kernels/vector.h"

namespace reconverge::kernels {

inline constexpr unsigned infinity_bits = 0x7f800000U;

__device__ inline Vector vector_of(const float (&from)[3]) { return {from[0], from[1], from[2]}; }
__device__ inline Vector vector_of(const Float4& from) { return {from.x, from.y, from.z}; }

/* a && b, with b always computed, so that no compiler makes a branch of it. */
__device__ inline bool both(bool a, bool b) { return (static_cast<unsigned>(a) & static_cast<unsigned>(b)) != 0; }

/* Numbers of a cell along the axes. */
struct Cell {
  int x, y, z;
};

/* Triangles of a cell that are still to be tested. */
struct CellList {
  unsigned entry, end;

  __device__ bool is_empty() const { return entry == end; }
};

/* The layout in memory. */
__device__ inline Hit hit_of(const Float4& words) {
  return {static_cast<int>(float_bits(words.x)), words.y, words.z, words.w};
}

__device__ inline Hit no_hit() { return {-1, bits_float(infinity_bits), 0.0F, 0.0F}; }

/* Through the middle of a pixel; not normalised. */
__device__ inline Vector eye_direction(const EyeFrame& eye, unsigned pixel) {
  const unsigned column = pixel % eye.width;
  const unsigned row = pixel / eye.width;
  const float x = 2.0F * quotient(static_cast<float>(column) + 0.5F, static_cast<float>(eye.width)) - 1.0F;
  const float y = 1.0F - 2.0F * quotient(static_cast<float>(row) + 0.5F, static_cast<float>(eye.height));
  return along(along(vector_of(eye.forward), vector_of(eye.up), y), vector_of(eye.right), x);
}

__device__ inline Vector inverse_of(const Vector& direction) {
  return {safe_inverse(direction.x), safe_inverse(direction.y), safe_inverse(direction.z)};
}

/* Where the ray enters the grid; infinity: it does not. */
__device__ inline float grid_entry(const GridFrame& grid, const Vector& eye, const Vector& direction,
                                   const Vector& inverse) {
  const RayTest ray{eye.x,
                    eye.y,
                    eye.z,
                    0.0F,
                    direction.x,
                    direction.y,
                    direction.z,
                    bits_float(infinity_bits),
                    inverse.x,
                    inverse.y,
                    inverse.z,
                    -eye.x * inverse.x,
                    -eye.y * inverse.y,
                    -eye.z * inverse.z};
  const Span span = box_span(ray, grid.enter_low[0], grid.enter_high[0], grid.enter_low[1], grid.enter_high[1],
                             grid.enter_low[2], grid.enter_high[2], ray.t_max);
  return span.enter <= span.leave ? span.enter : ray.t_max;
}

/* The path of a ray across one axis: values common to all rays, and the ray's own. */
struct AxisWay {
  float low, cell;
  int cells;
  float eye, direction, inverse;

  __device__ float t_of_plane(int plane) const { return (low + static_cast<float>(plane) * cell - eye) * inverse; }

  /* The cell of the ray at t_near, which may be rounded beyond the plane at which it enters the cell. */
  __device__ int first_cell(float t_near) const {
    const float cells_in = round_down(quotient(eye + direction * t_near - low, cell));
    const auto at = static_cast<int>(maximum(minimum(cells_in, static_cast<float>(cells - 1)), 0.0F));
    const bool forwards = direction > 0.0F;
    const int before = forwards ? at - 1 : at + 1;
    const bool is_beyond = t_of_plane(forwards ? at : at + 1) > t_near;
    return both(both(is_beyond, direction != 0.0F), holds(before)) ? before : at;
  }

  /* Where the ray leaves cell `at`; infinity if it runs between two planes. */
  __device__ float t_exit(int at) const {
    const float t = t_of_plane(direction < 0.0F ? at : at + 1);
    return direction == 0.0F ? bits_float(infinity_bits) : t;
  }

  __device__ int step() const { return direction < 0.0F ? -1 : 1; }
  __device__ bool holds(int at) const { return static_cast<unsigned>(at) < static_cast<unsigned>(cells); }
};

/* The path of a ray across all three axes. */
struct VoxelWay {
  AxisWay x, y, z;

  __device__ VoxelWay(const GridFrame& grid, const Vector& eye, const Vector& direction, const Vector& inverse)
      : x{grid.low[0], grid.cell[0], grid.cells_x, eye.x, direction.x, inverse.x},
        y{grid.low[1], grid.cell[1], grid.cells_y, eye.y, direction.y, inverse.y},
        z{grid.low[2], grid.cell[2], grid.cells_z, eye.z, direction.z, inverse.z} {}

  __device__ Cell first_cell(float t_near) const {
    return {x.first_cell(t_near), y.first_cell(t_near), z.first_cell(t_near)};
  }

  /* Where the ray leaves a cell. A hit before that point is the nearest of all. */
  __device__ float t_exit(const Cell& cell) const {
    return minimum(minimum(x.t_exit(cell.x), y.t_exit(cell.y)), z.t_exit(cell.z));
  }

  /* The cell beyond the nearest of the three planes at which the ray leaves this one. */
  __device__ Cell next_cell(const Cell& cell) const {
    const float t_x = x.t_exit(cell.x);
    const float t_y = y.t_exit(cell.y);
    const float t_z = z.t_exit(cell.z);
    const bool by_x = both(t_x <= t_y, t_x <= t_z);
    const bool by_y = both(!by_x, t_y <= t_z);
    const bool by_z = both(!by_x, !by_y);
    return {cell.x + (by_x ? x.step() : 0), cell.y + (by_y ? y.step() : 0), cell.z + (by_z ? z.step() : 0)};
  }

  __device__ bool holds(const Cell& cell) const {
    return both(x.holds(cell.x), both(y.holds(cell.y), z.holds(cell.z)));
  }

  /* The triangles of a cell; none outside the grid. */
  __device__ CellList list_of(const Cell& cell, const unsigned* first) const {
    const bool is_inside = holds(cell);
    const int number = (cell.x * y.cells + cell.y) * z.cells + cell.z;
    const unsigned* const at = first + (is_inside ? number : 0);
    const unsigned entry = load_int(at);
    const unsigned end = load_int(at + 1);
    return {is_inside ? entry : end, end};
  }
};

/* The nearer of `hit` and a triangle, by Woop's test (traversal.h). */
__device__ inline Hit nearer_hit(const Hit& hit, int triangle, const Float4* triangle_rows, const Vector& eye,
                                 const Vector& direction) {
  const auto row = 3 * static_cast<unsigned>(triangle);
  const RayTest ray{eye.x, eye.y, eye.z, 0.0F, direction.x, direction.y, direction.z, 0, 0, 0, 0, 0, 0, 0};
  const float t = plane_distance(load_float4(triangle_rows, row), ray);
  const float u = vertex_weight(load_float4(triangle_rows, row + 1), ray, t);
  const float v = vertex_weight(load_float4(triangle_rows, row + 2), ray, t);
  const bool is_within = both(both(u >= 0.0F, v >= 0.0F), u + v <= 1.0F);
  const bool is_hit = both(both(t > 0.0F, t < hit.t), is_within);
  return {is_hit ? triangle : hit.triangle, is_hit ? t : hit.t, is_hit ? u : hit.u, is_hit ? v : hit.v};
}

/* What the eye sees of a hit: red in the lowest byte, alpha 255. Each triangle is flat and lit by one lamp, without
   shadows; a tenth of the light is everywhere. Black where nothing was hit. */
__device__ inline unsigned voxel_colour(const Hit& hit, const Vector& lamp, const Vector& eye, const Vector& direction,
                                        const Float4* triangle_rows, const unsigned* material_of_triangle,
                                        const Material* materials) {
  const bool is_hit = hit.triangle >= 0;
  const unsigned triangle = is_hit ? static_cast<unsigned>(hit.triangle) : 0;
  const Vector normal = normalised(vector_of(load_float4(triangle_rows, 3 * triangle)));
  const Float4 albedo = load_float4(materials + load_int(material_of_triangle + triangle), 0);
  const Vector to_lamp = normalised(lamp - along(eye, direction, is_hit ? hit.t : 0.0F));
  const float cosine = dot(normal, to_lamp);
  const float towards_eye = dot(normal, direction) > 0.0F ? -cosine : cosine;
  const float light = is_hit ? fma(maximum(towards_eye, 0.0F), 0.9F, 0.1F) : 0.0F;
  return display_byte(albedo.x * light) | display_byte(albedo.y * light) << 8U | display_byte(albedo.z * light) << 16U |
         0xff000000U;
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
