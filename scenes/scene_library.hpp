#pragma once
/// Every scene by one word: a built-in name or the path of a file.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/files/named_file.hpp"
#include "scenes/mesh.hpp"

namespace reconverge::scenes {

/// A camera of one's own; what is not given stays as the scene has it.
struct CameraSettings {
  std::optional<Vec3> eye;
  std::optional<Vec3> look_at;
  std::optional<Vec3> up;
  std::optional<float> vertical_field_of_view;  ///< degrees
};

struct SceneOptions {
  CameraSettings camera;
  /// A scene without a light gets a small one behind the camera that shines to the front, as a miner's lamp: two
  /// triangles after all others, with a material of their own. Without it no shadow ray could be cast.
  bool add_missing_light = true;
  /// Whether the file may name others that do not lie beneath its folder.
  OutsideFiles outside = OutsideFiles::refused;
};

struct LoadedScene {
  Mesh mesh;
  MeshRepairs repairs;
  bool light_added = false;
};

/// The built-in names, in the order in which a user should see them.
std::vector<std::string> scene_names();

/// Loads a built-in scene, or a file when the word has a slash or an extension: a mesh, or a description of a
/// generated scene (`.yaml`, see scene_description.hpp). A mesh has the camera of the `manifest.json` beside it, if
/// that has one (files/scene_manifest.hpp). All triangles start at their widest corners (`start_at_widest_corners`).
/// Throws InputError for an unknown name (with the nearest known one), for a file that is not the one its manifest
/// describes, and whatever `load_mesh` refuses.
LoadedScene load_scene(std::string_view name_or_path, const SceneOptions& options = {});

/// The files that decide what `load_scene` gives: the scene's own, those that it names, and the manifest beside it;
/// none of a built-in scene. Throws InputError for one that it may not name.
std::vector<std::filesystem::path> scene_files(std::string_view name_or_path, OutsideFiles outside);

}  // namespace reconverge::scenes
