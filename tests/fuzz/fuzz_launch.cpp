// SPDX-License-Identifier: Apache-2.0
/// Launch files: buffers, arguments, textures, outputs and expected values, read and checked as a whole. Nothing is
/// launched and no scene is traced, because the file decides how long that takes.

#include "platforms/launch/npy.hpp"
#include "scenes/files/ray_stream_file.hpp"
#include "scenes/generators/small_scenes.hpp"
#include "scenes/light/path_tracer.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/unit/platforms/launch/plan_of.hpp"

namespace reconverge::fuzz {

namespace {

/// A folder with the programs, the array and the rays that the files of the corpus name.
class Folder {
 public:
  Folder() {
    folder_.place().write("tex.ptx", tests::texture_ptx);
    folder_.place().write("variables.ptx", tests::variables_ptx);
    scenes::save_streams(
        scenes::trace_paths(scenes::box(), {.width = 2, .height = 2, .samples_per_pixel = 1, .bounces = 1}),
        folder_.place().path() / "a.rays");
    const std::vector<std::uint64_t> shape{2, 3};
    folder_.place().write("a.npy", launch::npy_bytes(launch::ElementType::f32, shape, std::vector<std::byte>(24)));
  }
  const tests::PlanFolder& get() const { return folder_; }

 private:
  tests::PlanFolder folder_;
};

}  // namespace

}  // namespace reconverge::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reconverge;
  static const fuzz::Folder folder;
  const std::string text = fuzz::text_of(data, size);
  if (text.find("scene") != std::string::npos) return -1;
  fuzz::taken([&] {
    const launch::LaunchPlan plan = folder.get().plan_of(text);
    for (const launch::PlannedBuffer& buffer : plan.buffers) {
      fuzz::require(buffer.contents.empty() || buffer.contents.size() == buffer.bytes(), "contents fill their buffer");
    }
  });
  return 0;
}
