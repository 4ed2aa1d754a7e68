#pragma once
/// What a folder of scenes says of its files: `manifest.json`, a list of objects with the key "file" and, each of them
/// optional, "camera" {eye, lookat, up, fov}, "sha256" and "triangles". Other keys are for people.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "scenes/files/named_file.hpp"
#include "scenes/mesh.hpp"

namespace reconverge::scenes {

struct SceneManifest {
  std::filesystem::path path;              ///< of the manifest
  std::optional<Camera> camera;            ///< "fov" is the vertical angle in degrees
  std::optional<std::string> sha256;       ///< of the file, 64 hexadecimal digits
  std::optional<std::uint64_t> triangles;  ///< in the file, those that cannot be traced counted, too
};

/// What the manifest beside `file` says of it; nothing when there is no manifest or no entry. Throws InputError when
/// the manifest is no such list, or a link out of the folder that may not be.
std::optional<SceneManifest> manifest_of(const std::filesystem::path& file, OutsideFiles outside);

/// Throws InputError, with what differs, when `file`, in which `triangles` were found, is another one than the manifest
/// describes: a camera or a measurement for the one need not fit the other.
void check_manifest(const SceneManifest& manifest, const std::filesystem::path& file, std::uint64_t triangles);

}  // namespace reconverge::scenes
