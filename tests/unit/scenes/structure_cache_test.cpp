// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/structure_cache.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "models/core/digest.hpp"
#include "scenes/generators/small_scenes.hpp"
#include "tests/unit/scenes/test_support.hpp"

using namespace reconverge::scenes;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

template <typename T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}
template <typename T>
bool same_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

bool same(const Bvh& a, const Bvh& b) {
  return same_bytes(a.nodes, b.nodes) && same_bytes(a.rows, b.rows) && a.triangle_of_row == b.triangle_of_row &&
         a.depth == b.depth && a.leaves == b.leaves;
}
bool same(const KdTree& a, const KdTree& b) {
  return same_bytes(a.bounds, b.bounds) && same_bytes(a.nodes, b.nodes) && a.leaf_triangles == b.leaf_triangles &&
         same_bytes(a.triangles, b.triangles) && a.depth == b.depth && a.leaves == b.leaves &&
         a.empty_leaves == b.empty_leaves;
}
bool same(const Grid& a, const Grid& b) {
  return same_bytes(a.bounds, b.bounds) && same_bytes(a.frame, b.frame) && a.first == b.first &&
         a.cell_triangles == b.cell_triangles && same_bytes(a.triangles, b.triangles);
}

/// A cache in a temporary folder, and the lines that it has printed.
struct Place {
  explicit Place(const std::string& name)
      : folder(name), cache(folder.path() / "kept", [this](const std::string& line) { lines.push_back(line); }) {}

  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder.path() / "kept", none)) found.push_back(entry.path());
    return found;
  }

  TemporaryFolder folder;
  std::vector<std::string> lines;
  StructureCache cache;
};

