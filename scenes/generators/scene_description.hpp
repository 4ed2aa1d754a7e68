#pragma once
/// Generated scenes as YAML files describe them: which generator, how many triangles, and everything that is a matter
/// of choice - camera, colours, lights, the generator's own settings. Those that come with the tree lie in
/// yaml/scenes and are built into the library.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/error.hpp"
#include "scenes/mesh.hpp"

namespace reconverge::scenes {

/// A colour by its name; reflectances lie in 0..1, emission is radiance.
struct PaletteEntry {
  std::string name;
  Material material;
  SourceLocation location;
};

/// A parallelogram that shines: `corner`, and the two sides that leave it.
struct LightPanel {
  std::string material;
  Vec3 corner, u, v;
  SourceLocation location;
};

/// A choice that is the generator's own.
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

/// Reads a file. Throws InputError with file, line and column: not YAML, an unknown or missing key, a value of the
/// wrong kind or out of range. What only the generator knows is checked by `generate`.
SceneDescription read_description(const std::filesystem::path& file);
/// The same for a text; `file` stands for it in messages.
SceneDescription parse_description(const std::string& text, const std::string& file);

/// Makes the mesh. The same description gives the same mesh, bit for bit. Throws InputError, with the place in the
/// file, for an unknown generator, setting or material, one that is missing, or a size that the generator cannot make.
Mesh generate(const SceneDescription& description);

/// A description that comes with the tree.
struct BuiltInDescription {
  std::string_view name;  ///< of the scene
  std::string_view file;  ///< yaml/scenes/<name>.yaml
  std::string_view text;
};
/// In alphabetic order.
std::span<const BuiltInDescription> built_in_descriptions();

}  // namespace reconverge::scenes
