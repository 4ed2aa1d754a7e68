// SPDX-License-Identifier: Apache-2.0
#include "scenes/scene_library.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "models/core/digest.hpp"
#include "scenes/generators/small_scenes.hpp"
#include "scenes/scene_statistics.hpp"
#include "scenes/structures/bvh.hpp"
#include "tests/unit/scenes/test_support.hpp"

using namespace reconverge::scenes;

TEST_CASE("Every built-in scene loads, is valid, and has a light") {
  for (const std::string& name : scene_names()) {
    INFO(name);
    const LoadedScene scene = load_scene(name);
    CHECK(scene.mesh.name == name);
    CHECK_NOTHROW(check_mesh(scene.mesh));
    CHECK_FALSE(scene.mesh.lights().empty());
    CHECK_FALSE(scene.light_added);
  }
}

TEST_CASE("The conference rooms have their documented numbers of triangles") {
  const auto triangles = [](std::string_view name) { return load_scene(name).mesh.triangle_count(); };
  CHECK(triangles("conference") == 286'529);
  CHECK(triangles("conference_small") == 2'158);
  CHECK(triangles("conference_large") == 987'552);  // Steffen and Zambreno, Table III
}

TEST_CASE("Tracing the conference room takes as much work as the real one") {
  const Mesh mesh = load_scene("conference").mesh;
  const SceneStatistics statistics = measure(mesh);
  INFO(to_string(statistics));
  CHECK(statistics.hit_rate == 1.0);
  CHECK(statistics.diffuse_hit_rate > 0.999);
  CHECK(statistics.half_volume < 0.004);
  CHECK(statistics.depth_complexity == Approx(1.91).epsilon(0.15));
  CHECK(statistics.mean_distance == Approx(0.41).epsilon(0.2));
  const std::set<std::uint32_t> used(mesh.material_of_triangle.begin(), mesh.material_of_triangle.end());
  CHECK(used.size() == mesh.materials.size());
  CHECK(used.size() >= 4);
  CHECK(used.size() <= 16);
}

TEST_CASE("Statistics of a quad match a calculation by hand") {
  Mesh mesh = quad();
  mesh.camera = {{0.5F, 0.5F, 1.0F}, {0.5F, 0.5F, 0.0F}, {0, 1, 0}, 45.0F};
  const SceneStatistics statistics = measure(mesh, {.width = 40, .height = 40, .grid_cells = 4});
  CHECK(statistics.triangles == 2);
  CHECK(statistics.hit_rate == 1.0);
  CHECK(statistics.depth_complexity == 1.0);
  CHECK(statistics.diffuse_hit_rate == 0.0);
  CHECK(statistics.half_volume == Approx(1.0 / 16.0));
  CHECK(statistics.edge_percentiles[0] == Approx(std::sqrt(0.5)));
  CHECK(statistics.edge_percentiles[4] == Approx(1.0));
}

TEST_CASE("The error for an unknown name has the nearest known name") {
  const std::string message = refusal([] { load_scene("confrence"); });
  CHECK(message.find("'confrence'") != std::string::npos);
  CHECK(message.find("did you mean 'conference'") != std::string::npos);
  CHECK(refusal([] { load_scene("bx"); }).find("did you mean 'box'") != std::string::npos);
  CHECK(refusal([] { load_scene("./missing.ply"); }).find("no such file") != std::string::npos);
}

TEST_CASE("A file without lights gets one behind the camera") {
  const TemporaryFolder folder("library");
  const auto file = folder.write("one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const LoadedScene scene = load_scene(file.string());
  CHECK(scene.light_added);
  CHECK(scene.mesh.triangle_count() == 3);
  CHECK(scene.mesh.lights() == std::vector<std::uint32_t>{1, 2});
  const LoadedScene dark = load_scene(file.string(), {.camera = {}, .add_missing_light = false});
  CHECK_FALSE(dark.light_added);
  CHECK(dark.mesh.triangle_count() == 1);
}

TEST_CASE("Camera settings replace the scene's camera, or parts of it") {
  const Camera own = load_scene("quad").mesh.camera;
  const CameraSettings all{Vec3{0, 0, 5}, Vec3{0, 0, 0}, Vec3{0, 1, 0}, 30.0F};
  CHECK(load_scene("quad", {.camera = all}).mesh.camera == Camera{{0, 0, 5}, {0, 0, 0}, {0, 1, 0}, 30.0F});
  const CameraSettings eye{.eye = Vec3{0, 0, 5}, .look_at = {}, .up = {}, .vertical_field_of_view = {}};
  CHECK(load_scene("quad", {.camera = eye}).mesh.camera ==
        Camera{{0, 0, 5}, own.look_at, own.up, own.vertical_field_of_view});
  const CameraSettings inside{.eye = own.look_at, .look_at = {}, .up = {}, .vertical_field_of_view = {}};
  CHECK_FALSE(refusal([&] { load_scene("quad", {.camera = inside}); }).empty());
}

TEST_CASE("A manifest in the file's folder sets the camera") {
  const TemporaryFolder folder("manifest");
  const auto file = folder.write("one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  folder.write("manifest.json", R"([{"file": "other.obj"}, {"file": "one.obj",
    "camera": {"eye": [1, 2, 3], "lookat": [0, 0, 0], "up": [0, 1, 0], "fov": 50}}])");
  const Camera camera = load_scene(file.string()).mesh.camera;
  CHECK(camera == Camera{{1, 2, 3}, {0, 0, 0}, {0, 1, 0}, 50.0F});
  CHECK(load_scene(file.string(),
                   {.camera = {.eye = Vec3{0, 0, 9}, .look_at = {}, .up = {}, .vertical_field_of_view = {}}})
            .mesh.camera == Camera{{0, 0, 9}, {0, 0, 0}, {0, 1, 0}, 50.0F});
  folder.write("manifest.json", "[{");
  CHECK(refusal([&] { load_scene(file.string()); }).find("manifest.json") != std::string::npos);
}

TEST_CASE("A file that does not match its manifest is refused") {
  const TemporaryFolder folder("manifest_match");
  const auto file = folder.write("one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 1 1\n");
  const std::string digest = reconverge::sha256(read_file(file));
  const auto refusal_with = [&](const std::string& keys) {
    folder.write("manifest.json", R"([{"file": "one.obj")" + keys + "}]");
    return refusal([&] { load_scene(file.string()); });
  };
  CHECK(refusal_with("").empty());
  CHECK(refusal_with(R"(, "triangles": 2, "sha256": ")" + digest + "\"").empty());
  const std::string manifest = folder.file("manifest.json").string();
  CHECK(refusal_with(R"(, "triangles": 1)") ==
        file.string() + ": it is not the file that " + manifest +
            " describes: 2 triangles instead of 1; correct its entry there, or remove that");
  CHECK(refusal_with(R"(, "triangles": 2, "sha256": "00ff")").find("its SHA-256 is " + digest + " instead of 00ff") !=
        std::string::npos);
  CHECK(refusal_with(R"(, "triangles": "two")").find("cannot be read as a list of scenes") != std::string::npos);
}
