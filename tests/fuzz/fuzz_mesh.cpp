// SPDX-License-Identifier: Apache-2.0
/// Scene files, distinguished by their first bytes: PLY, glTF, binary glTF, a manifest of an OBJ, a material library of
/// an OBJ, and otherwise OBJ. If a mesh loads, a BVH is built from it and a picture of a few pixels is traced.

#include "scenes/light/path_tracer.hpp"
#include "scenes/scene_library.hpp"
#include "scenes/structures/bvh.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/unit/core/temporary_folder.hpp"

namespace reconverge::fuzz {

namespace {

std::string name_for(const std::string& bytes) {
  if (bytes.starts_with("ply")) return "fuzz.ply";
  if (bytes.starts_with("glTF")) return "fuzz.glb";
  if (bytes.starts_with("{")) return "fuzz.gltf";
  if (bytes.starts_with("[")) return "beside/manifest.json";
  if (bytes.starts_with("newmtl")) return "beside/fuzz.mtl";
  return "fuzz.obj";
}

/// A manifest and materials are read from the folder of a scene that names them; they stay until others replace them.
std::string scene_of(const tests::TemporaryFolder& folder, const std::string& file) {
  if (file.find("beside/") == std::string::npos) return file;
  return folder.write("beside/fuzz.obj", "mtllib fuzz.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n");
}

void read(const tests::TemporaryFolder& folder, const std::string& bytes) {
  const std::string file = scene_of(folder, folder.write(name_for(bytes), bytes));
  const scenes::LoadedScene scene = scenes::load_scene(file);
  scenes::check_bvh(scenes::build_bvh(scene.mesh), scene.mesh);
  scenes::trace_paths(scene.mesh, {.width = 4, .height = 3, .samples_per_pixel = 1, .bounces = 2, .threads = 1});
}

}  // namespace

}  // namespace reconverge::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reconverge;
  static const tests::TemporaryFolder folder;
  const std::string bytes = fuzz::text_of(data, size);
  fuzz::taken([&] { fuzz::read(folder, bytes); });
  return 0;
}
