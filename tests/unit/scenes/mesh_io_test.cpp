// SPDX-License-Identifier: Apache-2.0
#include "scenes/files/mesh_io.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "scenes/generators/small_scenes.hpp"
#include "tests/unit/scenes/test_support.hpp"

using namespace reconverge::scenes;

namespace {

const char* const triangle_gltf = R"({
 "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
 "nodes": [{"translation": [10, 0, 0], "children": [1]}, {"scale": [2, 2, 2], "mesh": 0}],
 "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [0.25, 0.5, 0.75, 1]}, "emissiveFactor": [1, 0.5, 0]}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
 "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],
 "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 36}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0,0,0], "max": [1,1,0]}]})";

}  // namespace

TEST_CASE("An OBJ file supplies polygons and materials") {
  const TemporaryFolder folder("obj");
  folder.write("two.mtl", "newmtl red\nKd 0.8 0.1 0.2\nnewmtl lamp\nKd 0 0 0\nKe 5 4 3\n");
  const auto file = folder.write("two.obj",
                                 "mtllib two.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\n"
                                 "usemtl red\nf 1 2 3 4\nusemtl lamp\nf 1 2 5\n");
  const LoadedMesh loaded = load_mesh(file);
  CHECK(loaded.repairs == MeshRepairs{});
  CHECK(loaded.mesh.triangle_count() == 3);
  CHECK(loaded.mesh.name == file.string());
  const auto lights = loaded.mesh.lights();
  REQUIRE(lights.size() == 1);
  const Material& lamp = loaded.mesh.material(lights[0]);
  CHECK(to_vec3(lamp.emission) == Vec3{5, 4, 3});
  std::size_t red = 0;
  for (std::size_t i = 0; i < 3; ++i) red += to_vec3(loaded.mesh.material(i).albedo) == Vec3{0.8F, 0.1F, 0.2F} ? 1 : 0;
  CHECK(red == 2);
  CHECK(loaded.mesh.bounds().high == Vec3{1, 1, 1});
}

TEST_CASE("Highlights of a file become rough mirrors, and very wide ones diffuse surfaces") {
  const TemporaryFolder folder("highlights");
  folder.write("a.mtl",
               "newmtl sharp\nKs 0.3 0.3 0.3\nNs 198\nnewmtl dull\nKs 0.5 0.5 0.5\nNs 2\nnewmtl ideal\nKs 1 1 1\n");
  const auto file = folder.write("a.obj",
                                 "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nusemtl sharp\nf 1 2 3\n"
                                 "usemtl dull\nf 1 3 2\nusemtl ideal\nf 2 3 1\n");
  const LoadedMesh obj = load_mesh(file);
  CHECK(obj.mesh.material(0).mirror == Approx(0.3F));
  CHECK(obj.mesh.material(0).roughness == Approx(0.1F));
  CHECK(obj.mesh.material(1).mirror == 0.0F);
  CHECK(obj.mesh.material(2).mirror == Approx(1.0F));
  CHECK(obj.mesh.material(2).roughness == 0.0F);

  std::string text = triangle_gltf;
  const std::string colour = "\"baseColorFactor\": [0.25, 0.5, 0.75, 1]";
  REQUIRE(text.find(colour) != std::string::npos);
  text.replace(text.find(colour), colour.size(), colour + ", \"metallicFactor\": 0, \"roughnessFactor\": 0.5");
  const LoadedMesh gltf = load_mesh(folder.write("a.gltf", text));
  CHECK(gltf.mesh.material(0).mirror == Approx(0.04F));
  CHECK(gltf.mesh.material(0).roughness == Approx(0.25F));
}

TEST_CASE("named_files lists the material files of an OBJ file") {
  using Files = std::vector<std::filesystem::path>;
  const TemporaryFolder folder("mtl");
  const auto named = folder.write("my materials.mtl", "newmtl a\n");
  const auto other = folder.write("b.mtl", "newmtl b\n");
  const auto file =
      folder.write("b.obj", "# mtllib c.mtl\nmtllib my materials.mtl \nv 0 0 0\nmtllib my materials.mtl\n");
  CHECK(named_files(file) == Files{named});
  // If a library is missing, the library with the scene's name replaces it, as in assimp.
  CHECK(named_files(folder.write("b.obj", "mtllib gone.mtl\r\n")) == Files{other});
  CHECK(named_files(folder.write("c.obj", "mtllib gone.mtl\n")).empty());
  CHECK(named_files(folder.write("b.ply", "mtllib b.mtl\n")).empty());
  CHECK(named_files(folder.path() / "none.obj").empty());
}

TEST_CASE("A glTF file's node transforms and colours are applied") {
  const TemporaryFolder folder("gltf");
  const LoadedMesh loaded = load_mesh(folder.write("one.gltf", triangle_gltf));
  REQUIRE(loaded.mesh.triangle_count() == 1);
  const auto corners = loaded.mesh.corners(0);
  CHECK(corners[0] == Vec3{10, 0, 0});
  CHECK(corners[1] == Vec3{12, 0, 0});
  CHECK(corners[2] == Vec3{10, 2, 0});
  CHECK(to_vec3(loaded.mesh.material(0).albedo) == Vec3{0.25F, 0.5F, 0.75F});
  CHECK(to_vec3(loaded.mesh.material(0).emission) == Vec3{1.0F, 0.5F, 0.0F});
}

