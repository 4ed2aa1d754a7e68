// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A scene generator: a name, the materials and settings that it needs, and a function that builds the mesh.

#include <map>
#include <span>
#include <string_view>

#include "scenes/generators/dice.hpp"
#include "scenes/generators/scene_description.hpp"
#include "scenes/generators/shapes.hpp"

namespace reconverge::scenes {

/// A number that a description can set.
struct Setting {
  std::string_view name;
  double standard;  ///< default, if the description does not set it
  double least;
  double most;
};

/// The checked description that a generator builds from.
class Workshop {
 public:
  Workshop(const SceneDescription& description, MeshBuilder& builder) : mesh(builder), description_(description) {}

  /// The requested number of triangles.
  std::size_t triangles() const { return description_.triangles; }
  /// The number of triangles still missing; 0 if there are already more than requested.
  std::size_t missing();
  Dice dice(std::uint32_t row) const { return {description_.seed, row}; }
  float setting(std::string_view name) const { return settings_.at(name); }
  int count(std::string_view name) const { return static_cast<int>(settings_.at(name)); }
  std::uint32_t material(std::string_view name) const { return materials_.at(name); }
  /// Sets the material of the following triangles.
  void use(std::string_view material) { mesh.use_material(materials_.at(material)); }

  void define_material(std::string_view name, std::uint32_t index) { materials_[name] = index; }
  void define_setting(std::string_view name, double value) { settings_[name] = static_cast<float>(value); }

  MeshBuilder& mesh;

 private:
  const SceneDescription& description_;
  std::map<std::string_view, float> settings_;
  std::map<std::string_view, std::uint32_t> materials_;
};

struct Generator {
  std::string_view name;
  std::span<const std::string_view> materials;  ///< all must be in the description
  std::span<const Setting> settings;
  void (*build)(Workshop& workshop);
};

extern const Generator atrium_generator;
extern const Generator conference_generator;
extern const Generator forest_generator;
extern const Generator glassner_generator;
extern const Generator plants_generator;
extern const Generator sponza_generator;

}  // namespace reconverge::scenes
