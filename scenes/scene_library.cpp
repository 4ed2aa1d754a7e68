// SPDX-License-Identifier: Apache-2.0
#include "scenes/scene_library.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "models/core/error.hpp"
#include "models/core/suggestion.hpp"
#include "scenes/files/mesh_io.hpp"
#include "scenes/files/scene_manifest.hpp"
#include "scenes/generators/scene_description.hpp"
#include "scenes/generators/small_scenes.hpp"

namespace reconverge::scenes {

namespace {

struct BuiltIn {
  std::string_view name;
  Mesh (*make)();
};

constexpr std::array<BuiltIn, 3> built_in{
    {{"box", [] { return box(); }}, {"quad", [] { return quad(); }}, {"triangle", [] { return one_triangle(); }}}};

[[noreturn]] void refuse_name(std::string_view name) {
  const std::vector<std::string> known = scene_names();
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string_view near = nearest(name, names);
  throw InputError({}, fmt::format("there is no scene '{}'", name),
                   fmt::format("{}Built-in scenes: {}; or give the path of a file",
                               near.empty() ? "" : fmt::format("did you mean '{}'? ", near), fmt::join(names, ", ")));
}

/// Generates a described scene, or loads a mesh file.
LoadedMesh load_file(const std::filesystem::path& file, OutsideFiles outside) {
  if (file.extension() == ".yaml") {
    LoadedMesh loaded{generate(read_description(file)), {}};
    loaded.mesh.name = file.stem().string();
    return loaded;
  }
  LoadedMesh loaded = load_mesh(file, outside);
  if (const auto manifest = manifest_of(file, outside)) {
    check_manifest(*manifest, file, loaded.mesh.triangle_count() + loaded.repairs.dropped());
    if (manifest->camera) loaded.mesh.camera = *manifest->camera;
  }
  return loaded;
}

bool is_file_name(const std::filesystem::path& word) { return word.has_extension() || word.has_parent_path(); }

/// Empty if no built-in scene has this name.
std::optional<Mesh> make_built_in(std::string_view name) {
  if (const auto small = std::ranges::find(built_in, name, &BuiltIn::name); small != built_in.end()) {
    return small->make();
  }
  const auto descriptions = built_in_descriptions();
  const auto described = std::ranges::find(descriptions, name, &BuiltInDescription::name);
  if (described == descriptions.end()) return std::nullopt;
  return generate(parse_description(std::string(described->text), std::string(described->file)));
}

void add_headlamp(Mesh& mesh) {
  const Camera& camera = mesh.camera;
  const float size = 0.02F * mesh.bounds().diagonal();
  const Vec3 forward = normalize(camera.look_at - camera.eye);
  const Vec3 right = normalize(cross(forward, camera.up)) * size;
  const Vec3 up = normalize(cross(right, forward)) * size;
  const Vec3 centre = camera.eye - forward * (0.1F * size);
  const auto base = static_cast<std::uint32_t>(mesh.positions.size());
  mesh.positions.insert(mesh.positions.end(),
                        {centre - right - up, centre + right - up, centre + right + up, centre - right + up});
  mesh.triangles.insert(mesh.triangles.end(), {{base, base + 2, base + 1}, {base, base + 3, base + 2}});
  const auto material = static_cast<std::uint32_t>(mesh.materials.size());
  mesh.material_of_triangle.insert(mesh.material_of_triangle.end(), {material, material});
  // Bright enough for surfaces at a third of the scene's size, but not too bright for a closed room.
  const float radiance = 80.0F;
  mesh.materials.push_back({{0.0F, 0.0F, 0.0F}, 0.0F, {radiance, radiance, radiance}, 0.0F});
  mesh.material_names.emplace_back("headlamp");
}

}  // namespace

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const BuiltInDescription& scene : built_in_descriptions()) names.emplace_back(scene.name);
  for (const BuiltIn& scene : built_in) names.emplace_back(scene.name);
  return names;
}

LoadedScene load_scene(std::string_view name_or_path, const SceneOptions& options) {
  LoadedScene scene;
  if (std::optional<Mesh> mesh = make_built_in(name_or_path)) {
    scene.mesh = std::move(*mesh);
    scene.mesh.name = name_or_path;
  } else {
    const std::filesystem::path file(name_or_path);
    if (!is_file_name(file)) refuse_name(name_or_path);
    LoadedMesh loaded = load_file(file, options.outside);
    scene.mesh = std::move(loaded.mesh);
    scene.repairs = loaded.repairs;
  }
  Camera& camera = scene.mesh.camera;
  camera.eye = options.camera.eye.value_or(camera.eye);
  camera.look_at = options.camera.look_at.value_or(camera.look_at);
  camera.up = options.camera.up.value_or(camera.up);
  camera.vertical_field_of_view = options.camera.vertical_field_of_view.value_or(camera.vertical_field_of_view);
  check_mesh(scene.mesh);
  if (options.add_missing_light && scene.mesh.lights().empty()) {
    add_headlamp(scene.mesh);
    scene.light_added = true;
  }
  start_at_widest_corners(scene.mesh);
  return scene;
}

std::vector<std::filesystem::path> scene_files(std::string_view name_or_path, OutsideFiles outside) {
  const std::filesystem::path scene(name_or_path);
  if (!is_file_name(scene)) return {};
  std::vector<std::filesystem::path> files{scene};
  std::ranges::copy(named_files(scene, outside), std::back_inserter(files));
  const std::filesystem::path manifest = scene.parent_path() / "manifest.json";
  if (std::error_code error; std::filesystem::exists(manifest, error)) files.push_back(manifest);
  return files;
}

}  // namespace reconverge::scenes
