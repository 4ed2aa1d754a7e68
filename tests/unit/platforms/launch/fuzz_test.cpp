// SPDX-License-Identifier: Apache-2.0
/// A file with any contents is read or rejected.

#include <catch2/catch.hpp>
#include <random>

#include "models/core/input_file.hpp"
#include "platforms/launch/keys.hpp"
#include "platforms/launch/npy.hpp"
#include "tests/unit/platforms/launch/plan_of.hpp"

using namespace reconverge;
using namespace reconverge::launch;

namespace {

/// `text` with a few characters deleted, inserted or replaced.
std::string damaged(std::string text, std::mt19937& random, const std::string& alphabet) {
  for (std::size_t times = 1 + random() % 3; times > 0 && !text.empty(); --times) {
    const std::size_t place = random() % text.size();
    const char c = alphabet[random() % alphabet.size()];
    switch (random() % 3) {
      case 0:
        text.erase(place, 1 + random() % 4);
        break;
      case 1:
        text.insert(place, 1, c);
        break;
      default:
        text[place] = c;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("the corpus of the fuzzer has every key of a launch file") {
  const std::filesystem::path folder = RECONVERGE_SOURCE_DIR "/tests/fuzz/corpus/launch";
  const std::string text =
      read_input(folder / "every_key.yaml", input::yaml) + read_input(folder / "keys_of_scenes.yaml", input::yaml);
  using Keys = std::span<const Key> (*)();
  for (const Keys keys :
       {&buffer_keys, &launch_keys, &repeat_keys, &output_keys, &expected_keys, &range_keys, &random_keys, &count_keys,
        &address_keys, &value_keys, &struct_keys, &texture_keys, &object_keys}) {
    for (const Key& key : keys()) {
      INFO(key.name);
      CHECK(text.find(std::string(key.name) + ":") != std::string::npos);
    }
  }
}

TEST_CASE("a damaged launch file is read, or refused with its name") {
  const tests::PlanFolder folder;
  folder.place().write("tex.ptx", tests::texture_ptx);
  const std::vector<std::uint64_t> shape{2, 3};
  folder.place().write("a.npy", npy_bytes(ElementType::f32, shape, std::vector<std::byte>(24)));
  const std::string text =
      "buffers:\n  x: {type: f32, count: 9, range: {start: -1, step: .5}}\n  y: {npy: a.npy, shape: [2, 3]}\n"
      "  z: {type: s8, values: [1, -0x7f]}\n  w: {type: u16, shape: [2, 2], random: {seed: 1, from: 3, to: 9}}\n"
      "launches:\n- {program: take.ptx, kernel: take, grid: [1, 2], block: 32, dynamic_shared: 1 KiB,\n"
      "   arguments: [1.5, {buffer: x, offset: 4}, {fields: [{u8: 1}, {f32: [2, 3]}, y]}, 7, -1, {count_of: z}]}\n"
      "- {program: tex.ptx, threads: {count_of: y, times: 2}, block: [2, 2], arguments: [{texture: x, components: 1}, "
      "y],\n"
      "   textures: {image_reference: {buffer: z, normalized: true}}}\n"
      "outputs: [{buffer: y, npy: y.npy, shape: [6]}, {buffer: z, raw: z}]\n"
      "expected: [{buffer: x, first: 1, count: 2, values: [nan, 0f3F800000], ulps: 1, relative: 1e-3}]\n";
  REQUIRE(folder.plan_of(text).launches.size() == 2);
  std::mt19937 random(11);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string wrong = damaged(text, random, " \n:,-[]{}&*'\"#xyz019.eE_~!|>?@%`\t");
    INFO(wrong);
    try {
      folder.plan_of(wrong);
    } catch (const InputError& error) {
      ++refused;
      const std::string message = error.what();
      const bool names_file =
          message.find("run.yaml") != std::string::npos || message.find(".ptx:") != std::string::npos;
      CHECK(names_file);
    }
  }
  CHECK(refused > 1000);
}

TEST_CASE("a damaged array is read or refused") {
  const std::vector<std::uint64_t> shape{2, 3};
  const std::string whole = npy_bytes(ElementType::f32, shape, std::vector<std::byte>(24));
  std::mt19937 random(12);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    try {
      const NpyArray array = parse_npy(damaged(whole, random, "{}(),:'<f4i8u12TrueFalse \x01\x02\x03"), "a.npy");
      CHECK(array.data.size() == array.count() * bytes_of(array.type));
    } catch (const InputError&) {
      ++refused;
    }
  }
  CHECK(refused > 10000);
}
