// SPDX-License-Identifier: Apache-2.0
#include "scenes/generators/scene_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <istream>
#include <optional>
#include <sstream>

#include "models/core/suggestion.hpp"
#include "models/core/yaml_file.hpp"

namespace reconverge::scenes {

namespace {

/// The number that is the whole text; not a number for any other text.
double number_in(const std::string& text) {
  std::istringstream stream(text);
  double value = NAN;
  return stream >> std::noskipws >> value && (stream >> std::ws).eof() ? value : NAN;
}

/// The keys of one map: each is queried once, and keys that are never queried are unknown.
class Keys {
 public:
  /// `path`: of the map within the file; empty for the whole file.
  Keys(const std::string& file, const std::string& path, const SourceLocation& location, const YamlNode& map)
      : file_(file), location_(location), path_(path.empty() ? "" : path + ".") {
    if (!map.is_map()) throw InputError(location, fmt::format("{} is not a map", path));
    entries_ = entries(file, map);
  }
  Keys(const std::string& file, const YamlEntry& entry) : Keys(file, entry.key, entry.location, entry.value) {}

  /// Null if the file does not have the key.
  const YamlEntry* find(std::string_view key) {
    known_.push_back(key);
    const auto found = std::ranges::find(entries_, key, &YamlEntry::key);
    return found == entries_.end() ? nullptr : &*found;
  }
  const YamlEntry& need(std::string_view key) {
    const YamlEntry* const found = find(key);
    if (found == nullptr) throw InputError(location_, fmt::format("the key {}{} is missing", path_, key));
    return *found;
  }
  /// Throws if there are keys that were not queried.
  void finish() const {
    for (const YamlEntry& entry : entries_) {
      if (std::ranges::find(known_, entry.key) == known_.end()) {
        throw InputError(entry.location, fmt::format("there is no key {}{}", path_, entry.key),
                         suggest(entry.key, known_));
      }
    }
  }

  double number(const YamlNode& node, std::string_view key, double least, double most) const {
    const SourceLocation place = locate(file_, node);
    const double value = number_in(node.scalar());
    if (!std::isfinite(value)) throw InputError(place, fmt::format("{}{} is not a number", path_, key));
    if (value < least || value > most) {
      throw InputError(place, fmt::format("{}{} is {}", path_, key, value), fmt::format("give {} to {}", least, most));
    }
    return value;
  }
  std::uint64_t whole(const YamlEntry& entry, std::uint64_t least, std::uint64_t most) const {
    const double value = number(entry.value, entry.key, static_cast<double>(least), static_cast<double>(most));
    if (value != std::floor(value)) {
      throw InputError(locate(file_, entry.value), fmt::format("{}{} is not a whole number", path_, entry.key));
    }
    return static_cast<std::uint64_t>(value);
  }
  std::string text(const YamlEntry& entry) const {
    if (!entry.value.is_scalar() || entry.value.scalar().empty()) {
      throw InputError(locate(file_, entry.value), fmt::format("{}{} is not a text", path_, entry.key));
    }
    return entry.value.scalar();
  }
  Vec3 vector(const YamlEntry& entry, double least, double most) const {
    if (!entry.value.is_list() || entry.value.size() != 3) {
      throw InputError(locate(file_, entry.value), fmt::format("{}{} is not a list of three numbers", path_, entry.key),
                       "write [x, y, z]");
    }
    const auto at = [&](std::size_t i) { return static_cast<float>(number(entry.value[i], entry.key, least, most)); };
    return {at(0), at(1), at(2)};
  }

