// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Helper functions for tests of scenes.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/error.hpp"
#include "scenes/generators/scene_description.hpp"
#include "scenes/mesh.hpp"
#include "scenes/sampler.hpp"
#include "scenes/scene_library.hpp"

namespace reconverge::scenes {

/// Pseudo-random numbers in [low, high); a seed always has the same sequence.
class Numbers {
 public:
  explicit Numbers(std::uint32_t seed) : seed_(seed) {}
  float next(float low, float high) {
    return low + (high - low) * static_cast<float>(hash_pair(seed_, count_++) >> 8U) * 0x1p-24F;
  }
  Vec3 point(float extent) {
    const float x = next(-extent, extent);
    const float y = next(-extent, extent);
    return {x, y, next(-extent, extent)};
  }

 private:
  std::uint32_t seed_;
  std::uint32_t count_ = 0;
};

/// The text of a scene description in the repository.
inline std::string text_of(std::string_view scene) {
  for (const BuiltInDescription& built_in : built_in_descriptions()) {
    if (built_in.name == scene) return std::string(built_in.text);
  }
  throw std::logic_error("no description of " + std::string(scene));
}

/// The conference room with all of its furniture, in 48,000 triangles.
inline Mesh coarse_conference() {
  SceneDescription room = parse_description(text_of("conference"), "coarse conference");
  room.triangles = 48'000;
  room.settings = {{"detail", 0.26, {}}};
  Mesh mesh = generate(room);
  start_at_widest_corners(mesh);
  return mesh;
}

/// Triangles of side `size` at random positions in a cube of +-`extent`.
inline Mesh random_mesh(std::uint32_t seed, std::uint32_t triangles, float extent, float size) {
  Numbers numbers(seed);
  Mesh mesh;
  mesh.name = "random";
  mesh.materials = {{{0.5F, 0.5F, 0.5F}, 0.0F, {0.0F, 0.0F, 0.0F}, 0.0F}};
  mesh.material_names = {"grey"};
  for (std::uint32_t i = 0; i < triangles; ++i) {
    const Vec3 centre = numbers.point(extent);
    for (int k = 0; k < 3; ++k) mesh.positions.push_back(centre + numbers.point(size));
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    mesh.material_of_triangle.push_back(0);
  }
  repair(mesh);
  mesh.camera = camera_for(mesh.bounds(), {0, 0, 1});
  return mesh;
}

inline std::vector<Ray> random_rays(std::uint32_t seed, std::size_t count, float extent) {
  Numbers numbers(seed);
  std::vector<Ray> rays;
  while (rays.size() < count) {
    const Vec3 from = numbers.point(2.0F * extent);
    const Vec3 to = numbers.point(extent);
    const Vec3 d = to - from;
    if (!(length(d) > 0.0F)) continue;
    rays.push_back({{from.x, from.y, from.z}, 0.0F, {d.x, d.y, d.z}, 1e30F});
  }
  return rays;
}

inline Ray ray_at(Vec3 origin, Vec3 direction, float t_min = 0.0F, float t_max = 1e30F) {
  return {{origin.x, origin.y, origin.z}, t_min, {direction.x, direction.y, direction.z}, t_max};
}

/// A folder that is removed after the test.
class TemporaryFolder {
 public:
  /// `name` is a part of the folder's name. Tests that run at the same time have different folders, even with one name.
  explicit TemporaryFolder(const std::string& name) {
    std::string path = (std::filesystem::temp_directory_path() / ("reconverge_scenes_" + name + ".XXXXXX")).string();
    if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary folder can be made");
    path_ = path;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path file(const std::string& name) const { return path_ / name; }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name), std::ios::binary) << text;
    return file(name);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The text of the InputError that `act` throws; empty if it throws none.
template <typename Act>
std::string refusal(Act&& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace reconverge::scenes
