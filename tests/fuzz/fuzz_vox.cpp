// SPDX-License-Identifier: Apache-2.0
/// Scenes of BrookGPU's ray tracer. An accepted scene has lists within bounds, and rays through its grid terminate.

#include "scenes/files/vox_file.hpp"
#include "scenes/structures/trace_scalar.hpp"
#include "tests/fuzz/target.hpp"

namespace reconverge::fuzz {

namespace {

void read(const std::string& bytes) {
  const scenes::VoxScene scene = scenes::parse_vox(bytes, "fuzz.vox");
  const scenes::Grid& grid = scene.grid;
  require(grid.first.back() == grid.cell_triangles.size(), "every entry is in a cell");
  require(grid.triangles.size() == scene.mesh.triangle_count(), "every triangle has its rows");
  const scenes::Vec3 from = grid.bounds.low;
  const scenes::Vec3 along = grid.bounds.size();
  for (const float side : {-1.0F, 0.0F, 1.0F}) {
    const scenes::Vec3 d = along * scenes::Vec3{1.0F, side, 0.5F};
    scenes::trace_scalar(grid, scenes::Ray{{from.x, from.y, from.z}, 0.0F, {d.x, d.y, d.z}, 1e30F});
  }
}

}  // namespace

}  // namespace reconverge::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reconverge;
  fuzz::taken([&] { fuzz::read(fuzz::text_of(data, size)); });
  return 0;
}