TEST_CASE("OBJ: negative corners count from the last vertex, lines may continue, polygons may be concave") {
  const TemporaryFolder folder("dents");
  // The polygon is an L with six corners, whose area is three unit squares.
  const LoadedMesh loaded = load_mesh(folder.write("dents.obj",
                                                   "mtllib none.mtl\nusemtl plain\nv 0 0 0\nv 2 0 0 # a corner\n"
                                                   "v 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n"
                                                   "f -6/1/1 2//1 \\\n 3 -3 5 -1\nl 1 2\n"));
  CHECK(loaded.mesh.triangle_count() == 4);
  CHECK(loaded.repairs.other_primitives == 1);
  CHECK(loaded.mesh.material_names == std::vector<std::string>{"plain"});
  float area = 0.0F;
  for (std::size_t i = 0; i < loaded.mesh.triangle_count(); ++i) {
    const Vec3 normal = geometric_normal(loaded.mesh.corners(i));
    CHECK(normal.z > 0.0F);
    area += normal.z / 2.0F;
  }
  CHECK(area == 3.0F);
}

TEST_CASE("A glTF file supplies its camera, indices of every width, and strips") {
  const TemporaryFolder folder("camera");
  folder.write("four points.bin", std::string("\0\1\2\3", 4) + std::string(12, '\0') +
                                      std::string("\0\0\x80\x3f\0\0\0\0\0\0\0\0", 12) +
                                      std::string("\0\0\0\0\0\0\x80\x3f\0\0\0\0", 12) +
                                      std::string("\0\0\x80\x3f\0\0\x80\x3f\0\0\0\0", 12));
  const LoadedMesh loaded = load_mesh(folder.write("strip.gltf", R"({
 "asset": {"version": "2.0"}, "scenes": [{"nodes": [0, 1]}],
 "nodes": [{"mesh": 0}, {"camera": 0, "translation": [0, 0, 5]}],
 "cameras": [{"type": "perspective", "perspective": {"yfov": 1.5707963267948966, "znear": 0.1}}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": 5}, {"attributes": {"POSITION": 0}, "mode": 0}]}],
 "buffers": [{"byteLength": 52, "uri": "four%20points.bin"}],
 "bufferViews": [{"buffer": 0, "byteOffset": 4, "byteLength": 48}, {"buffer": 0, "byteLength": 4}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
               {"bufferView": 1, "componentType": 5121, "count": 4, "type": "SCALAR"}]})"));
  REQUIRE(loaded.mesh.triangle_count() == 2);
  CHECK(loaded.repairs.other_primitives == 1);
  for (std::size_t i = 0; i < 2; ++i) CHECK(geometric_normal(loaded.mesh.corners(i)) == Vec3{0, 0, 1});
  CHECK(loaded.mesh.camera.eye == Vec3{0, 0, 5});
  CHECK(loaded.mesh.camera.look_at == Vec3{0, 0, 4});
  CHECK(loaded.mesh.camera.up == Vec3{0, 1, 0});
  CHECK(loaded.mesh.camera.vertical_field_of_view == Approx(90.0F));
}

TEST_CASE("A PLY file is read as it was written") {
  const TemporaryFolder folder("ply");
  const Mesh mesh = box();
  std::ostringstream text;
  write_ply(mesh, text);
  const LoadedMesh loaded = load_mesh(folder.write("box.ply", text.str()));
  CHECK(loaded.repairs == MeshRepairs{});
  REQUIRE(loaded.mesh.triangle_count() == mesh.triangle_count());
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i) CHECK(loaded.mesh.corners(i) == mesh.corners(i));
}

TEST_CASE("Invalid triangles in a file are dropped and counted") {
  const TemporaryFolder folder("repair");
  const auto file =
      folder.write("bad.ply",
                   "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\n"
                   "property float z\nelement face 3\nproperty list uchar int vertex_indices\nend_header\n"
                   "0 0 0\n1 0 0\n0 1 0\nnan 0 0\n2 0 0\n3 0 1 2\n3 0 1 3\n3 0 1 4\n");
  const LoadedMesh loaded = load_mesh(file);
  CHECK(loaded.mesh.triangle_count() == 1);
  CHECK(loaded.repairs.non_finite_triangles == 1);
  CHECK(loaded.repairs.degenerate_triangles == 1);
}

TEST_CASE("Broken files are refused with their name") {
  const TemporaryFolder folder("broken");
  std::ostringstream ply;
  write_ply(box(), ply);
  const std::string header = ply.str().substr(0, ply.str().find("end_header"));
  std::string split = ply.str();
  split[split.find("float y") - 1] = '\r';
  const std::array<std::array<std::string, 2>, 10> cases{{
      {"split.ply", split},
      {"empty.ply", ""},
      {"noise.ply", "this is no scene\n"},
      {"header.ply", header},
      {"cut.ply", ply.str().substr(0, 200)},
      {"empty.obj", ""},
      {"points.obj", "v 0 0 0\nv 1 0 0\n"},
      {"cut.gltf", std::string(triangle_gltf).substr(0, 300)},
      {"noise.glb", "glTF not really"},
      {"scene.unknown", "v 0 0 0\n"},
  }};
  for (const auto& [name, text] : cases) {
    const auto file = folder.write(name, text);
    const std::string message = refusal([&file = file] { load_mesh(file); });
    INFO(name << ": " << message);
    CHECK(message.find(file.string()) != std::string::npos);
  }
  CHECK(refusal([&] { load_mesh(folder.file("missing.obj")); }).find("no such file") != std::string::npos);
  CHECK_FALSE(refusal([&] { load_mesh(folder.path()); }).empty());
}

TEST_CASE("A mesh never has indices out of range") {
  const TemporaryFolder folder("range");
  const auto file =
      folder.write("range.ply",
                   "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                   "property float z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n"
                   "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 70000\n");
  try {
    const LoadedMesh loaded = load_mesh(file);
    CHECK(loaded.mesh.triangle_count() == 1);
    CHECK(loaded.repairs.out_of_range_triangles == 1);
  } catch (const reconverge::InputError& error) {
    CHECK(std::string(error.what()).find(file.string()) != std::string::npos);
  }
}
