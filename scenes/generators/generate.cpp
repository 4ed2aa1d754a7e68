// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "models/core/suggestion.hpp"
#include "scenes/generators/generator.hpp"

namespace reconverge::scenes {

namespace {

constexpr std::array<const Generator*, 6> generators{&atrium_generator,   &conference_generator, &forest_generator,
                                                     &glassner_generator, &plants_generator,     &sponza_generator};

const Generator& find_generator(const SceneDescription& scene) {
  std::vector<std::string_view> names;
  for (const Generator* generator : generators) {
    if (generator->name == scene.generator) return *generator;
    names.push_back(generator->name);
  }
  throw InputError(scene.generator_location, fmt::format("there is no generator {}", scene.generator),
                   suggest(scene.generator, names));
}

void define_settings(const SceneDescription& scene, const Generator& generator, Workshop& workshop) {
  std::vector<std::string_view> names;
  for (const Setting& setting : generator.settings) {
    names.push_back(setting.name);
    workshop.define_setting(setting.name, setting.standard);
  }
  for (const SettingValue& given : scene.settings) {
    const auto setting = std::ranges::find(generator.settings, given.name, &Setting::name);
    if (setting == generator.settings.end()) {
      throw InputError(given.location, fmt::format("there is no key settings.{} for a {}", given.name, generator.name),
                       suggest(given.name, names));
    }
    if (given.value < setting->least || given.value > setting->most) {
      throw InputError(given.location, fmt::format("settings.{} is {}", given.name, given.value),
                       fmt::format("give {} to {}", setting->least, setting->most));
    }
    workshop.define_setting(setting->name, given.value);
  }
}

void define_materials(const SceneDescription& scene, const Generator& generator, Workshop& workshop) {
  for (const PaletteEntry& entry : scene.materials) {
    const bool shines = std::ranges::find(scene.lights, entry.name, &LightPanel::material) != scene.lights.end();
    const auto known = std::ranges::find(generator.materials, entry.name);
    if (known == generator.materials.end() && !shines) {
      throw InputError(entry.location,
                       fmt::format("neither a {} nor a light has the material {}", generator.name, entry.name),
                       suggest(entry.name, generator.materials));
    }
    workshop.define_material(
        entry.name, workshop.mesh.add_material(entry.name, to_vec3(entry.material.albedo), entry.material.mirror,
                                               to_vec3(entry.material.emission), entry.material.roughness));
  }
  for (const std::string_view name : generator.materials) {
    if (std::ranges::find(scene.materials, name, &PaletteEntry::name) == scene.materials.end()) {
      throw InputError({scene.file, 1, 1}, fmt::format("the material {} is missing", name),
                       fmt::format("a {} needs it", generator.name));
    }
  }
}

void add_lights(const SceneDescription& scene, Workshop& workshop) {
  for (const LightPanel& light : scene.lights) {
    const auto entry = std::ranges::find(scene.materials, light.material, &PaletteEntry::name);
    if (entry == scene.materials.end()) {
      throw InputError(light.location, fmt::format("there is no material {}", light.material),
                       "name one of the file's materials");
    }
    if (!(max_component(to_vec3(entry->material.emission)) > 0.0F)) {
      throw InputError(light.location, fmt::format("the material {} does not shine", light.material),
                       "give it an emission");
    }
    workshop.use(light.material);
    workshop.mesh.add_rectangle(light.corner, light.u, light.v);
  }
}

}  // namespace

std::size_t Workshop::missing() {
  const std::size_t there = mesh.tidy();
  return there < triangles() ? triangles() - there : 0;
}

Mesh generate(const SceneDescription& scene) {
  const Generator& generator = find_generator(scene);
  MeshBuilder builder(scene.generator, 1.0F);
  Workshop workshop(scene, builder);
  define_settings(scene, generator, workshop);
  define_materials(scene, generator, workshop);
  add_lights(scene, workshop);
  generator.build(workshop);
  const std::size_t made = builder.tidy();
  if (made != scene.triangles) {
    throw InputError(scene.triangles_location, fmt::format("{} triangles cannot be made", scene.triangles),
                     fmt::format("with these settings the {} has {}", generator.name, made));
  }
  return std::move(builder).finish(scene.camera);
}

}  // namespace reconverge::scenes
