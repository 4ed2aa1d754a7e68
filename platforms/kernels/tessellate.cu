/* Adaptive tessellation, the third benchmark of Popa (2004, section 3.3 and Fig. 3.4): an oracle says by edge which
   triangles are split. Triangles with one, two or three such edges are split in one of three ways, and the parts go
   back to the oracle. Whether an edge is split depends only on its ends and on the round in which it appeared, which
   is the same for both of its triangles: there are no cracks.
   Three forms of the recursion:
   - tessellate_pass: one round over a stream of triangles; parts of split triangles go to a stream for the next round,
     packed by a counter, and other triangles to another stream.
   - tessellate_stack: all rounds for one triangle of the base in one thread, depth first, by a stack in local memory.
   - tessellate_alone: the same, and each thread has a separate run of leaves, for machines whose threads share no
     counter; pack_runs concatenates the runs.
   In clang's output, the four outcomes remain four paths, and rotating a triangle consists of selects. */

#include "platforms/kernels/displacement.h"
#include "platforms/kernels/kernels.h"
#include "platforms/kernels/places.h"

namespace reconverge::kernels {

namespace {

/* Edges of a triangle that need a split, a bit each. */
enum Edge : unsigned { edge_ab = 1, edge_bc = 2, edge_ca = 4, all_edges = 7 };

/* Always inlined: as a function, it would get the triangle through memory. */
[[gnu::always_inline]] __device__ inline unsigned oracle(const DisplacementMap& map, const BaseTriangle& triangle,
                                                         float tolerance) {
  const SeenCorner a = seen(map, triangle.a);
  const SeenCorner b = seen(map, triangle.b);
  const SeenCorner c = seen(map, triangle.c);
  return (needs_split(map, a, b, tolerance) ? edge_ab : 0U) | (needs_split(map, b, c, tolerance) ? edge_bc : 0U) |
         (needs_split(map, c, a, tolerance) ? edge_ca : 0U);
}

/* By value, so that corners stay in registers. */
__device__ inline BaseCorner choose(bool first, const BaseCorner& a, const BaseCorner& b) {
  return {first ? a.x : b.x,
          first ? a.y : b.y,
          first ? a.z : b.z,
          first ? a.u : b.u,
          first ? a.normal_x : b.normal_x,
          first ? a.normal_y : b.normal_y,
          first ? a.normal_z : b.normal_z,
          first ? a.v : b.v};
}

/* The same triangle, begun at another corner, so that `edge` is its edge ab. */
__device__ inline BaseTriangle turned(const BaseTriangle& t, unsigned edge) {
  const bool ab = edge == edge_ab;
  const bool bc = edge == edge_bc;
  return {choose(ab, t.a, choose(bc, t.b, t.c)), choose(ab, t.b, choose(bc, t.c, t.a)),
          choose(ab, t.c, choose(bc, t.a, t.b))};
}

/* One edge is split. Parts go to rows that follow each other, here and below. */
__device__ inline void split_in_2(Float4* rows, const BaseTriangle& whole, unsigned edges) {
  const BaseTriangle t = turned(whole, edges);
  const BaseCorner m = middle(t.a, t.b);
  write_triangle(rows, t.a, m, t.c);
  write_triangle(rows + triangle_rows, m, t.b, t.c);
}

/* All but one edge are split. */
__device__ inline void split_in_3(Float4* rows, const BaseTriangle& whole, unsigned edges) {
  const BaseTriangle t = turned(whole, all_edges ^ edges);
  const BaseCorner m = middle(t.b, t.c);
  const BaseCorner n = middle(t.c, t.a);
  write_triangle(rows, t.c, n, m);
  write_triangle(rows + triangle_rows, t.a, t.b, m);
  write_triangle(rows + 2 * triangle_rows, t.a, m, n);
}

__device__ inline void split_in_4(Float4* rows, const BaseTriangle& t) {
  const BaseCorner ab = middle(t.a, t.b);
  const BaseCorner bc = middle(t.b, t.c);
  const BaseCorner ca = middle(t.c, t.a);
  write_triangle(rows, t.a, ab, ca);
  write_triangle(rows + triangle_rows, ab, t.b, bc);
  write_triangle(rows + 2 * triangle_rows, ca, bc, t.c);
  write_triangle(rows + 3 * triangle_rows, bc, ca, ab);
}

/* A stream that is filled: places for triangles, and the number of requested places, which may be larger. */
struct Output {
  Float4* rows;
  unsigned* count;
  unsigned capacity;
};

/* Space for `parts` triangles of each active lane, or null if there is none left. */
__device__ inline Float4* append(const Output& stream, unsigned parts) {
  const unsigned first = next_places(stream.count, parts);
  return first + parts <= stream.capacity ? stream.rows + first * triangle_rows : nullptr;
}

__device__ inline void keep(const Output& leaves, const BaseTriangle& triangle) {
  if (Float4* const rows = append(leaves, 1)) write_triangle(rows, triangle.a, triangle.b, triangle.c);
}

/* Leaves of one thread, and the number of requested places, which may exceed its space. */
struct Run {
  Float4* rows;
  unsigned count;
  unsigned capacity;
};

__device__ inline void keep(Run& leaves, const BaseTriangle& triangle) {
  const unsigned place = leaves.count++;
  if (place >= leaves.capacity) return;
  write_triangle(leaves.rows + place * triangle_rows, triangle.a, triangle.b, triangle.c);
}

/* All rounds for one triangle; Leaves stores its leaves. */
template <typename Leaves>
[[gnu::always_inline]] __device__ inline void all_rounds(const DisplacementMap& map, const BaseTriangle& base,
                                                         unsigned depth, float tolerance, Leaves& leaves) {
  /* Three wait in each round but the last. NOLINTBEGIN(modernize-avoid-c-arrays): local memory of the thread */
  constexpr unsigned entries = 3 * deepest_tessellation + 1;
  Float4 stack[entries * triangle_rows];
  unsigned round_of[entries];
  /* NOLINTEND(modernize-avoid-c-arrays) */
  write_triangle(stack, base.a, base.b, base.c);
  round_of[0] = 0;
  unsigned waiting = 1;
  while (waiting != 0) {
    --waiting;
    const unsigned round = round_of[waiting];
    Float4* const rows = stack + waiting * triangle_rows;
    const BaseTriangle triangle = read_triangle(rows);
    const unsigned edges = round == depth ? 0 : oracle(map, triangle, tolerance);
    const unsigned parts = edges == 0 ? 0 : population(edges) + 1;
    switch (parts) {
      case 0:
        keep(leaves, triangle);
        break;
      case 2:
        split_in_2(rows, triangle, edges);
        break;
      case 3:
        split_in_3(rows, triangle, edges);
        break;
      default:
        split_in_4(rows, triangle);
    }
    for (unsigned part = 0; part < parts; ++part) round_of[waiting++] = round + 1;
  }
}

}  // namespace

extern "C" {

__global__ void tessellate_pass(const Float4* triangles, const unsigned* count, Float4* parts, unsigned* part_count,
                                Float4* leaves, unsigned* leaf_count, unsigned capacity, const float* heights,
                                const float* bounds, unsigned side, float tolerance) {
  const DisplacementMap map{heights, reinterpret_cast<const Interval*>(bounds), side};
  const Output split{parts, part_count, capacity};
  const Output whole{leaves, leaf_count, capacity};
  const unsigned given = load_int(count);
  const unsigned end = given < capacity ? given : capacity;
  for (unsigned index = global_thread(); index < end; index += grid_size().x * block_size().x) {
    const BaseTriangle triangle = load_triangle(triangles + index * triangle_rows);
    const unsigned edges = parts == nullptr ? 0 : oracle(map, triangle, tolerance);
    switch (population(edges)) {
      case 0:
        keep(whole, triangle);
        break;
      case 1:
        if (Float4* const rows = append(split, 2)) split_in_2(rows, triangle, edges);
        break;
      case 2:
        if (Float4* const rows = append(split, 3)) split_in_3(rows, triangle, edges);
        break;
      default:
        if (Float4* const rows = append(split, 4)) split_in_4(rows, triangle);
    }
  }
}

__global__ void tessellate_stack(const Float4* triangles, unsigned count, unsigned depth, Float4* leaves,
                                 unsigned* leaf_count, unsigned capacity, const float* heights, const float* bounds,
                                 unsigned side, float tolerance) {
  const unsigned index = global_thread();
  if (index >= count) return;
  const DisplacementMap map{heights, reinterpret_cast<const Interval*>(bounds), side};
  const Output whole{leaves, leaf_count, capacity};
  all_rounds(map, load_triangle(triangles + index * triangle_rows), depth, tolerance, whole);
}

__global__ void tessellate_alone(const Float4* triangles, unsigned count, unsigned depth, Float4* runs,
                                 unsigned* run_counts, unsigned capacity, const float* heights, const float* bounds,
                                 unsigned side, float tolerance) {
  const unsigned index = global_thread();
  if (index >= count) return;
  const DisplacementMap map{heights, reinterpret_cast<const Interval*>(bounds), side};
  Run run{runs + index * capacity * triangle_rows, 0, capacity};
  all_rounds(map, load_triangle(triangles + index * triangle_rows), depth, tolerance, run);
  run_counts[index] = run.count;
}

__global__ void pack_runs(const Float4* runs, const unsigned* run_counts, unsigned count, unsigned capacity,
                          Float4* leaves, unsigned* leaf_count) {
  const unsigned index = global_thread();
  if (index >= count) return;
  unsigned first = 0;
  for (unsigned before = 0; before < index; ++before) first += load_int(run_counts + before);
  const unsigned own = load_int(run_counts + index);
  const Float4* const from = runs + index * capacity * triangle_rows;
  Float4* const to = leaves + first * triangle_rows;
  for (unsigned row = 0; row < own * triangle_rows; ++row) write_float4(to + row, load_float4(from, row));
  if (index == count - 1) *leaf_count = first + own;
}
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
