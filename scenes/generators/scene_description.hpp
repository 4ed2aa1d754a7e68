// SPDX-License-Identifier: Apache-2.0
#pragma once
/// YAML descriptions of generated scenes: the generator, the number of triangles, camera, colours, lights and the
/// generator's settings. The descriptions in yaml/scenes are built into the library.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/error.hpp"
#include "scenes/mesh.hpp"

namespace reconverge::scenes {

/// A named colour; reflectances are in 0..1, emission is radiance.
struct PaletteEntry {
  std::string name;
  Material material;
  SourceLocation location;
};

/// A light-emitting parallelogram: `corner` and the two sides from it.
struct LightPanel {
  std::string material;
  Vec3 corner, u, v;
  SourceLocation location;
};

/// A setting of the generator.
struct SettingValue {
  std::string name;
  double value;
  SourceLocation location;
};

struct SceneDescription {
  std::string file;  ///< for messages
  std::string summary;
  std::string generator;
  SourceLocation generator_location;
  std::uint64_t triangles = 0;
  SourceLocation triangles_location;
  std::uint32_t seed = 1;
  Camera camera;
  std::vector<PaletteEntry> materials;
  std::vector<LightPanel> lights;
  std::vector<SettingValue> settings;
};

/// Reads a file. Throws InputError with file, line and column: for text that is not YAML, an unknown or missing key, or
/// a value of the wrong kind or out of range. `generate` checks what depends on the generator.
SceneDescription read_description(const std::filesystem::path& file);
/// The same for a text; messages call it `file`.
SceneDescription parse_description(const std::string& text, const std::string& file);

/// Makes the mesh. The same description gives the same mesh, bit for bit. Throws InputError, with the position in the
/// file, for an unknown or missing generator, setting or material, or a size that the generator cannot make.
Mesh generate(const SceneDescription& description);

/// A built-in description.
struct BuiltInDescription {
  std::string_view name;  ///< of the scene
  std::string_view file;  ///< yaml/scenes/<name>.yaml
  std::string_view text;
};
/// All built-in descriptions, in alphabetical order.
std::span<const BuiltInDescription> built_in_descriptions();

}  // namespace reconverge::scenes
