/// Files of scenes and arrays, told apart by their first bytes: PLY, glTF, binary glTF, .npy, and OBJ otherwise. From a
/// mesh that loads a BVH is built, and a picture of a few pixels traced.

#include "platforms/launch/npy.hpp"
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
  return "fuzz.obj";
}

void read_array(const std::string& bytes) {
  const launch::NpyArray array = launch::parse_npy(bytes, "fuzz.npy");
  require(array.data.size() == array.count() * launch::bytes_of(array.type), "an array holds whole elements");
  const std::string again = launch::npy_bytes(array.type, array.shape, array.data);
  require(launch::parse_npy(again, "again.npy").data == array.data, "an array survives being written");
}

void read_scene(const tests::TemporaryFolder& folder, const std::string& bytes) {
  const std::string file = folder.write(name_for(bytes), bytes);
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
  fuzz::taken([&] { bytes.starts_with("\x93NUMPY") ? fuzz::read_array(bytes) : fuzz::read_scene(folder, bytes); });
  return 0;
}
