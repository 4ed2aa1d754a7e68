// SPDX-License-Identifier: Apache-2.0
#pragma once
/// `manifest.json` describes the files in a folder of scenes. It is a list of objects with the key "file" and the
/// optional keys "camera" {eye, lookat, up, fov}, "sha256" and "triangles". Other keys are ignored.

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
  std::optional<std::uint64_t> triangles;  ///< in the file, including triangles that cannot be traced
};

/// The entry for `file` in the manifest of its folder; empty if there is no manifest or no entry. Throws InputError if
/// the manifest is malformed or a link that leaves the folder without permission.
std::optional<SceneManifest> manifest_of(const std::filesystem::path& file, OutsideFiles outside);

/// Throws InputError, with the difference, if `file`, which has `triangles` triangles, is not the file that the
/// manifest describes: the manifest's camera and measurements may not fit it.
void check_manifest(const SceneManifest& manifest, const std::filesystem::path& file, std::uint64_t triangles);

}  // namespace reconverge::scenes
