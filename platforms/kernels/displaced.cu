/* The steps before and after adaptive tessellation: a map with its intervals, a base surface, and a picture ("Bump" in
   Fig. 3.4 of Popa, 2004).
   In clang's output, all loops remain; the pixel loop of draw_displaced has one branch for inside. */

#include "platforms/kernels/displacement.h"
#include "platforms/kernels/kernels.h"

namespace reconverge::kernels {

namespace {

/* A number in 0..1 for a lattice point. */
__device__ inline float random_height(unsigned x, unsigned y) {
  unsigned h = x * 0x9e3779b1U ^ y * 0x85ebca77U;
  h = (h ^ h >> 15U) * 0x2c1b3c6dU;
  h = (h ^ h >> 12U) * 0x297a2d39U;
  return static_cast<float>(h >> 8U) * 0x1p-24F;
}

__device__ inline float smooth(float share) { return share * share * fma(-2.0F, share, 3.0F); }

/* Noise that repeats: `period` x `period` lattice points, a power of two, over the map. */
__device__ inline float noise(float u, float v, unsigned period) {
  const float x = u * static_cast<float>(period);
  const float y = v * static_cast<float>(period);
  const auto column = static_cast<unsigned>(x);
  const auto row = static_cast<unsigned>(y);
  const unsigned right = (column + 1) & (period - 1);
  const unsigned above = (row + 1) & (period - 1);
  const float share = smooth(x - static_cast<float>(column));
  return between(between(random_height(column, row), random_height(right, row), share),
                 between(random_height(column, above), random_height(right, above), share),
                 smooth(y - static_cast<float>(row)));
}

/* The height of the hills at texel i. */
__device__ inline float hill(unsigned i, unsigned side, float texel, float amplitude) {
  const unsigned column = i % side;
  const unsigned row = i / side;
  const float u = static_cast<float>(column) * texel;
  const float v = static_cast<float>(row) * texel;
  const float hills = fma(0.25F, noise(u, v, 16), noise(u, v, 8)) - 0.625F;
  return amplitude * maximum(hills, 0.0F);
}

__device__ inline Interval extremes(const Cell& cell) {
  return join({minimum(cell.low_low, cell.high_low), maximum(cell.low_low, cell.high_low)},
              {minimum(cell.low_high, cell.high_high), maximum(cell.low_high, cell.high_high)});
}

/* Bounds of square i of 2 x 2 cells, `size` of which are in a row. */
__device__ inline Interval square_of_cells(const DisplacementMap& map, unsigned i, unsigned size) {
  const unsigned x = 2 * (i % size);
  const unsigned y = 2 * (i / size);
  return join(join(extremes(cell_at(map, x, y)), extremes(cell_at(map, x + 1, y))),
              join(extremes(cell_at(map, x, y + 1)), extremes(cell_at(map, x + 1, y + 1))));
}

/* Bounds of square i of four squares of the level below, `width` of which are in a row. */
__device__ inline Interval square_of_squares(const Interval* below, unsigned i, unsigned size, unsigned width) {
  const Interval* const first = below + 2 * (width * (i / size) + i % size);
  return join(join(first[0], first[1]), join(first[width], first[width + 1]));
}

/* A point of the unit circle, a quarter for each quarter of `turn` (0..1), by the half-angle formulas. */
struct Direction {
  float x, y;
};
__device__ inline Direction on_circle(float turn) {
  const float quarters = turn * 4.0F;
  const auto quarter = static_cast<unsigned>(quarters);
  const float t = quarters - static_cast<float>(quarter);
  const float scale = reciprocal(fma(t, t, 1.0F));
  const float x = fma(-t, t, 1.0F) * scale;
  const float y = 2.0F * t * scale;
  if (quarter == 0) return {x, y};
  if (quarter == 1) return {-y, x};
  if (quarter == 2) return {-x, -y};
  return {y, -x};
}

/* A torus of radii 1 and 0.45, tilted, 3 in front of the eye. Where it closes, corners differ only in u and v. */
__device__ inline BaseCorner torus_corner(unsigned i, unsigned j, unsigned around, unsigned across) {
  const Direction ring = on_circle(static_cast<float>(i % around) * reciprocal(static_cast<float>(around)));
  const Direction tube = on_circle(static_cast<float>(j % across) * reciprocal(static_cast<float>(across)));
  const float radius = fma(0.45F, tube.x, 1.0F);
  const Point at{radius * ring.x, radius * ring.y, 0.45F * tube.y};
  const Point normal{tube.x * ring.x, tube.x * ring.y, tube.y};
  return {at.x,
          0.6F * at.y - 0.8F * at.z,
          fma(0.8F, at.y, 0.6F * at.z) + 3.0F,
          static_cast<float>(i) * reciprocal(static_cast<float>(around)),
          normal.x,
          0.6F * normal.y - 0.8F * normal.z,
          fma(0.8F, normal.y, 0.6F * normal.z),
          static_cast<float>(j) * reciprocal(static_cast<float>(across))};
}

/* Products are rounded before they are subtracted: b x a is -(a x b) bit for bit. */
__device__ inline Point cross(const Point& a, const Point& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
__device__ inline float dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline Point combine(float a, const Point& p, float b, const Point& q) {
  return {a * p.x + b * q.x, a * p.y + b * q.y, a * p.z + b * q.z};
}

/* The plane of the base, by u and v, and the share of each corner. */
struct Plane {
  Point along_u, along_v;
};
__device__ inline Plane plane_of(const BaseTriangle& t) {
  const Point p{t.b.x - t.a.x, t.b.y - t.a.y, t.b.z - t.a.z};
  const Point q{t.c.x - t.a.x, t.c.y - t.a.y, t.c.z - t.a.z};
  const float pu = t.b.u - t.a.u;
  const float pv = t.b.v - t.a.v;
  const float qu = t.c.u - t.a.u;
  const float qv = t.c.v - t.a.v;
  const float scale = reciprocal(pu * qv - qu * pv);
  return {combine(qv * scale, p, -pv * scale, q), combine(pu * scale, q, -qu * scale, p)};
}

/* Bump-mapped: light by the slope of the map at the point itself, 16 to 255. */
__device__ inline unsigned bump(const DisplacementMap& map, const Plane& plane, const Point& base_normal, float u,
                                float v, const Point& sight) {
  const auto side = static_cast<float>(map.side);
  const auto column = static_cast<unsigned>(u * side);
  const auto row = static_cast<unsigned>(v * side);
  const Cell cell = cell_at(map, column, row);
  const float x = u * side - static_cast<float>(column);
  const float y = v * side - static_cast<float>(row);
  const float slope_u = between(cell.high_low - cell.low_low, cell.high_high - cell.low_high, y) * side;
  const float slope_v = between(cell.low_high - cell.low_low, cell.high_high - cell.high_low, x) * side;
  const Point normal =
      cross(combine(1.0F, plane.along_u, slope_u, base_normal), combine(1.0F, plane.along_v, slope_v, base_normal));
  const float length = square_root(maximum(dot(normal, normal), 0x1p-80F));
  const Point to_light{-0.48F, -0.6F, -0.64F};
  const float lit = dot(normal, to_light) * reciprocal(length);
  /* The side that the eye sees. */
  const float shade = maximum(dot(normal, sight) > 0.0F ? -lit : lit, 0.0F);
  return static_cast<unsigned>(fma(minimum(shade, 1.0F), 239.0F, 16.0F));
}

/* First and last pixel that an extent can touch. */
__device__ inline unsigned pixel_at(float place, unsigned pixels) {
  const float inside = minimum(maximum(place, 0.0F), static_cast<float>(pixels - 1));
  return static_cast<unsigned>(inside);
}

}  // namespace

extern "C" {

__global__ void displacement_map(float* heights, float* bounds, unsigned side, float amplitude) {
  const unsigned thread = thread_index().x;
  const unsigned threads = block_size().x;
  const float texel = reciprocal(static_cast<float>(side));
  for (unsigned i = thread; i < side * side; i += threads) heights[i] = hill(i, side, texel, amplitude);
  synchronise();
  const DisplacementMap map{heights, nullptr, side};
  auto* level = reinterpret_cast<Interval*>(bounds);
  unsigned size = side / 2;
  for (unsigned i = thread; i < size * size; i += threads) level[i] = square_of_cells(map, i, size);
  while (size > 1) {
    synchronise();
    const Interval* const below = level;
    level += size * size;
    const unsigned width = size;
    size /= 2;
    for (unsigned i = thread; i < size * size; i += threads) level[i] = square_of_squares(below, i, size, width);
  }
}

__global__ void torus_patches(Float4* triangles, unsigned around, unsigned across) {
  const unsigned patch = global_thread();
  if (patch >= around * across) return;
  const unsigned i = patch % around;
  const unsigned j = patch / around;
  const BaseCorner here = torus_corner(i, j, around, across);
  const BaseCorner opposite = torus_corner(i + 1, j + 1, around, across);
  Float4* const rows = triangles + patch * 2 * triangle_rows;
  write_triangle(rows, here, torus_corner(i + 1, j, around, across), opposite);
  write_triangle(rows + triangle_rows, here, opposite, torus_corner(i, j + 1, around, across));
}

__global__ void draw_displaced(const Float4* triangles, const unsigned* count, const float* heights, unsigned side,
                               float scale, int* picture, unsigned width, unsigned height) {
  const DisplacementMap map{heights, nullptr, side};
  const float middle_x = 0.5F * static_cast<float>(width);
  const float middle_y = 0.5F * static_cast<float>(height);
  const float step = reciprocal(scale);
  const unsigned end = load_int(count);
  for (unsigned index = global_thread(); index < end; index += grid_size().x * block_size().x) {
    const BaseTriangle triangle = load_triangle(triangles + index * triangle_rows);
    const SeenCorner a = seen(map, triangle.a);
    const SeenCorner b = seen(map, triangle.b);
    const SeenCorner c = seen(map, triangle.c);
    const Point at_a = displaced(triangle.a, a.height);
    const Point at_b = displaced(triangle.b, b.height);
    const Point at_c = displaced(triangle.c, c.height);
    /* A ray's share of each corner, but for a factor, is its product with the plane through the eye and the other two.
     */
    const Point edge_a = cross(at_b, at_c);
    const Point edge_b = cross(at_c, at_a);
    const Point edge_c = cross(at_a, at_b);
    const float volume = dot(at_a, edge_a);
    const float side_seen = volume < 0.0F ? -1.0F : 1.0F;
    const Plane plane = plane_of(triangle);
    const float low_x = minimum(minimum(a.image_x, b.image_x), c.image_x);
    const float high_x = maximum(maximum(a.image_x, b.image_x), c.image_x);
    const float low_y = minimum(minimum(a.image_y, b.image_y), c.image_y);
    const float high_y = maximum(maximum(a.image_y, b.image_y), c.image_y);
    const unsigned last_x = pixel_at(fma(high_x, scale, middle_x), width);
    const unsigned last_y = pixel_at(fma(high_y, scale, middle_y), height);
    for (unsigned y = pixel_at(fma(low_y, scale, middle_y), height); y <= last_y; ++y) {
      for (unsigned x = pixel_at(fma(low_x, scale, middle_x), width); x <= last_x; ++x) {
        const Point ray{(static_cast<float>(x) + 0.5F - middle_x) * step,
                        (static_cast<float>(y) + 0.5F - middle_y) * step, 1.0F};
        const float share_a = dot(ray, edge_a) * side_seen;
        const float share_b = dot(ray, edge_b) * side_seen;
        const float share_c = dot(ray, edge_c) * side_seen;
        const float sum = share_a + share_b + share_c;
        if (minimum(minimum(share_a, share_b), share_c) < 0.0F || sum <= 0.0F) continue;
        const float whole = reciprocal(sum);
        const float wa = share_a * whole;
        const float wb = share_b * whole;
        const float wc = share_c * whole;
        const Point normal{wa * triangle.a.normal_x + wb * triangle.b.normal_x + wc * triangle.c.normal_x,
                           wa * triangle.a.normal_y + wb * triangle.b.normal_y + wc * triangle.c.normal_y,
                           wa * triangle.a.normal_z + wb * triangle.b.normal_z + wc * triangle.c.normal_z};
        const float u = wa * triangle.a.u + wb * triangle.b.u + wc * triangle.c.u;
        const float v = wa * triangle.a.v + wb * triangle.b.v + wc * triangle.c.v;
        /* A nearer value is greater, as a float and as bits; at equal distance, the brighter value is kept. */
        const unsigned nearness = float_bits(sum * reciprocal(absolute(volume)));
        const unsigned shade = bump(map, plane, normal, u, v, ray);
        atomic_max(picture + y * width + x, static_cast<int>((nearness & ~0xffU) | shade));
      }
    }
  }
}

__global__ void displacement_heights(float* heights, unsigned side, float amplitude) {
  const unsigned i = global_thread();
  if (i >= side * side) return;
  heights[i] = hill(i, side, reciprocal(static_cast<float>(side)), amplitude);
}

__global__ void displacement_bounds(const float* heights, float* bounds, unsigned side, unsigned size) {
  const unsigned i = global_thread();
  if (i >= size * size) return;
  /* A level of s x s squares follows (side * side - 4 * s * s) / 3 other squares. */
  auto* const level = reinterpret_cast<Interval*>(bounds) + (side * side - 4 * size * size) / 3;
  if (2 * size == side) {
    level[i] = square_of_cells({heights, nullptr, side}, i, size);
  } else {
    level[i] = square_of_squares(level - 4 * size * size, i, size, 2 * size);
  }
}
}

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
