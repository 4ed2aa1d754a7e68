// SPDX-License-Identifier: Apache-2.0
#include "scenes/files/vox_file.hpp"

#include <catch2/catch.hpp>
#include <cstring>

#include "scenes/files/mesh_io.hpp"
#include "scenes/generators/small_scenes.hpp"
#include "scenes/structures/hit_comparison.hpp"
#include "scenes/structures/trace_scalar.hpp"
#include "scenes/structures/triangle_box.hpp"
#include "tests/unit/scenes/mesh_kinds.hpp"
#include "tests/unit/scenes/scene_folder.hpp"
#include "tests/unit/scenes/vox_bytes.hpp"

using namespace reconverge::scenes;

namespace {

/// The lists of the cells, as pairs of cell and triangle.
std::vector<std::array<std::size_t, 2>> entries(const Grid& grid) {
  std::vector<std::array<std::size_t, 2>> pairs;
  for (std::size_t cell = 0; cell < grid.cells(); ++cell) {
    for (std::size_t i = grid.first[cell]; i < grid.first[cell + 1]; ++i)
      pairs.push_back({cell, static_cast<std::size_t>(grid.cell_triangles[i])});
  }
  return pairs;
}

template <typename T>
void overwrite(std::string& bytes, std::size_t offset, T value) {
  REQUIRE(offset + sizeof(T) <= bytes.size());
  std::memcpy(bytes.data() + offset, &value, sizeof(T));
}

}  // namespace

TEST_CASE("The mesh and grid of a .vox file are read as they were written") {
  const Mesh mesh = box();
  const Grid grid = build_grid(mesh, {.resolution = {7, 5, 4}});
  const VoxScene scene = parse_vox(vox_bytes(mesh, grid), "box.vox");
  REQUIRE(scene.mesh.triangle_count() == mesh.triangle_count());
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
    CHECK(scene.mesh.corners(i) == mesh.corners(i));
    CHECK(to_vec3(scene.mesh.material(i).albedo) == to_vec3(mesh.material(i).albedo));
  }
  CHECK(scene.grid.resolution() == grid.resolution());
  CHECK(scene.grid.first == grid.first);
  CHECK(scene.grid.cell_triangles == grid.cell_triangles);
  CHECK_NOTHROW(check_grid(scene.grid, scene.mesh));
  CHECK_NOTHROW(check_mesh(scene.mesh));
}

TEST_CASE("A truncated .vox file is refused, with the byte") {
  const Mesh mesh = quad();
  const std::string whole = vox_bytes(mesh, build_grid(mesh, {.resolution = {2, 2, 1}}));
  REQUIRE(refusal([&] { parse_vox(whole, "quad.vox"); }).empty());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string message = refusal([&] { parse_vox(whole.substr(0, length), "quad.vox"); });
    INFO(length << " bytes: " << message);
    REQUIRE(message.find("quad.vox: byte ") == 0);
  }
  CHECK(refusal([&] { parse_vox(whole + "x", "quad.vox"); }).find("1 bytes follow") != std::string::npos);
}

