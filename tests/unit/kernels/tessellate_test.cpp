// SPDX-License-Identifier: Apache-2.0
/// Adaptive tessellation of a torus by the native twins. The surface is closed, has no cracks, and is within the
/// tolerance of the displaced surface. Rounds over streams and a stack have the same result. Also tests the picture.

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "platforms/kernels/displacement.h"
#include "scenes/structures/bvh.hpp"
#include "scenes/structures/trace_scalar.hpp"
#include "tests/unit/kernels/tessellation.hpp"

namespace reconverge::kernels {

namespace {

using Place = std::array<float, 3>;

std::array<BaseCorner, 3> corners(const Record& record) {
  const BaseTriangle triangle = load_triangle(record.data());
  return {triangle.a, triangle.b, triangle.c};
}

DisplacementMap view(const Tessellation& what, const Map& map) {
  return {map.heights.data(), reinterpret_cast<const Interval*>(map.bounds.data()), what.side};
}

Place place_of(const DisplacementMap& map, const BaseCorner& corner) {
  const Point at = displaced(corner, seen(map, corner).height);
  return {at.x, at.y, at.z};
}

std::vector<Record> sorted(const Leaves& leaves) {
  std::vector<Record> records(leaves.records.begin(), leaves.records.begin() + leaves.count);
  sort_records(std::as_writable_bytes(std::span(records)));
  return records;
}

bool same_bytes(const std::vector<Record>& a, const std::vector<Record>& b) {
  return std::ranges::equal(std::as_bytes(std::span(a)), std::as_bytes(std::span(b)));
}

/// Twice the signed area in the map. The result is exact, because all values are binary fractions with few digits.
double map_area(const Record& record) {
  const auto [a, b, c] = corners(record);
  return (double{b.u} - a.u) * (double{c.v} - a.v) - (double{c.u} - a.u) * (double{b.v} - a.v);
}

/// Checks that every edge occurs once in each direction, and that corners minus edges plus faces are 0, as for any
/// torus.
void check_closed(const DisplacementMap& map, std::span<const Record> triangles) {
  std::map<std::pair<Place, Place>, unsigned> edges;
  std::set<Place> places;
  double area = 0;
  for (const Record& record : triangles) {
    const auto corner = corners(record);
    for (unsigned i = 0; i < 3; ++i) {
      ++edges[{place_of(map, corner[i]), place_of(map, corner[(i + 1) % 3])}];
      places.insert(place_of(map, corner[i]));
    }
    area += map_area(record);
  }
  bool once_each_way = true;
  for (const auto& [edge, times] : edges) {
    once_each_way = once_each_way && times == 1 && edges.contains({edge.second, edge.first});
  }
  CHECK(once_each_way);
  CHECK(edges.size() == 3 * triangles.size());
  CHECK(places.size() + triangles.size() == edges.size() / 2);
  CHECK(area == 2.0);
}

/// The texel heights, interpolated in double precision.
double exact_height(const DisplacementMap& map, double u, double v) {
  const double x = u * map.side;
  const double y = v * map.side;
  const auto column = static_cast<unsigned>(x);
  const auto row = static_cast<unsigned>(y);
  const Cell cell = cell_at(map, column, row);
  return std::lerp(std::lerp(double{cell.low_low}, double{cell.high_low}, x - column),
                   std::lerp(double{cell.low_high}, double{cell.high_high}, x - column), y - row);
}

struct Image {
  double x, y, z;
};
Image exact_place(const DisplacementMap& map, const BaseCorner& a, const BaseCorner& b, double share) {
  const auto mean = [&](float from, float to) { return std::lerp(double{from}, double{to}, share); };
  const double height = exact_height(map, mean(a.u, b.u), mean(a.v, b.v));
  return {mean(a.x, b.x) + height * mean(a.normal_x, b.normal_x),
          mean(a.y, b.y) + height * mean(a.normal_y, b.normal_y),
          mean(a.z, b.z) + height * mean(a.normal_z, b.normal_z)};
}

/// The largest distance in the picture between edges and the surface over them, at 17 points along each edge.
double largest_error(const DisplacementMap& map, const BaseCorner& a, const BaseCorner& b) {
  const Image from = exact_place(map, a, b, 0);
  const Image to = exact_place(map, a, b, 1);
  double error = 0;
  for (unsigned i = 1; i < 18; ++i) {
    const double share = i / 18.0;
    const Image at = exact_place(map, a, b, share);
    const double z = std::lerp(from.z, to.z, share);
    error = std::max(error, std::hypot(at.x / at.z - std::lerp(from.x, to.x, share) / z,
                                       at.y / at.z - std::lerp(from.y, to.y, share) / z));
  }
  return error;
}

double largest_error(const DisplacementMap& map, std::span<const Record> triangles) {
  double error = 0;
  for (const Record& record : triangles) {
    const auto corner = corners(record);
    for (unsigned i = 0; i < 3; ++i) error = std::max(error, largest_error(map, corner[i], corner[(i + 1) % 3]));
  }
  return error;
}

}  // namespace

TEST_CASE("displacement_heights and displacement_bounds leave the same memory as displacement_map") {
  const Tessellation what;
  const Map expected = displacement_map(what);
  Map map{std::vector<float>(expected.heights.size()), std::vector<float>(expected.bounds.size())};
  twin("displacement_heights")(shape_for(what.side * what.side), map.heights.data(), what.side, what.amplitude);
  for (unsigned size = what.side / 2; size != 0; size /= 2) {
    twin("displacement_bounds")(shape_for(size * size), map.heights.data(), map.bounds.data(), what.side, size);
  }
  CHECK(map.heights == expected.heights);
  CHECK(map.bounds == expected.bounds);
}

TEST_CASE("displacement_map: every interval contains exactly the texels of its square, including borders") {
  const Tessellation what;
  const Map map = displacement_map(what);
  const auto* bounds = reinterpret_cast<const Interval*>(map.bounds.data());
  for (unsigned cells = 2; cells <= what.side; cells *= 2) {
    const unsigned size = what.side / cells;
    for (unsigned square = 0; square < size * size; ++square) {
      Interval expected{1.0F, -1.0F};
      for (unsigned y = 0; y <= cells; ++y) {
        for (unsigned x = 0; x <= cells; ++x) {
          const unsigned column = (square % size * cells + x) % what.side;
          const unsigned row = (square / size * cells + y) % what.side;
          const float height = map.heights[row * what.side + column];
          expected = {std::min(expected.low, height), std::max(expected.high, height)};
        }
      }
      REQUIRE(bounds[square].low == expected.low);
      REQUIRE(bounds[square].high == expected.high);
    }
    bounds += size * size;
  }
  CHECK(bounds == reinterpret_cast<const Interval*>(map.bounds.data() + map.bounds.size()));
  CHECK(bounds[-1].low == 0.0F);
  CHECK(bounds[-1].high > 0.2F);
}

TEST_CASE("tessellation: the torus is closed and within the tolerance, and all forms agree") {
  Tessellation what;
  what.tolerance = GENERATE(0.05F, 0.02F);
  const Map map = displacement_map(what);
  const std::vector<Record> base = torus(what);
  const Leaves passes = by_passes(what, map, base);
  INFO(passes.count << " leaves");
  REQUIRE(passes.count <= what.capacity);
  // Each part is split or kept. When the rounds end, no part is left to split.
  CHECK(passes.round_counts.back() == 0);
  CHECK(passes.round_counts[what.depth] == 0);
  CHECK(passes.count > 4 * base.size());

  const std::vector<Record> leaves = sorted(passes);
  CHECK(same_bytes(leaves, sorted(by_stack(what, map, base))));
  CHECK(same_bytes(leaves, sorted(packed(what, runs_of(what, map, base)))));
  check_closed(view(what, map), leaves);
  CHECK(largest_error(view(what, map), base) > 1.1 * what.tolerance);
  CHECK(largest_error(view(what, map), leaves) <= what.tolerance * (1 + 1e-5));
  // The tessellation is adaptive, so the leaves have very different sizes.
  const auto smaller = [](const Record& a, const Record& b) { return map_area(a) < map_area(b); };
  const auto [least, largest] = std::minmax_element(leaves.begin(), leaves.end(), smaller);
  CHECK(map_area(*largest) >= 64 * map_area(*least));
}

TEST_CASE("tessellation has no cracks even if the rounds end before the tolerance is reached") {
  Tessellation what;
  what.tolerance = 0.005F;
  what.depth = GENERATE(0U, 1U, 3U, 4U);
  const Map map = displacement_map(what);
  const std::vector<Record> base = torus(what);
  const Leaves passes = by_passes(what, map, base);
  CHECK(passes.round_counts[what.depth] != 0);
  CHECK(same_bytes(sorted(passes), sorted(by_stack(what, map, base))));
  check_closed(view(what, map), sorted(passes));
}

TEST_CASE("tessellate_pass: one, two or three edges over the tolerance give two, three or four parts") {
  // The map has one hill. The triangle faces the eye, but its normals point sideways, so the error of an edge is the
  // largest difference of heights over the edge.
  constexpr unsigned side = 16;
  std::vector<float> heights(side * side);
  const auto raise = [&](unsigned x, unsigned y) { heights[y * side + x] = 1.0F; };
  const auto run = [&](float tolerance) {
    const auto corner = [](float u, float v) {
      return std::array<Float4, 2>{{{u, v, 4.0F, u}, {1.0F, 0.0F, 0.0F, v}}};
    };
    Record triangle{};
    const std::array<std::array<Float4, 2>, 3> at{corner(0.125F, 0.125F), corner(0.25F, 0.125F), corner(0.125F, 0.25F)};
    for (unsigned i = 0; i < 6; ++i) triangle[i] = at[i / 2][i % 2];
    std::vector<Record> parts(4);
    std::vector<Record> leaves(4);
    const unsigned one = 1;
    unsigned part_count = 0;
    unsigned leaf_count = 0;
    // All edges are within 2 x 2 cells, whose intervals are exact, so the kernel does not read bounds.
    twin("tessellate_pass")(shape_for(1), &triangle, &one, parts.data(), &part_count, leaves.data(), &leaf_count, 4U,
                            heights.data(), static_cast<const float*>(nullptr), side, tolerance);
    double area = 0;
    for (unsigned i = 0; i < part_count; ++i) area += map_area(parts[i]);
    for (unsigned i = 0; i < leaf_count; ++i) area += map_area(leaves[i]);
    CHECK(area == map_area(triangle));
    return std::pair(part_count, leaf_count);
  };
  using Counts = std::pair<unsigned, unsigned>;
  CHECK(run(0.1F) == Counts{0, 1});
  raise(3, 2);  // the middle of edge ab, and a corner of the box of bc
  CHECK(run(0.1F).first == 3);
  heights.assign(heights.size(), 0.0F);
  raise(2, 3);  // the middle of edge ca, and a corner of the box of bc
  CHECK(run(0.1F).first == 3);
  heights.assign(heights.size(), 0.0F);
  raise(3, 3);  // only the middle of edge bc
  CHECK(run(0.1F) == Counts{2, 0});
  raise(2, 2);  // corner a, too
  CHECK(run(0.1F) == Counts{4, 0});
  CHECK(run(0.5F) == Counts{0, 1});
}

TEST_CASE("streams that are too short are not overrun, and report the number of triangles") {
  Tessellation what;
  const Map map = displacement_map(what);
  const std::vector<Record> base = torus(what);
  Leaves room{std::vector<Record>(301), 0, {}};
  twin("tessellate_stack")(shape_for(what.base_count()), base.data(), what.base_count(), what.depth,
                           room.records.data(), &room.count, 300U, map.heights.data(), map.bounds.data(), what.side,
                           what.tolerance);
  CHECK(room.count == by_stack(what, map, base).count);
  CHECK(room.records[299][0].z != 0.0F);
  for (const Float4& row : room.records[300]) CHECK(row.z == 0.0F);
}

TEST_CASE("a run that is too short keeps its first leaves, and reports the number of leaves") {
  Tessellation what;
  const Map map = displacement_map(what);
  const std::vector<Record> base = torus(what);
  const Runs expected = runs_of(what, map, base);
  const Leaves leaves = packed(what, expected);
  CHECK(*std::ranges::max_element(expected.counts) <= what.run);
  what.run = 7;
  const Runs room = runs_of(what, map, base);
  CHECK(room.counts == expected.counts);
  REQUIRE(*std::ranges::max_element(room.counts) > what.run);
  std::size_t first = 0;  // index of the base triangle's first packed leaf
  std::size_t whole = 0;
  for (std::size_t i = 0; i < room.counts.size(); ++i) {
    const std::size_t kept = std::min(room.counts[i], what.run);
    const auto run = std::as_bytes(std::span(room.records).subspan(i * what.run, what.run));
    const auto same = std::as_bytes(std::span(leaves.records).subspan(first, kept));
    whole += std::ranges::equal(run.first(same.size()), same) &&
                     std::ranges::all_of(run.subspan(same.size()), [](std::byte one) { return one == std::byte{0}; })
                 ? 1
                 : 0;
    first += room.counts[i];
  }
  CHECK(whole == base.size());
  CHECK(first == leaves.count);
}

TEST_CASE("draw_displaced shows the hits of rays from the eye") {
  constexpr unsigned width = 96;
  constexpr unsigned height = 72;
  constexpr float scale = 60;
  const Tessellation what;
  const Map map = displacement_map(what);
  const Leaves leaves = by_stack(what, map, torus(what));
  const std::vector<int> pixels = picture(what, map, leaves, scale, width, height);

  scenes::Mesh mesh;
  mesh.materials.emplace_back();
  mesh.material_of_triangle.assign(leaves.count, 0);
  for (unsigned i = 0; i < leaves.count; ++i) {
    for (const BaseCorner& corner : corners(leaves.records[i])) {
      const auto [x, y, z] = place_of(view(what, map), corner);
      mesh.positions.push_back({x, y, z});
    }
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  const scenes::Bvh bvh = scenes::build_bvh(mesh);
  unsigned covered = 0;
  unsigned different = 0;
  for (unsigned y = 0; y < height; ++y) {
    for (unsigned x = 0; x < width; ++x) {
      const scenes::Ray ray{{0, 0, 0},
                            0,
                            {(static_cast<float>(x) + 0.5F - width / 2.0F) / scale,
                             (static_cast<float>(y) + 0.5F - height / 2.0F) / scale, 1.0F},
                            1e30F};
      const scenes::Hit hit = scenes::trace_scalar(bvh, ray);
      const int pixel = pixels[y * width + x];
      // The z of the direction is 1, so the distance is the depth. The lowest 8 bits of its reciprocal are the
      // brightness.
      const float depth = 1.0F / bits_float(static_cast<unsigned>(pixel) & ~0xffU);
      if ((pixel != 0) != (hit.triangle >= 0) || (pixel != 0 && std::abs(depth - hit.t) > 1e-4F * hit.t)) {
        ++different;  // rounding, if a ray grazes the surface
      } else if (pixel != 0) {
        ++covered;
        CHECK((pixel & 0xff) >= 16);
      }
    }
  }
  CHECK(covered > width * height / 5);
  CHECK(different <= 4);
}

}  // namespace reconverge::kernels
