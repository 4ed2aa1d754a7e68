// SPDX-License-Identifier: Apache-2.0
/// docs/launch.md matches the code.

#include <catch2/catch.hpp>

#include "models/core/input_file.hpp"
#include "platforms/launch/keys.hpp"
#include "platforms/launch/npy.hpp"

using namespace reconverge;
using namespace reconverge::launch;
using Catch::Contains;

TEST_CASE("every key and every part of a scene is documented") {
  const std::string page = read_input(RECONVERGE_SOURCE_DIR "/docs/launch.md", input::any);
  const auto is_told = [&](std::string_view name) {
    INFO(name);
    const std::string word(name);
    const bool told = page.find('`' + word + '`') != std::string::npos ||
                      page.find('`' + word + ':') != std::string::npos || page.find(word + ": ") != std::string::npos;
    CHECK(told);
  };
  for (const auto& keys :
       {buffer_keys(), launch_keys(), repeat_keys(), output_keys(), expected_keys(), range_keys(), random_keys(),
        count_keys(), address_keys(), value_keys(), struct_keys(), texture_keys(), object_keys()}) {
    for (const Key& key : keys) {
      is_told(key.name);
      CHECK_FALSE(key.text.empty());
    }
  }
  for (const auto& section : section_keys()) is_told(section.name);
  for (const std::string_view part : scene_parts()) is_told(part);
}

TEST_CASE("the program in the documentation equals the tested program") {
  const std::string page = read_input(RECONVERGE_SOURCE_DIR "/docs/launch.md", input::any);
  const std::string program = read_input(RECONVERGE_SOURCE_DIR "/tests/install/consumer/saxpy.cpp", input::any);
  REQUIRE(program.starts_with("// SPDX"));
  CHECK_THAT(page, Contains("```cpp\n" + program.substr(program.find('\n') + 1) + "```\n"));
}
