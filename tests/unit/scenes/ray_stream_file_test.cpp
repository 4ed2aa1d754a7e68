// SPDX-License-Identifier: Apache-2.0
#include "scenes/files/ray_stream_file.hpp"

#include <catch2/catch.hpp>

#include "scenes/generators/small_scenes.hpp"
#include "scenes/light/path_tracer.hpp"
#include "tests/unit/scenes/test_support.hpp"

using namespace reconverge::scenes;

namespace {

RayStreams small_streams() {
  return trace_paths(box(), {.width = 12, .height = 8, .samples_per_pixel = 2, .bounces = 3, .seed = 4});
}

}  // namespace

TEST_CASE("Ray streams are read as they were written") {
  const TemporaryFolder folder("streams");
  const RayStreams streams = small_streams();
  save_streams(streams, folder.file("a.rays"));
  const RayStreams again = load_streams(folder.file("a.rays"));
  CHECK(again.scene == streams.scene);
  CHECK(again.scene_triangles == streams.scene_triangles);
  CHECK(again.width == 12);
  CHECK(again.height == 8);
  CHECK(again.samples_per_pixel == 2);
  CHECK(again.seed == 4);
  REQUIRE(again.bounces() == 3);
  CHECK(again.extension[2].pixel_first == streams.extension[2].pixel_first);
  CHECK(again.picture == streams.picture);
  // Writing them again creates the same file.
  save_streams(again, folder.file("b.rays"));
  CHECK(read_file(folder.file("a.rays")) == read_file(folder.file("b.rays")));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 2);
}

TEST_CASE("A damaged stream file is refused with its name and the reason") {
  const TemporaryFolder folder("damage");
  save_streams(small_streams(), folder.file("good.rays"));
  const std::string good = read_file(folder.file("good.rays"));
  const auto refused = [&](const std::string& text) {
    const auto file = folder.write("bad.rays", text);
    const std::string message = refusal([&] { load_streams(file); });
    CHECK(message.find(file.string()) != std::string::npos);
    return message;
  };
  CHECK(refused("").find("not a ray stream file") != std::string::npos);
  CHECK(refused("RCV").find("not a ray stream file") != std::string::npos);
  std::string magic = good;
  magic[0] = 'X';
  CHECK(refused(magic).find("not a ray stream file") != std::string::npos);
  std::string version = good;
  version[8] = 9;
  CHECK(refused(version).find("version 9, but version 1") != std::string::npos);
  CHECK(refused(good.substr(0, good.size() - 1)).find("cut short") != std::string::npos);
  CHECK(refused(good + "x").find("too long") != std::string::npos);
  // One bit changes anywhere in the contents, including counts and lengths.
  for (std::size_t at = 24; at < good.size(); at += 1 + good.size() / 97) {
    std::string flipped = good;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    CHECK(refused(flipped).find("damaged") != std::string::npos);
  }
  std::string huge = good;
  for (std::size_t at = 24; at < 32; ++at) huge[at] = '\x7f';
  CHECK(refused(huge).find("damaged") != std::string::npos);
}

TEST_CASE("A failed write leaves no file") {
  const TemporaryFolder folder("unwritable");
  const auto file = folder.path() / "no" / "such" / "folder" / "a.rays";
  CHECK(refusal([&] { save_streams(small_streams(), file); }).find(file.string()) != std::string::npos);
  CHECK(std::filesystem::is_empty(folder.path()));
  CHECK_FALSE(refusal([&] { load_streams(file); }).empty());
}

TEST_CASE("Stream files replace only plain files") {
  const TemporaryFolder folder("replaced");
  const auto place = folder.path() / "taken.rays";
  std::filesystem::create_directory(place);
  CHECK(refusal([&] { save_streams(small_streams(), place); }).find("is not a plain file") != std::string::npos);
  CHECK(refusal([&] { save_streams(small_streams(), "/dev/null"); }).find("/dev/null") != std::string::npos);
  CHECK(std::filesystem::is_character_file("/dev/null"));
  const auto file = folder.write("old.rays", "old");
  save_streams(small_streams(), file);
  CHECK(load_streams(file).bounces() == small_streams().bounces());
}

TEST_CASE("Samples must ascend by pixel") {
  RayStream stream;
  stream.samples = {{{0, 0, 0}, 1}, {{0, 0, 0}, 0}};
  CHECK(refusal([&] { index_pixels(stream, 4, "x"); }).find("order") != std::string::npos);
  stream.samples = {{{0, 0, 0}, 4}};
  CHECK(refusal([&] { index_pixels(stream, 4, "x"); }).find("pixel 4 of 4") != std::string::npos);
  stream.samples = {{{0, 0, 0}, 1}, {{0, 0, 0}, 1}, {{0, 0, 0}, 3}};
  index_pixels(stream, 5, "x");
  CHECK(stream.pixel_first == std::vector<std::uint32_t>{0, 0, 2, 2, 3, 3});
}
