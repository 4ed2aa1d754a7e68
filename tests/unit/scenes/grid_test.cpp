// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/grid.hpp"

#include <bit>
#include <catch2/catch.hpp>

#include "scenes/generators/small_scenes.hpp"
#include "scenes/light/path_tracer.hpp"
#include "scenes/structures/hit_comparison.hpp"
#include "scenes/structures/trace_scalar.hpp"
#include "tests/unit/scenes/mesh_kinds.hpp"

using namespace reconverge::scenes;

TEST_CASE("A triangle is in all cells that it touches, including cells that it touches at a face") {
  // The lower triangle of the unit square has the corners (0,0), (1,0) and (1,1).
  const Mesh mesh = quad();
  const Grid grid = build_grid(mesh, {.resolution = {4, 4, 1}});
  CHECK_NOTHROW(check_grid(grid, mesh));
  static_assert(sizeof(GridFrame) == 64);
  CHECK(grid.cells() == 16);
  CHECK(grid.first.size() == 17);
  CHECK(grid.occupied_cells() == 16);
  for (int x = 0; x < 4; ++x) {
    for (int y = 0; y < 4; ++y) {
      const std::size_t cell = cell_number(grid.frame, {x, y, 0});
      CHECK(cell == static_cast<std::size_t>(4 * x + y));
      // Cells on the diagonal, and cells that the diagonal touches at a corner, have both triangles.
      CHECK(grid.first[cell + 1] - grid.first[cell] == (std::abs(x - y) <= 1 ? 2U : 1U));
    }
  }
}

TEST_CASE("Hits through a grid match a test of every triangle") {
  for (const std::uint32_t seed : {1U, 2U, 3U}) {
    for (const auto& [name, mesh] : mesh_kinds(seed)) {
      for (const GridOptions& options : {GridOptions{}, GridOptions{{1, 1, 1}}, GridOptions{{3, 16, 8}}}) {
        INFO(name << ", seed " << seed << ", " << options.resolution[0] << " cells along x");
        const Grid grid = build_grid(mesh, options);
        REQUIRE_NOTHROW(check_grid(grid, mesh));
        const std::vector<Ray> rays = random_rays(seed, 500, 1.0F);
        const std::vector<Hit> hits = trace_scalar(grid, rays);
        for (std::size_t i = 0; i < rays.size(); ++i) {
          const Hit expected = trace_brute_force(mesh, rays[i]);
          REQUIRE(std::bit_cast<unsigned>(hits[i].t) == std::bit_cast<unsigned>(expected.t));
          REQUIRE((hits[i].triangle >= 0) == (expected.triangle >= 0));
          REQUIRE((trace_scalar(grid, rays[i], true).triangle >= 0) == (expected.triangle >= 0));
        }
        const HitComparison verdict = compare_hits(mesh, EmbreeScene(mesh), rays, hits);
        INFO(to_string(verdict));
        CHECK(verdict.ok());
      }
    }
  }
}

TEST_CASE("Rays along planes of a grid and through its corners find their triangles") {
  const Mesh mesh = snapped(random_mesh(5, 400, 1.0F, 0.5F), 4.0F);
  const Grid grid = build_grid(mesh, {.resolution = {8, 8, 8}});
  REQUIRE_NOTHROW(check_grid(grid, mesh));
  std::vector<Ray> rays;
  Numbers numbers(3);
  for (int i = 0; i < 4000; ++i) {
    const auto on_grid = [&] { return std::round(numbers.next(-8.0F, 8.0F)) * 0.25F; };
    const Vec3 origin{on_grid(), on_grid(), on_grid()};
    const Vec3 direction{on_grid(), i % 2 == 0 ? 0.0F : on_grid(), i % 3 == 0 ? -0.0F : on_grid()};
    if (length(direction) > 0.0F) rays.push_back(ray_at(origin, direction));
  }
  // Embree uses a different intersection test, so it is no oracle for rays in a triangle's plane or through its corner.
  std::size_t found = 0;
  for (const Ray& ray : rays) {
    const Hit expected = trace_brute_force(mesh, ray);
    REQUIRE(trace_scalar(grid, ray).t == expected.t);
    found += expected.triangle >= 0 ? 1 : 0;
  }
  CHECK(found > 1000);
}

