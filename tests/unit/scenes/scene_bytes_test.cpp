// SPDX-License-Identifier: Apache-2.0
// Meshes and structures have the same bytes with every compiler and build, so that measurements on them can be
// repeated.
#include <catch2/catch.hpp>
#include <map>

#include "models/core/digest.hpp"
#include "scenes/structures/grid.hpp"
#include "scenes/structures/kd_tree.hpp"
#include "scenes/structures/sbvh.hpp"
#include "tests/unit/scenes/test_support.hpp"

using namespace reconverge;
using namespace reconverge::scenes;

namespace {

/// The first half of the SHA-256 of concatenated arrays.
template <typename... Arrays>
std::string digest_of(const Arrays&... arrays) {
  Sha256 hash;
  (hash.add({reinterpret_cast<const char*>(arrays.data()), arrays.size() * sizeof(*arrays.data())}), ...);
  return hash.digits().substr(0, 32);
}

}  // namespace

TEST_CASE("Every generated scene equals, bit for bit, the mesh of the published results") {
  // If a digest changes, all figures of the scene have to be measured again.
  const std::map<std::string_view, std::string_view> known{{"atrium", "9c911a4eae3c403da242df0990398080"},
                                                           {"conference", "94b414b721af0664a9796b3af706282a"},
                                                           {"conference_large", "727089ffbdcd55f6873f637d3455fbe0"},
                                                           {"conference_small", "cfd3ce3de1974ebc3979e33d149a0296"},
                                                           {"forest", "fbfc63f1a190b20341ee5d3a951a4084"},
                                                           {"glassner", "f7eb6453e467371d7953fdbcdf261aee"},
                                                           {"plants", "60e67820bb3a6be905e4fd5b677d1f70"},
                                                           {"plants_field", "31fec3a18820591bed4675e360cc0438"},
                                                           {"sponza", "2d0d49f9d27ae08f54592b3578fdf037"}};
  for (const BuiltInDescription& built_in : built_in_descriptions()) {
    INFO(built_in.name);
    const Mesh mesh = load_scene(built_in.name).mesh;
    CHECK(digest_of(mesh.positions, mesh.triangles, mesh.material_of_triangle, mesh.materials) ==
          (known.count(built_in.name) != 0 ? known.at(built_in.name) : "not in the list"));
  }
}

TEST_CASE("Structures have the same bytes with every compiler") {
  const Mesh mesh = coarse_conference();
  const KdTree tree = build_kd_tree(mesh);
  CHECK(digest_of(tree.nodes, tree.leaf_triangles, tree.triangles) == "a2cba63d71e24e0b49338e6509b9871c");
  const Bvh split = build_sbvh(mesh);
  CHECK(digest_of(split.nodes, split.rows, split.triangle_of_row) == "49c3853b218d4fe7b12d2140e287f327");
  const Grid grid = build_grid(mesh);
  CHECK(digest_of(grid.first, grid.cell_triangles, grid.triangles) == "da64313315a4d4092caea50d4307c8b5");
}
