/* The ray tracer of Purcell et al. ("Ray tracing on programmable graphics hardware", SIGGRAPH 2002), whose version in
   BrookGPU the stream papers run (Popa 2004; Lashari et al. 2008), as one thread a ray. There, a ray is in one of two
   states and a kernel a state: the traverser takes it from cell to cell until one has triangles, the intersector
   tests these, and sends it back or ends it. Here, each state is a loop of the thread. */

#include "platforms/kernels/kernels.h"
#include "platforms/kernels/traversal.h"

namespace reconverge::kernels {

namespace {

/* The way of a ray across one axis. Distances come from the planes' numbers, so that they do not drift, and all by one
   formula, so that each cell ends where the next begins. */
struct Walk {
  float low, cell, origin, inverse;
  int at;       /* cells from the grid's low side */
  int step;     /* -1, 1; 0 where the ray stays between two planes */
  int end;      /* the first value of `at` that is outside */
  float t_next; /* where the ray leaves the cell */

  __device__ float t_of_plane(int plane) const { return (low + static_cast<float>(plane) * cell - origin) * inverse; }
  __device__ float t_exit() const { return t_of_plane(step < 0 ? at : at + 1); }
};

__device__ inline Walk start_walk(float low, float cell, int cells, float origin, float direction, float inverse,
                                  float t_near) {
  const int step = direction < 0.0F ? -1 : direction > 0.0F ? 1 : 0;
  const float place = round_down(quotient(origin + direction * t_near - low, cell));
  const auto at = static_cast<int>(maximum(minimum(place, static_cast<float>(cells - 1)), 0.0F));
  constexpr unsigned infinity_bits = 0x7f800000U;
  Walk walk{low, cell, origin, inverse, at, step, step < 0 ? -1 : cells, bits_float(infinity_bits)};
  if (step == 0) return walk;
  /* Rounding may have put the start beyond the plane that the ray enters its cell by. */
  const int first = step < 0 ? cells - 1 : 0;
  while (walk.at != first && walk.t_of_plane(step < 0 ? walk.at + 1 : walk.at) > t_near) walk.at -= step;
  walk.t_next = walk.t_exit();
  return walk;
}

__device__ inline void step(Walk& walk) {
  walk.at += walk.step;
  walk.t_next = walk.t_exit();
}

/* Out of a cell by the nearest of its planes; false where that ends the way: outside, or beyond `t_max`. */
__device__ inline bool next_cell(Walk& x, Walk& y, Walk& z, float t_max) {
  const bool by_x = x.t_next <= y.t_next && x.t_next <= z.t_next;
  const bool by_y = !by_x && y.t_next <= z.t_next;
  if (t_max <= minimum(minimum(x.t_next, y.t_next), z.t_next)) return false;
  if (by_x) step(x);
  if (by_y) step(y);
  if (!by_x && !by_y) step(z);
  return x.at != x.end && y.at != y.end && z.at != z.end;
}

}  // namespace

extern "C" __global__ void trace_grid(const GridFrame* frame, const unsigned* first, const int* cell_triangles,
                                      const Float4* triangle_rows, const Ray* rays, Hit* hits, unsigned count) {
  const unsigned index = global_thread();
  if (index >= count) return;
  const RayTest ray = start_ray(rays + index);
  NearestHit hit{-1, ray.t_max, 0.0F, 0.0F};

  const Float4 low = load_float4(frame, 0);
  const Float4 cell = load_float4(frame, 1);
  const Float4 enter_low = load_float4(frame, 2);
  const Float4 enter_high = load_float4(frame, 3);
  const auto cells_x = static_cast<int>(float_bits(low.w));
  const auto cells_y = static_cast<int>(float_bits(cell.w));
  const auto cells_z = static_cast<int>(float_bits(enter_low.w));
  const Span span =
      box_span(ray, enter_low.x, enter_high.x, enter_low.y, enter_high.y, enter_low.z, enter_high.z, ray.t_max);
  if (span.enter <= span.leave) {
    Walk x = start_walk(low.x, cell.x, cells_x, ray.origin_x, ray.direction_x, ray.inverse_x, span.enter);
    Walk y = start_walk(low.y, cell.y, cells_y, ray.origin_y, ray.direction_y, ray.inverse_y, span.enter);
    Walk z = start_walk(low.z, cell.z, cells_z, ray.origin_z, ray.direction_z, ray.inverse_z, span.enter);
    const unsigned* list = first + (x.at * cells_y + y.at) * cells_z + z.at;
    unsigned entry = load_int(list);
    unsigned end = load_int(list + 1);
    bool under_way = true;
    while (under_way) {
      for (; entry != end; ++entry) { /* the intersector */
        const int row = 3 * load_int(cell_triangles + entry);
        test_triangle(triangle_rows, row, load_float4(triangle_rows, static_cast<unsigned>(row)), ray, hit);
      }
      do { /* the traverser */
        under_way = next_cell(x, y, z, hit.t);
        if (under_way) {
          list = first + (x.at * cells_y + y.at) * cells_z + z.at;
          entry = load_int(list);
          end = load_int(list + 1);
        }
      } while (under_way && entry == end);
    }
  }
  hits[index] = {hit.row < 0 ? -1 : hit.row / 3, hit.t, hit.u, hit.v};
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