TEST_CASE("Hits through a grid of the conference room match Embree, and work is counted") {
  const Mesh mesh = coarse_conference();
  const Grid grid = build_grid(mesh);
  REQUIRE_NOTHROW(check_grid(grid, mesh));
  CHECK(grid.cells() > 3 * mesh.triangle_count());
  CHECK(grid.cells() < 7 * mesh.triangle_count());
  const EmbreeScene oracle(mesh);
  const RayStreams streams = trace_paths(mesh, {.width = 96, .height = 72, .samples_per_pixel = 1, .bounces = 2});
  for (std::size_t bounce = 0; bounce < 2; ++bounce) {
    const auto& rays = streams.extension[bounce].rays;
    TraceWork work;
    const HitComparison hits = compare_hits(mesh, oracle, rays, trace_scalar(grid, rays, false, &work));
    INFO(to_string(hits));
    CHECK(hits.ok());
    CHECK(work.nodes >= rays.size());
    CHECK(work.leaves <= work.nodes);
    CHECK(work.triangles >= work.leaves);
    const auto& shadows = streams.shadow[bounce].rays;
    const HitComparison blocked = compare_occlusion(mesh, oracle, shadows, trace_scalar(grid, shadows, true));
    INFO(to_string(blocked));
    CHECK(blocked.ok());
  }
}

TEST_CASE("The cells on a ray's path are counted") {
  const Mesh mesh = quad();
  const Grid grid = build_grid(mesh, {.resolution = {4, 4, 1}});
  TraceWork work;
  // The ray passes over the square along y = 0.3, within the height of the cells, and does not hit it.
  const float height = 0.5F * grid.bounds.high.z;
  CHECK(trace_scalar(grid, ray_at({-1.0F, 0.3F, height}, {1, 0, 0}), false, &work).triangle == -1);
  CHECK(work.nodes == 4);
  CHECK(work.leaves == 4);
  CHECK(work.triangles == 2 + 2 + 2 + 1);
}

TEST_CASE("The check of a grid finds errors") {
  const Mesh mesh = random_mesh(7, 200, 1.0F, 0.2F);
  Grid bad = build_grid(mesh);
  REQUIRE_NOTHROW(check_grid(bad, mesh));
  std::size_t cell = 0;
  while (bad.first[cell + 1] - bad.first[cell] < 2) ++cell;
  const std::size_t entry = bad.first[cell];
  SECTION("a missing entry") {
    bad.cell_triangles.erase(bad.cell_triangles.begin() + static_cast<std::ptrdiff_t>(entry));
    for (std::size_t i = cell + 1; i < bad.first.size(); ++i) --bad.first[i];
  }
  SECTION("an entry of a triangle that does not touch the cell") {
    bad.cell_triangles[entry + 1] =
        bad.cell_triangles[entry] + 1 == bad.cell_triangles[entry + 1] ? 199 : bad.cell_triangles[entry] + 1;
  }
  SECTION("entries in descending order") { std::swap(bad.cell_triangles[entry], bad.cell_triangles[entry + 1]); }
  SECTION("a wrong triangle") { bad.cell_triangles[entry] = 200; }
  SECTION("lists that do not cover the entries") { bad.cell_triangles.push_back(0); }
  SECTION("a list that ends before it begins") { bad.first[cell] += 1000; }
  SECTION("a missing offset") { bad.first.pop_back(); }
  SECTION("other planes") { bad.frame.cell[0] *= 0.9F; }
  SECTION("a changed row") { bad.triangles[3].row1[2] += 1.0F; }
  CHECK_THROWS_AS(check_grid(bad, mesh), std::logic_error);
}

TEST_CASE("A grid that cannot be built is refused") {
  CHECK(refusal([] { build_grid(Mesh{}); }).find("no triangles") != std::string::npos);
  CHECK(refusal([] { build_grid(quad(), {.resolution = {4, 0, 4}}); }).find("give 1 to 4096") != std::string::npos);
  CHECK(refusal([] { build_grid(quad(), {.resolution = {4096, 4096, 4096}}); }).find("in all") != std::string::npos);
  CHECK(refusal([] { build_grid(quad(), {.density = 0.0F}); }).find("above 0") != std::string::npos);
}
