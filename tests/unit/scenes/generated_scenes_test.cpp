// SPDX-License-Identifier: Apache-2.0
// Generated scenes have the properties of the scenes that they replace.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>
#include <set>

#include "scenes/generators/scene_description.hpp"
#include "scenes/generators/small_scenes.hpp"
#include "scenes/scene_library.hpp"
#include "scenes/scene_statistics.hpp"
#include "scenes/structures/cell_grid.hpp"
#include "tests/unit/scenes/test_support.hpp"

using namespace reconverge::scenes;

namespace {

std::filesystem::path reference_folder() {
  const char* const named = std::getenv("RECONVERGE_SCENES");
  return named != nullptr ? std::filesystem::path(named)
                          : std::filesystem::path(RECONVERGE_SOURCE_DIR) / ".." / "shared" / "scenes";
}

struct Reference {
  std::string scene;
  std::string file;                       ///< the measured scene, which is not in the repository
  std::vector<double> figures;            ///< results of `scene-stats` for the file, in the order of `figures()`
  std::set<std::string_view> apart = {};  ///< properties that the generated scene does not match (README.md)
};

const std::vector<Reference> references{
    {"conference",
     "conference_268k.ply",
     {267732, 10200, 0.0026915, 5.551e-05, 0.00014503, 0.00018973, 0.00085546, 0.015984, 1.0, 1.88267, 0.41012,
      0.9997}},
    {"forest",
     "standin_forest_174k.ply",
     {174110, 7327, 0.0001356, 1.757e-05, 3.943e-05, 9.278e-05, 0.003632, 0.007088, 0.8211, 9.244, 0.06514, 0.6661}},
    {"glassner",
     "glassner04.ply",
     {840, 11423, 0.0009062, 0.00302, 0.0107, 0.0213, 0.04425, 0.1217, 0.5268, 1.121, 0.6546, 0.3289}},
    {"plants",
     "plants_crop_284k.ply",
     {284398, 14028, 0.016, 0.000302, 0.002027, 0.003309, 0.005261, 0.009739, 0.5907, 2.292, 0.4199, 0.3738}},
    {"sponza",
     "standin_sponza_262k.ply",
     {262267, 23391, 0.008204, 0.0003402, 0.001238, 0.00197, 0.004161, 0.01287, 0.9827, 6.394, 0.2358, 0.9693},
     {"half_volume"}}};

Mesh load_without_light(const std::string& scene) {
  return load_scene(scene, {.camera = {}, .add_missing_light = false}).mesh;
}

const SceneStatistics& measured(const std::string& scene) {
  static std::map<std::string, SceneStatistics> known;
  const auto found = known.find(scene);
  if (found != known.end()) return found->second;
  return known.emplace(scene, measure(load_without_light(scene))).first->second;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string refusal_of(const std::string& text) {
  return refusal([&] { generate(parse_description(text, "scene.yaml")); });
}

}  // namespace

TEST_CASE("Generated scenes are within 20 % of the scenes that they replace") {
  for (const Reference& reference : references) {
    const auto here = figures(measured(reference.scene));
    REQUIRE(here.size() == reference.figures.size());
    for (std::size_t i = 0; i < here.size(); ++i) {
      INFO(reference.scene << " " << here[i].name << ": " << here[i].value << ", there " << reference.figures[i]);
      const double ratio = here[i].value / reference.figures[i];
      CHECK((ratio >= 1 / 1.2 && ratio <= 1.2) == (reference.apart.count(here[i].name) == 0));
    }
  }
}

TEST_CASE("The reference figures of generated scenes match the files") {
  for (const Reference& reference : references) {
    const auto file = reference_folder() / reference.file;
    if (!std::filesystem::exists(file)) {
      WARN("skipped: " << file << " is not there; set RECONVERGE_SCENES to its folder");
      continue;
    }
    const auto there = figures(measured(file.string()));
    for (std::size_t i = 0; i < there.size(); ++i) {
      INFO(reference.file << " " << there[i].name);
      CHECK(there[i].value == Approx(reference.figures[i]).epsilon(0.001));
    }
  }
}

TEST_CASE("Every generated scene has its stated number of triangles, and 4 to 16 materials, all in use") {
  for (const BuiltInDescription& built_in : built_in_descriptions()) {
    INFO(built_in.name);
    const SceneDescription description = parse_description(std::string(built_in.text), std::string(built_in.file));
    const Mesh mesh = load_without_light(std::string(built_in.name));
    CHECK(mesh.triangle_count() == description.triangles);
    CHECK(mesh.materials.size() >= 4);
    CHECK(mesh.materials.size() <= 16);
    const std::set<std::uint32_t> used(mesh.material_of_triangle.begin(), mesh.material_of_triangle.end());
    CHECK(used.size() == mesh.materials.size());
  }
}

TEST_CASE("A seed always generates the same scene, and another seed another scene") {
  const std::string text = replaced(text_of("forest"), "triangles: 174117", "triangles: 90000");
  const std::string coarse = replaced(text, "large_grain: ", "large_grain: 0.05, small_grain: 0.06}  # ");
  const Mesh first = generate(parse_description(coarse, "forest.yaml"));
  const Mesh second = generate(parse_description(coarse, "forest.yaml"));
  CHECK(first.positions == second.positions);
  CHECK(first.triangles == second.triangles);
  CHECK(first.material_of_triangle == second.material_of_triangle);
  const Mesh other = generate(parse_description(replaced(coarse, "seed: 4", "seed: 5"), "forest.yaml"));
  CHECK(other.positions != first.positions);
  CHECK(other.triangle_count() == first.triangle_count());
}

TEST_CASE("The plants are copies of a few hundred thousand triangles, two million in total") {
  const Mesh field = load_without_light("plants_field");
  CHECK(field.triangle_count() == 2'000'000);
  const std::size_t stored = field.triangle_count() - field.copies;
  CHECK(stored > 200'000);
  CHECK(stored < 500'000);
  CHECK(measured("glassner").stored_triangles == 840);
}

TEST_CASE("A user's description is a scene like a built-in one") {
  const TemporaryFolder folder("description");
  const auto file = folder.write("mine.yaml", text_of("glassner"));
  const LoadedScene scene = load_scene(file.string());
  CHECK(scene.mesh.name == "mine");
  CHECK(scene.mesh.triangle_count() == 840);
  CHECK(scene.mesh.positions == load_scene("glassner").mesh.positions);
}

TEST_CASE("The error for an invalid description has its line and column") {
  const std::string good = text_of("glassner");
  CHECK(refusal_of(good).empty());
  const auto wrong = [&](const std::string& from, const std::string& to) {
    return refusal_of(replaced(good, from, to));
  };
  CHECK(wrong("generator: glassner", "generator: glasner") ==
        "scene.yaml:2:12: there is no generator glasner; did you mean glassner?");
  CHECK(wrong("triangles: 840", "triangels: 840") == "scene.yaml:1:1: the key triangles is missing");
  CHECK(wrong("triangles: 840", "triangles: 841") ==
        "scene.yaml:3:12: 841 triangles cannot be made; with these settings the glassner has 840");
  CHECK(wrong("triangles: 840", "triangles: 840.5").find("scene.yaml:3:12: triangles is not a whole number") == 0);
  CHECK(wrong("camera: {eye", "camera: {eyes: 1, eye") ==
        "scene.yaml:4:10: there is no key camera.eyes; did you mean eye?");
  CHECK(wrong("eye: [-7.61,", "eye: [north,") == "scene.yaml:4:16: camera.eye is not a number");
  CHECK(wrong("field_of_view: 55", "field_of_view: 190").find("camera.field_of_view is 190; give 1 to 170") !=
        std::string::npos);
  CHECK(wrong("  cube:", "  cubes:").find("neither a glassner nor a light has the material cubes") !=
        std::string::npos);
  CHECK(wrong("  cube: {albedo: [0.7, 0.16, 0.1]}\n", "").find("the material cube is missing") != std::string::npos);
  CHECK(
      wrong("lamp: {emission: [270, 252, 225]", "lamp: {albedo: [1, 1, 1]").find("the material lamp does not shine") !=
      std::string::npos);
  CHECK(wrong("camera:", "settings: {arcs: 3}\ncamera:").find("there is no key settings.arcs") != std::string::npos);
  const std::string far = replaced(text_of("forest"), "trees: 48", "trees: 4800");
  CHECK(refusal_of(far).find("settings.trees is 4800; give 0 to 2000") != std::string::npos);
}

TEST_CASE("A cell is occupied if a triangle touches it") {
  Mesh mesh = quad();
  CHECK(CellGrid(mesh, 4).occupied() == 16);
  mesh.triangles.resize(1);
  mesh.material_of_triangle.resize(1);
  // The triangle is half of the square. It touches the cells on the diagonal, and the cells above only at corners.
  CHECK(CellGrid(mesh, 4).occupied() >= 10);
  CHECK(CellGrid(mesh, 4).occupied() < 16);
}