void write(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

constexpr std::size_t header_bytes = 152;
constexpr std::size_t checksum_at = 88;

/// The image with other contents and a matching header.
std::string with_contents(std::string image, const std::string& contents) {
  const auto size = static_cast<std::uint64_t>(contents.size());
  std::memcpy(image.data() + 16, &size, sizeof(size));
  const std::string digest = reconverge::sha256(contents);
  image.replace(checksum_at, digest.size(), digest);
  return image.substr(0, header_bytes) + contents;
}

/// Sets or unsets an environment variable during the lifetime of the object.
class Variable {
 public:
  Variable(const char* name, const std::optional<std::string>& value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    set(value);
  }
  ~Variable() { set(before_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const std::optional<std::string>& value) const {
    if (value) {
      setenv(name_, value->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }

  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("A structure read from the cache equals the built one") {
  Place place("cache_back");
  const Mesh mesh = random_mesh(3, 500, 1.0F, 0.2F);
  for (int time = 0; time < 2; ++time) {
    CHECK(same(place.cache.bvh(mesh), build_bvh(mesh)));
    CHECK(same(place.cache.sbvh(mesh), build_sbvh(mesh)));
    CHECK(same(place.cache.kd_tree(mesh), build_kd_tree(mesh)));
    CHECK(same(place.cache.grid(mesh), build_grid(mesh)));
    CHECK(place.files().size() == 4);
  }
  CHECK(place.lines.empty());
}

TEST_CASE("The name of a cached file depends exactly on the inputs of the structure") {
  Place place("cache_key");
  Mesh mesh = random_mesh(3, 50, 1.0F, 0.2F);
  const auto files_after = [&place](auto&& build) {
    build();
    return place.files().size();
  };
  CHECK(files_after([&] { place.cache.kd_tree(mesh); }) == 1);
  mesh.name = "another";
  mesh.materials[0].albedo[0] = 0.25F;
  mesh.camera.eye.x += 1.0F;
  CHECK(files_after([&] { place.cache.kd_tree(mesh, {.threads = 1}); }) == 1);
  CHECK(files_after([&] { place.cache.kd_tree(mesh, {.max_depth = 3}); }) == 2);
  CHECK(files_after([&] { place.cache.kd_tree(mesh, {.empty_bonus = 0.0F}); }) == 3);
  CHECK(files_after([&] { place.cache.bvh(mesh); }) == 4);
  CHECK(files_after([&] { place.cache.bvh(mesh, {.max_leaf_size = 2}); }) == 5);
  CHECK(files_after([&] { place.cache.grid(mesh); }) == 6);
  CHECK(files_after([&] { place.cache.grid(mesh, {.resolution = {2, 3, 4}}); }) == 7);
  std::swap(mesh.triangles[0], mesh.triangles[1]);
  CHECK(files_after([&] { place.cache.kd_tree(mesh); }) == 8);
  mesh.positions[0].x += 0.001F;
  CHECK(files_after([&] { place.cache.kd_tree(mesh); }) == 9);
  CHECK(files_after([&] { place.cache.sbvh(mesh); }) == 10);
  CHECK(files_after([&] { place.cache.sbvh(mesh, {.split_alpha = 2.0F}); }) == 11);
  CHECK(place.lines.empty());
}

TEST_CASE("A file in the cache is used") {
  Place place("cache_used");
  const Mesh mesh = quad();
  KdTree built = place.cache.kd_tree(mesh);
  const fs::path file = place.files().at(0);
  const std::string image = read_file(file);
  std::string contents = image.substr(header_bytes);
  contents.back() = static_cast<char>(contents.back() + 1);  // changes `empty_leaves`, the last field
  write(file, with_contents(image, contents));
  CHECK(place.cache.kd_tree(mesh).empty_leaves == built.empty_leaves + (std::size_t{1} << 56U));
  CHECK(place.lines.empty());
}

TEST_CASE("A damaged file is reported once and replaced without being used") {
  Place place("cache_damage");
  const Mesh mesh = random_mesh(5, 40, 1.0F, 0.3F);
  const Bvh built = place.cache.bvh(mesh);
  const fs::path file = place.files().at(0);
  const std::string image = read_file(file);
  const auto is_replaced = [&](const std::string& damaged, const std::string& why) {
    write(file, damaged);
    place.lines.clear();
    CHECK(same(place.cache.bvh(mesh), built));
    REQUIRE(place.lines.size() == 1);
    CHECK_THAT(place.lines[0], Contains(file.string()) && Contains("is damaged") && Contains(why));
    CHECK(place.lines[0].find('\n') == std::string::npos);
    CHECK(read_file(file) == image);
    CHECK(same(place.cache.bvh(mesh), built));
    CHECK(place.lines.size() == 1);
    CHECK(place.files().size() == 1);
  };
  for (std::size_t length = 0; length < image.size(); length += 1 + length / 2) {
    INFO(length << " bytes of " << image.size());
    is_replaced(image.substr(0, length), "");
  }
  for (std::size_t at = 0; at < image.size(); at += at < header_bytes ? 7 : 1009) {
    if (at >= 12 && at < 16) continue;  // unused bytes
    INFO("byte " << at);
    std::string flipped = image;
    flipped[at] = static_cast<char>(flipped[at] ^ 4);
    is_replaced(flipped, "");
  }
  is_replaced(image + "x", "bytes instead of");
  is_replaced("not an image", "cut short");
  std::string contents = image.substr(header_bytes);
  is_replaced(with_contents(image, contents.substr(1)), "not those of such a structure");
  is_replaced(with_contents(image, contents + "x"), "not those of such a structure");
  contents[7] = '\x7F';  // a huge number of nodes
  is_replaced(with_contents(image, contents), "not those of such a structure");
}

TEST_CASE("A file of one structure under the name of another is not used") {
  Place place("cache_renamed");
  const Mesh mesh = quad();
  const KdTree built = place.cache.kd_tree(mesh);
  const std::string image = read_file(place.files().at(0));
  place.cache.kd_tree(mesh, {.max_depth = 1});
  for (const fs::path& file : place.files()) write(file, image);
  place.cache.kd_tree(mesh, {.max_depth = 1});
  REQUIRE(place.lines.size() == 1);
  CHECK_THAT(place.lines[0], Contains("its header is not that of this structure"));
}

TEST_CASE("A cache that cannot be written only prints a message") {
  const TemporaryFolder folder("cache_unwritable");
  write(folder.file("plain"), "a plain file, where a folder should be");
  std::vector<std::string> lines;
  const StructureCache cache(folder.file("plain") / "kept", [&](const std::string& line) { lines.push_back(line); });
  CHECK(same(cache.bvh(quad()), build_bvh(quad())));
  REQUIRE(lines.size() == 1);
  CHECK_THAT(lines[0], Contains("cannot be written") && Contains("RECONVERGE_CACHE"));
}

TEST_CASE("A cache can be disabled, and invalid structures are refused with and without it") {
  Place place("cache_off");
  const StructureCache off("");
  CHECK(same(off.bvh(quad()), build_bvh(quad())));
  CHECK_FALSE(refusal([&] { off.kd_tree(Mesh{}); }).empty());
  CHECK_FALSE(refusal([&] { place.cache.kd_tree(Mesh{}); }).empty());
  CHECK(place.files().empty());
}

TEST_CASE("The environment sets the cache folder") {
  const Variable home("HOME", "/somewhere");
  const Variable caches("XDG_CACHE_HOME", std::nullopt);
  const Variable named("RECONVERGE_CACHE", std::nullopt);
  CHECK(default_cache_folder() == "/somewhere/.cache/reconverge");
  {
    const Variable xdg("XDG_CACHE_HOME", "/caches");
    CHECK(default_cache_folder() == "/caches/reconverge");
    const Variable own("RECONVERGE_CACHE", "my/own");
    CHECK(default_cache_folder() == "my/own");
  }
  {
    const Variable relative("XDG_CACHE_HOME", "caches");
    CHECK(default_cache_folder() == "/somewhere/.cache/reconverge");
  }
  for (const auto* off : {"off", ""}) {
    const Variable own("RECONVERGE_CACHE", off);
    CHECK(default_cache_folder().empty());
  }
  const Variable homeless("HOME", std::nullopt);
  CHECK(default_cache_folder().empty());
}

TEST_CASE("Images of structures have the bytes of this version") {
  // If this test fails after an intended change, increase structure_image_version and update the digests.
  CHECK(structure_image_version == 2);
  Place place("cache_version");
  const auto digest_of = [&place](const std::string& kind) {
    for (const fs::path& file : place.files()) {
      if (file.filename().string().starts_with(kind))
        return reconverge::sha256(read_file(file).substr(header_bytes)).substr(0, 16);
    }
    return std::string();
  };
  place.cache.bvh(one_triangle());  // Embree determines the structure of larger meshes
  place.cache.sbvh(box());
  place.cache.kd_tree(box());
  place.cache.grid(box(), {.resolution = {4, 5, 6}});
  CHECK(digest_of("bvh") == "205ac407a5dc1d20");
  CHECK(digest_of("sbvh") == "3527191855657a18");
  CHECK(digest_of("kd-tree") == "380d251975396212");
  CHECK(digest_of("grid") == "b1b6b690b9fcb762");
}