 private:
  const std::string& file_;
  SourceLocation location_;
  std::string path_;
  std::vector<YamlEntry> entries_;
  std::vector<std::string_view> known_;
};

constexpr double far = 1e6;
constexpr double brightest = 1e6;

Camera read_camera(const std::string& file, const YamlEntry& entry) {
  Keys keys(file, entry);
  Camera camera;
  camera.eye = keys.vector(keys.need("eye"), -far, far);
  camera.look_at = keys.vector(keys.need("look_at"), -far, far);
  if (const YamlEntry* up = keys.find("up")) camera.up = keys.vector(*up, -far, far);
  const YamlEntry& view = keys.need("field_of_view");
  camera.vertical_field_of_view = static_cast<float>(keys.number(view.value, view.key, 1.0, 170.0));
  keys.finish();
  return camera;
}

PaletteEntry read_material(const std::string& file, const YamlEntry& entry) {
  Keys keys(file, entry);
  const auto colour = [&keys](std::string_view key, double most) {
    const YamlEntry* const found = keys.find(key);
    return found == nullptr ? Vec3{} : keys.vector(*found, 0.0, most);
  };
  const Vec3 albedo = colour("albedo", 1.0);
  const Vec3 emission = colour("emission", brightest);
  const auto share = [&keys](std::string_view key) {
    const YamlEntry* const found = keys.find(key);
    return found == nullptr ? 0.0F : static_cast<float>(keys.number(found->value, found->key, 0.0, 1.0));
  };
  const float mirror = share("mirror");
  const float roughness = share("roughness");
  keys.finish();
  return {entry.key,
          {{albedo.x, albedo.y, albedo.z}, mirror, {emission.x, emission.y, emission.z}, roughness},
          entry.location};
}

std::vector<LightPanel> read_lights(const std::string& file, const YamlEntry& entry) {
  if (!entry.value.is_list()) {
    throw InputError(entry.location, "lights is not a list", "write one `- {material: ..., corner: ...}` a light");
  }
  std::vector<LightPanel> lights;
  for (const YamlNode& node : entry.value.items()) {
    const SourceLocation place = locate(file, node);
    Keys keys(file, "lights", place, node);
    LightPanel light{keys.text(keys.need("material")), keys.vector(keys.need("corner"), -far, far),
                     keys.vector(keys.need("u"), -far, far), keys.vector(keys.need("v"), -far, far), place};
    keys.finish();
    lights.push_back(std::move(light));
  }
  return lights;
}

SceneDescription describe(const YamlNode& document, const std::string& file) {
  Keys keys(file, "", {file, 1, 1}, document);
  SceneDescription scene;
  scene.file = file;
  scene.summary = keys.text(keys.need("summary"));
  const YamlEntry& generator = keys.need("generator");
  scene.generator = keys.text(generator);
  scene.generator_location = locate(file, generator.value);
  const YamlEntry& triangles = keys.need("triangles");
  scene.triangles = keys.whole(triangles, 1, 1'000'000'000);
  scene.triangles_location = locate(file, triangles.value);
  if (const YamlEntry* seed = keys.find("seed")) {
    scene.seed = static_cast<std::uint32_t>(keys.whole(*seed, 0, 0xFFFFFFFFU));
  }
  scene.camera = read_camera(file, keys.need("camera"));
  if (const YamlEntry* settings = keys.find("settings")) {
    const Keys own(file, *settings);
    for (const YamlEntry& entry : entries(file, settings->value)) {
      scene.settings.push_back({entry.key, own.number(entry.value, entry.key, -far, far), entry.location});
    }
  }
  const YamlEntry& materials = keys.need("materials");
  if (!materials.value.is_map()) throw InputError(materials.location, "materials is not a map");
  for (const YamlEntry& entry : entries(file, materials.value)) scene.materials.push_back(read_material(file, entry));
  if (const YamlEntry* lights = keys.find("lights")) scene.lights = read_lights(file, *lights);
  keys.finish();
  return scene;
}

}  // namespace

SceneDescription read_description(const std::filesystem::path& file) {
  return describe(read_yaml(file), file.generic_string());
}

SceneDescription parse_description(const std::string& text, const std::string& file) {
  return describe(parse_yaml(text, file), file);
}

}  // namespace reconverge::scenes
