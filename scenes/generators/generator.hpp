#pragma once
/// What a generator of scenes is: a name, the colours and settings that it needs, and a function that builds.

#include <map>
#include <span>
#include <string_view>

#include "scenes/generators/dice.hpp"
#include "scenes/generators/scene_description.hpp"
#include "scenes/generators/shapes.hpp"

namespace reconverge::scenes {

/// A number that a description may set.
struct Setting {
  std::string_view name;
  double standard;  ///< without a word in the description
  double least;
  double most;
};

/// What a generator builds with: the description, checked and looked up.
class Workshop {
 public:
  Workshop(const SceneDescription& description, MeshBuilder& builder) : mesh(builder), description_(description) {}

  /// The triangles wanted.
  std::size_t triangles() const { return description_.triangles; }
  /// How many of them are still to come; 0 when there are more already.
  std::size_t missing();
  Dice dice(std::uint32_t row) const { return {description_.seed, row}; }
  float setting(std::string_view name) const { return settings_.at(name); }
  int count(std::string_view name) const { return static_cast<int>(settings_.at(name)); }
  std::uint32_t material(std::string_view name) const { return materials_.at(name); }
  /// What follows is of that material.
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
  std::span<const std::string_view> materials;  ///< every one must be in the description
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
