// SPDX-License-Identifier: Apache-2.0
/// A scene file may read other files only in its folder, regardless of the form of the path.

#include "scenes/files/named_file.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "scenes/files/mesh_io.hpp"
#include "scenes/files/ray_stream_file.hpp"
#include "tests/unit/scenes/test_support.hpp"

using namespace reconverge::scenes;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

/// Nine floats, which are the corners of a triangle.
const std::string corners("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\0", 36);

std::string gltf_with(const std::string& uri) {
  return R"({"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
 "buffers": [{"byteLength": 36, "uri": ")" +
         uri + R"("}], "bufferViews": [{"buffer": 0, "byteLength": 36}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}]})";
}

/// The folder of a scene, and files outside it that the scene must not read.
struct Place {
  Place() {
    fs::create_directories(folder.file("scene/parts"));
    folder.write("secret.bin", corners);
    folder.write("secret.mtl", "newmtl red\nKd 1 0 0\n");
    folder.write("scene/parts/own.bin", corners);
    folder.write("scene/parts/own.mtl", "newmtl red\nKd 1 0 0\n");
    fs::create_symlink(folder.file("secret.bin"), folder.file("scene/link.bin"));
    fs::create_directory_symlink(folder.path(), folder.file("scene/up"));
    fs::create_symlink("parts/own.bin", folder.file("scene/inner.bin"));
  }
  fs::path gltf(const std::string& uri) const { return folder.write("scene/one.gltf", gltf_with(uri)); }
  fs::path obj(const std::string& library) const {
    return folder.write("scene/one.obj",
                        "# one\nmtllib " + library + "\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n");
  }

  TemporaryFolder folder{"named"};
};

}  // namespace

TEST_CASE("A glTF file reads buffers in its folder") {
  const Place place;
  for (const char* uri :
       {"parts/own.bin", "./parts/own.bin", "parts/../parts/own.bin", "parts%2Fown.bin", "inner.bin"}) {
    INFO(uri);
    CHECK(load_mesh(place.gltf(uri)).mesh.triangle_count() == 1);
  }
}

TEST_CASE("glTF: a buffer outside the folder of its file is refused, unless it is allowed") {
  const Place place;
  const std::string absolute = place.folder.file("secret.bin").string();
  for (const std::string& uri :
       {std::string("../secret.bin"), std::string("parts/../../secret.bin"), std::string("%2e%2e/secret.bin"),
        std::string("..%2Fsecret.bin"), std::string("link.bin"), std::string("up/secret.bin"), absolute}) {
    INFO(uri);
    const fs::path file = place.gltf(uri);
    const std::string message = refusal([&] { load_mesh(file); });
    CHECK_THAT(message, Contains(file.string() + ": it names the file '") && Contains("outside_files: true"));
    CHECK(refusal([&] { scene_files(file.string(), OutsideFiles::refused); }) == message);
    CHECK(load_mesh(file, OutsideFiles::allowed).mesh.triangle_count() == 1);
    CHECK(load_scene(file.string(), {.camera = {}, .outside = OutsideFiles::allowed}).mesh.triangle_count() >= 1);
  }
  CHECK_THAT(refusal([&] { load_mesh(place.gltf(absolute)); }), Contains("which is absolute"));
  CHECK_THAT(refusal([&] { load_mesh(place.gltf("../secret.bin")); }), Contains("which lies outside the folder"));
  CHECK_THAT(refusal([&] { load_mesh(place.gltf("link.bin")); }), Contains("which is a link that leads out"));
}

TEST_CASE("named_files lists all files that a scene depends on") {
  const Place place;
  const auto files = [](const fs::path& file) { return scene_files(file.string(), OutsideFiles::refused); };
  const fs::path gltf = place.gltf("parts%2Fown.bin");
  CHECK(files(gltf) == std::vector<fs::path>{gltf, place.folder.file("scene/parts/own.bin")});
  place.folder.write("scene/manifest.json", "[]");
  const fs::path obj = place.obj("parts/own.mtl");
  CHECK(files(obj) ==
        std::vector<fs::path>{obj, place.folder.file("scene/parts/own.mtl"), place.folder.file("scene/manifest.json")});
  CHECK(files(place.gltf("gone.bin")).size() == 2);
  CHECK(files("conference").empty());
}

