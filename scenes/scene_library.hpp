// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Loads scenes by a built-in name or the path of a file.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/files/named_file.hpp"
#include "scenes/mesh.hpp"

namespace reconverge::scenes {

/// Camera settings that override the scene's; settings without a value keep the scene's.
struct CameraSettings {
  std::optional<Vec3> eye;
  std::optional<Vec3> look_at;
  std::optional<Vec3> up;
  std::optional<float> vertical_field_of_view;  ///< degrees
};

struct SceneOptions {
  CameraSettings camera;
  /// Adds a small light behind the camera, facing forward, to a scene without lights: two triangles after all others,
  /// with their own material. Without it no shadow ray could be cast.
  bool add_missing_light = true;
  /// Whether the file may name files outside its folder.
  OutsideFiles outside = OutsideFiles::refused;
};

struct LoadedScene {
  Mesh mesh;
  MeshRepairs repairs;
  bool light_added = false;
};

/// The built-in names, in the order for users.
std::vector<std::string> scene_names();

/// Loads a built-in scene, or a file if the argument has a slash or an extension: a mesh, or a description of a
/// generated scene (`.yaml`, see scene_description.hpp). A mesh gets the camera of the `manifest.json` in its folder,
/// if that has one (files/scene_manifest.hpp). All triangles start at their widest corners (`start_at_widest_corners`).
/// Throws InputError for an unknown name (with the nearest known one), for a file that is not the one its manifest
/// describes, and in all cases in which `load_mesh` does.
LoadedScene load_scene(std::string_view name_or_path, const SceneOptions& options = {});

/// The files that `load_scene` depends on: the scene's file, the files that it names, and the manifest in its folder;
/// none for a built-in scene. Throws InputError for a file that the scene must not name.
std::vector<std::filesystem::path> scene_files(std::string_view name_or_path, OutsideFiles outside);

}  // namespace reconverge::scenes