TEST_CASE("Invalid contents of a .vox file are refused, with the byte") {
  const Mesh mesh = quad();
  std::string bytes = vox_bytes(mesh, build_grid(mesh, {.resolution = {2, 2, 1}}));
  // The file has 12 bytes of sizes, 36 bytes of floats, two words of bits, four offsets, a length, four lists of three,
  // a count, and triangles.
  const std::size_t bits = 48;
  const std::size_t table = bits + 16;
  const std::size_t length = table + 16;
  const std::size_t lists = length + 4;
  const std::size_t count = lists + 4 * 12;
  REQUIRE(bytes.size() == count + 4 + 2 * 108);
  const auto refused_at = [&bytes](std::size_t offset, const std::string& why) {
    const std::string message = refusal([&] { parse_vox(bytes, "quad.vox"); });
    INFO(message);
    CHECK(message.find("quad.vox: byte " + std::to_string(offset) + ": ") == 0);
    CHECK(message.find(why) != std::string::npos);
  };
  SECTION("no cells") {
    overwrite(bytes, 4, 0);
    refused_at(4, "0 cells along an axis");
  }
  SECTION("more cells than fit the file") {
    for (const std::size_t at : {0U, 4U, 8U}) overwrite(bytes, at, 4096);
    overwrite(bytes, 36, 1.0F / 4096);
    overwrite(bytes, 40, 1.0F / 4096);
    float low = 0.0F;
    float high = 0.0F;
    std::memcpy(&low, bytes.data() + 20, 4);
    std::memcpy(&high, bytes.data() + 32, 4);
    overwrite(bytes, 44, (high - low) / 4096);
    refused_at(48, "are due here");
  }
  SECTION("an invalid box") {
    overwrite(bytes, 24, NAN);
    refused_at(12, "empty or not finite");
  }
  SECTION("a wrong cell size") {
    overwrite(bytes, 40, 0.75F);
    refused_at(40, "the size of a cell is 0.75");
  }
  SECTION("wrong bits") {
    overwrite(bytes, bits + 8, std::uint64_t{1});
    refused_at(bits + 8, "contradict");
  }
  SECTION("a wrong offset of a list") {
    overwrite(bytes, table + 4, 0);
    refused_at(table + 4, "begins at 0 instead of 3");
  }
  SECTION("lists longer than the file") {
    overwrite(bytes, length, 1 << 30);
    refused_at(length, "entries in the lists");
  }
  SECTION("a triangle that does not exist") {
    overwrite(bytes, lists + 4, 2);
    refused_at(lists + 4, "triangle 2 of 2");
  }
  SECTION("a list out of order") {
    overwrite(bytes, lists + 4, 0);
    refused_at(lists + 4, "after 0");
  }
  SECTION("a list without an end") {
    overwrite(bytes, count - 4, 1);
    CHECK_FALSE(refusal([&] { parse_vox(bytes, "quad.vox"); }).empty());
  }
  SECTION("a negative number of triangles") {
    overwrite(bytes, count, -1);
    refused_at(count, "-1 triangles");
  }
  SECTION("no triangles") {
    overwrite(bytes, count, 0);
    refused_at(count, "no triangles");
  }
  SECTION("a corner that is not finite") {
    overwrite(bytes, count + 4 + 108 + 8, INFINITY);
    refused_at(count + 4 + 108 + 8, "triangle 1 has a value that is not finite");
  }
}

TEST_CASE("The grids of BrookGPU's scenes equal our grids") {
  struct File {
    std::string name;
    std::array<int, 3> resolution;
    std::size_t occupied;
    std::size_t references;
  };
  for (const File& expected : {File{"glassner04.vox", {7, 5, 4}, 77, 1541},
                               {"glassner05.vox", {9, 7, 5}, 177, 1965},
                               {"glassner10.vox", {18, 13, 10}, 696, 3190}}) {
    const auto file = scene_folder() / expected.name;
    if (!std::filesystem::exists(file)) {
      WARN("skipped: " << file << " is not there; set RECONVERGE_SCENES to its folder");
      continue;
    }
    INFO(expected.name);
    const VoxScene scene = load_vox(file);
    CHECK(scene.mesh.triangle_count() == 840);
    CHECK_NOTHROW(check_mesh(scene.mesh));
    CHECK(load_mesh(file).mesh.triangle_count() == 840);
    CHECK(scene.grid.resolution() == expected.resolution);
    CHECK(scene.grid.occupied_cells() == expected.occupied);
    CHECK(scene.grid.cell_triangles.size() == expected.references);
    const Grid own = build_grid(scene.mesh, {.resolution = expected.resolution});
    CHECK_NOTHROW(check_grid(own, scene.mesh));
    const auto theirs = entries(scene.grid);
    const auto ours = entries(own);
    std::vector<std::array<std::size_t, 2>> only_theirs;
    std::vector<std::array<std::size_t, 2>> only_ours;
    std::set_difference(theirs.begin(), theirs.end(), ours.begin(), ours.end(), std::back_inserter(only_theirs));
    std::set_difference(ours.begin(), ours.end(), theirs.begin(), theirs.end(), std::back_inserter(only_ours));
    CHECK(only_theirs.empty());
    // The triangles of entries that the file omits only touch a face of the cell. In glassner10 a plane of cells is at
    // x = 0, where walls of the scene end.
    CHECK(only_ours.size() == (expected.name == "glassner10.vox" ? 38 : 0));
    for (const auto& [cell, triangle] : only_ours) {
      const int y = expected.resolution[1];
      const int z = expected.resolution[2];
      const auto number = static_cast<int>(cell);
      const Box box = cell_box(own, {number / z / y, number / z % y, number % z});
      CHECK_FALSE(overlaps(scene.mesh.corners(triangle), box, {-1e-5, -1e-5, -1e-5}));
    }
    CHECK_NOTHROW(check_grid(scene.grid, scene.mesh));
    const std::vector<Ray> rays = random_rays(1, 5000, 300.0F);
    for (const Grid* grid : {&own, &scene.grid}) {
      const HitComparison verdict = compare_hits(scene.mesh, EmbreeScene(scene.mesh), rays, trace_scalar(*grid, rays));
      INFO(to_string(verdict));
      CHECK(verdict.ok());
    }
  }
}