TEST_CASE("glTF: a URI that is not a relative path, and an invalid name, are always refused") {
  const Place place;
  for (const char* uri : {"http://example.org/own.bin", "file:///secret.bin", "FILE:parts/own.bin"}) {
    INFO(uri);
    CHECK_THAT(refusal([&] { load_mesh(place.gltf(uri), OutsideFiles::allowed); }),
               Contains("which is not a relative path"));
  }
  CHECK_THAT(refusal([&] { load_mesh(place.gltf("parts/own.bin%00.png"), OutsideFiles::allowed); }),
             Contains("it names a file that cannot be one"));
}

TEST_CASE("OBJ: material files outside the folder are refused, unless other folders are allowed") {
  const Place place;
  CHECK(load_mesh(place.obj("parts/own.mtl")).mesh.material(0).albedo[0] == 1.0F);
  fs::create_symlink(place.folder.file("secret.mtl"), place.folder.file("scene/link.mtl"));
  for (const std::string& library :
       {std::string("../secret.mtl"), std::string("link.mtl"), place.folder.file("secret.mtl").string()}) {
    INFO(library);
    const fs::path file = place.obj(library);
    CHECK_THAT(refusal([&] { load_mesh(file); }), Contains(file.string() + ":2: it names the file '" + library));
    CHECK_THAT(refusal([&] { named_files(file); }), Contains(":2: it names the file '"));
    CHECK(load_mesh(file, OutsideFiles::allowed).mesh.material(0).albedo[0] == 1.0F);
  }
  // The file that replaces a missing library must not be a link to a file outside, either.
  fs::create_symlink(place.folder.file("secret.mtl"), place.folder.file("scene/one.mtl"));
  CHECK_THAT(refusal([&] { load_mesh(place.obj("gone.mtl")); }), Contains("'one.mtl', which is a link that leads out"));
}

TEST_CASE("A manifest that is a link to a file outside the folder is not read") {
  const Place place;
  place.folder.write("manifest.json", R"([{"file": "one.obj", "triangles": 7}])");
  fs::create_symlink(place.folder.file("manifest.json"), place.folder.file("scene/manifest.json"));
  const std::string file = place.obj("parts/own.mtl").string();
  CHECK_THAT(refusal([&] { load_scene(file); }), Contains("'manifest.json', which is a link that leads out"));
  CHECK_THAT(refusal([&] { load_scene(file, {.camera = {}, .outside = OutsideFiles::allowed}); }),
             Contains("1 triangles instead of 7"));
}

TEST_CASE("A pipe instead of a scene, its files, its manifest or rays is refused at once") {
  const Place place;
  const auto pipe = [&place](const std::string& name) {
    const fs::path file = place.folder.file(name);
    REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
    return file;
  };
  for (const char* name : {"pipe.obj", "pipe.ply", "pipe.gltf", "pipe.vox"}) {
    const fs::path file = pipe(name);
    CHECK_THAT(refusal([&] { load_mesh(file); }), Contains("this is a pipe; name a scene file"));
  }
  pipe("scene/pipe.bin");
  CHECK_THAT(refusal([&] { load_mesh(place.gltf("pipe.bin")); }), Contains("pipe.bin: this is a pipe"));
  pipe("scene/pipe.mtl");
  CHECK_THAT(refusal([&] { load_mesh(place.obj("pipe.mtl")); }), Contains("pipe.mtl: this is a pipe"));
  pipe("scene/manifest.json");
  const std::string file = place.obj("parts/own.mtl").string();
  CHECK_THAT(refusal([&] { load_scene(file); }), Contains("manifest.json: this is a pipe; name a list of scenes"));
  const fs::path rays = pipe("pipe.rays");
  CHECK_THAT(refusal([&] { load_streams(rays); }), Contains("this is a pipe; name a ray stream file"));
}
