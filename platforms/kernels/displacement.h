#pragma once
/* A surface of triangles that a map displaces along their normals, seen by an eye, and a bound for how
   well a triangle approximates that surface (after Moule and McCool, "Efficient bounded adaptive tessellation of
   displacement maps", Graphics Interface 2002: interval analysis of the map, by edge, in the picture). The eye is at
   the origin and looks along z; the picture's plane is at z = 1. Between the corners of a triangle of the base surface,
   position and normal are linear, and the normal is not normalised again: so a triangle's parts describe the same
   surface as the triangle. Nothing here depends on the order of an edge's two ends, bit for bit: triangles that share
   an edge agree about it. */

#include "platforms/kernels/device.h"

namespace reconverge::kernels {

/* A corner of the base surface: position, normal, and nonnegative map coordinates. */
struct BaseCorner {
  float x, y, z, u;
  float normal_x, normal_y, normal_z, v;
};

struct BaseTriangle {
  BaseCorner a, b, c;
};

/* 16-byte rows of a triangle in memory: two for each corner. */
inline constexpr unsigned triangle_rows = 6;

/* Least and greatest height. */
struct Interval {
  float low, high;
};

/* Heights of side x side texels (side a power of two), which repeat; bilinear in the cells between, whose texel (i, j)
   lies at (i, j) / side. `bounds` has an interval for each square of 2 x 2 cells, then for each of 4 x 4 cells, and so
   on up to the whole map. */
struct DisplacementMap {
  const float* heights;
  const Interval* bounds;
  unsigned side;
};

struct Point {
  float x, y, z;
};

__device__ inline float between(float from, float to, float share) { return fma(to - from, share, from); }

__device__ inline float height_at_texel(const DisplacementMap& map, unsigned x, unsigned y) {
  return map.heights[(y & (map.side - 1)) * map.side + (x & (map.side - 1))];
}

/* The four texels around a cell. */
struct Cell {
  float low_low, high_low, low_high, high_high; /* x, then y */
};

__device__ inline Cell cell_at(const DisplacementMap& map, unsigned x, unsigned y) {
  return {height_at_texel(map, x, y), height_at_texel(map, x + 1, y), height_at_texel(map, x, y + 1),
          height_at_texel(map, x + 1, y + 1)};
}

__device__ inline float height_in(const Cell& cell, float x, float y) {
  return between(between(cell.low_low, cell.high_low, x), between(cell.low_high, cell.high_high, x), y);
}

/* At a place in texels. */
__device__ inline float height_at(const DisplacementMap& map, float x, float y) {
  const auto column = static_cast<unsigned>(x);
  const auto row = static_cast<unsigned>(y);
  return height_in(cell_at(map, column, row), x - static_cast<float>(column), y - static_cast<float>(row));
}

__device__ inline Interval join(const Interval& a, const Interval& b) {
  return {minimum(a.low, b.low), maximum(a.high, b.high)};
}

/* Cells of a row between two places, `first` to `last`. */
struct Cells {
  unsigned first, last;
};

__device__ inline bool on_border(float x) { return static_cast<float>(static_cast<unsigned>(x)) == x; }

/* Cells that share more than a border with the interval, or one cell if the interval has length zero. */
__device__ inline Cells cells_in(float from, float to) {
  return {static_cast<unsigned>(from), static_cast<unsigned>(to) - (from < to && on_border(to) ? 1 : 0)};
}

/* Cells that touch the interval, counted from one repetition of the map below 0. */
__device__ inline Cells cells_around(float from, float to, unsigned side) {
  return {static_cast<unsigned>(from) + side - (on_border(from) ? 1 : 0), static_cast<unsigned>(to) + side};
}

__device__ inline bool are_two_at_most(const Cells& cells) { return cells.last - cells.first <= 1; }

/* The point after `from`: the next border or, if it is nearer, the end. */
__device__ inline float next_place(float from, float border, float end) { return from < border ? border : end; }

/* Bounds of heights in a box of the map. Exact in 2 x 2 cells, where extremes are at corners of the box's parts, which
   are bilinear; else those of the smallest 2 x 2 squares of cells that cover the box and what touches it: so no edge
   has an interval far below those of its neighbouring edges, which would be split again and again. */
__device__ inline Interval heights_in(const DisplacementMap& map, float u0, float v0, float u1, float v1) {
  const auto side = static_cast<float>(map.side);
  const float x0 = u0 * side;
  const float y0 = v0 * side;
  const float x1 = u1 * side;
  const float y1 = v1 * side;
  Cells columns = cells_in(x0, x1);
  Cells rows = cells_in(y0, y1);
  if (are_two_at_most(columns) && are_two_at_most(rows)) {
    const auto border_x = static_cast<float>(columns.last);
    const auto border_y = static_cast<float>(rows.last);
    const float first = height_at(map, x0, y0);
    Interval found{first, first};
    for (float y = y0;; y = next_place(y, border_y, y1)) {
      for (float x = x0;; x = next_place(x, border_x, x1)) {
        const float height = height_at(map, x, y);
        found = join(found, {height, height});
        if (x == x1) break;
      }
      if (y == y1) break;
    }
    return found;
  }
  columns = cells_around(x0, x1, map.side);
  rows = cells_around(y0, y1, map.side);
  const Interval* level = map.bounds;
  unsigned size = map.side / 2;
  for (;;) {
    columns = {columns.first / 2, columns.last / 2};
    rows = {rows.first / 2, rows.last / 2};
    if ((are_two_at_most(columns) && are_two_at_most(rows)) || size == 1) break;
    level += size * size;
    size /= 2;
  }
  const unsigned mask = size - 1;
  const Interval* const low = level + (rows.first & mask) * size;
  const Interval* const high = level + (rows.last & mask) * size;
  return join(join(low[columns.first & mask], low[columns.last & mask]),
              join(high[columns.first & mask], high[columns.last & mask]));
}

__device__ inline Point displaced(const BaseCorner& corner, float height) {
  return {fma(height, corner.normal_x, corner.x), fma(height, corner.normal_y, corner.y),
          fma(height, corner.normal_z, corner.z)};
}

/* A corner on the displaced surface, and in the picture. */
struct SeenCorner {
  BaseCorner base;
  float height;
  float image_x, image_y;
};

__device__ inline SeenCorner seen(const DisplacementMap& map, const BaseCorner& base) {
  const auto side = static_cast<float>(map.side);
  const float height = height_at(map, base.u * side, base.v * side);
  const Point at = displaced(base, height);
  const float scale = reciprocal(at.z);
  return {base, height, at.x * scale, at.y * scale};
}

/* The square of the length, in the picture at distance 1, of a unit step along a normal, as seen at `in`: zero if the
   normal points to the eye. */
__device__ inline float parallax(const BaseCorner& normal, const SeenCorner& in) {
  const float x = fma(-in.image_x, normal.normal_z, normal.normal_x);
  const float y = fma(-in.image_y, normal.normal_z, normal.normal_y);
  return x * x + y * y;
}

/* Least distance of an end of the edge from the eye's plane, at any height of the interval. */
__device__ inline float nearest_depth(const BaseCorner& end, const Interval& heights) {
  return minimum(fma(heights.low, end.normal_z, end.z), fma(heights.high, end.normal_z, end.z));
}

/* Whether the surface over an edge may lie farther than `tolerance` from the straight edge, in the picture.
   Of the point a share t along, with height h, the surface is (1 - t)(h - ha) na + t (h - hb) nb away from the edge, by
   linearity: a step of no more than the larger of |h - ha| and |h - hb| along a mean of the normals. Its image is
   longest with one of the normals, seen at one of the ends, and at the least distance. The surface lies in front of the
   eye. */
__device__ inline bool needs_split(const DisplacementMap& map, const SeenCorner& a, const SeenCorner& b,
                                   float tolerance) {
  const Interval heights = heights_in(map, minimum(a.base.u, b.base.u), minimum(a.base.v, b.base.v),
                                      maximum(a.base.u, b.base.u), maximum(a.base.v, b.base.v));
  const float step = maximum(heights.high - minimum(a.height, b.height), maximum(a.height, b.height) - heights.low);
  const float sight =
      maximum(maximum(parallax(a.base, a), parallax(b.base, b)), maximum(parallax(a.base, b), parallax(b.base, a)));
  const float least = tolerance * minimum(nearest_depth(a.base, heights), nearest_depth(b.base, heights));
  return step * step * sight > least * least;
}

__device__ inline BaseCorner middle(const BaseCorner& a, const BaseCorner& b) {
  return {(a.x + b.x) * 0.5F,
          (a.y + b.y) * 0.5F,
          (a.z + b.z) * 0.5F,
          (a.u + b.u) * 0.5F,
          (a.normal_x + b.normal_x) * 0.5F,
          (a.normal_y + b.normal_y) * 0.5F,
          (a.normal_z + b.normal_z) * 0.5F,
          (a.v + b.v) * 0.5F};
}

__device__ inline BaseCorner corner_of(const Float4& position, const Float4& normal) {
  return {position.x, position.y, position.z, position.w, normal.x, normal.y, normal.z, normal.w};
}

/* A triangle of a stream that is not written during the launch. */
__device__ inline BaseTriangle load_triangle(const Float4* rows) {
  return {corner_of(load_float4(rows, 0), load_float4(rows, 1)), corner_of(load_float4(rows, 2), load_float4(rows, 3)),
          corner_of(load_float4(rows, 4), load_float4(rows, 5))};
}

/* A triangle that the thread itself wrote. */
__device__ inline BaseTriangle read_triangle(const Float4* rows) {
  return {corner_of(read_float4(rows), read_float4(rows + 1)), corner_of(read_float4(rows + 2), read_float4(rows + 3)),
          corner_of(read_float4(rows + 4), read_float4(rows + 5))};
}

__device__ inline void write_corner(Float4* rows, const BaseCorner& corner) {
  write_float4(rows, {corner.x, corner.y, corner.z, corner.u});
  write_float4(rows + 1, {corner.normal_x, corner.normal_y, corner.normal_z, corner.v});
}

__device__ inline void write_triangle(Float4* rows, const BaseCorner& a, const BaseCorner& b, const BaseCorner& c) {
  write_corner(rows, a);
  write_corner(rows + 2, b);
  write_corner(rows + 4, c);
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
