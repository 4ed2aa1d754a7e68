// SPDX-License-Identifier: Apache-2.0
#include "platforms/page/effective.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "models/core/error.hpp"

using namespace reconverge;
using Catch::Contains;

TEST_CASE("parameters have path, value, source and origin") {
  const auto settings = page::read_effective(
      "name: \"a  # b\"  # e.yaml:3:7\n"
      "gpu:\n"
      "  sms: {value: 15, source: \"Table 1\"}  # gtx.yaml:4:16\n"
      "  sm:\n"
      "    lanes: [1, 2]  # default; chosen\n",
      "effective.yaml");
  REQUIRE(settings.size() == 3);
  CHECK(settings[0].key == "name");
  CHECK(settings[0].value == "a  # b");
  CHECK(settings[0].origin == "e.yaml:3:7");
  CHECK(settings[1].key == "gpu.sms");
  CHECK(settings[1].value == "15");
  CHECK(settings[1].source == "Table 1");
  CHECK(settings[1].origin == "gtx.yaml:4:16");
  CHECK(settings[2].key == "gpu.sm.lanes");
  CHECK(settings[2].value == "1, 2");
  CHECK(settings[2].origin == "default; chosen");
}

TEST_CASE("settings of launches have the origin of their section") {
  const auto settings = page::read_effective(
      "launches:  # saxpy.yaml:7:1\n  -\n    kernel: saxpy\n    arguments:\n      - 2\n      -\n        count_of: y\n",
      "effective.yaml");
  REQUIRE(settings.size() == 3);
  CHECK(settings[0].key == "launches[0].kernel");
  CHECK(settings[0].origin == "saxpy.yaml:7:1");
  CHECK(settings[1].key == "launches[0].arguments[0]");
  CHECK(settings[2].key == "launches[0].arguments[1].count_of");
  CHECK(settings[2].value == "y");
}

TEST_CASE("a broken effective.yaml is refused with line and column") {
  CHECK_THROWS_WITH(page::read_effective("gpu: [1,\n", "effective.yaml"),
                    Contains("effective.yaml:") && Contains("this is not YAML"));
  CHECK_THROWS_WITH(page::read_effective("a: 1\na: 2\n", "effective.yaml"),
                    Contains("effective.yaml:2:1: the key a comes twice"));
  std::string deep;
  for (int level = 0; level < 40; ++level) deep += fmt::format("{:{}}a:\n", "", 2 * level);
  CHECK_THROWS_WITH(page::read_effective(deep + fmt::format("{:80}b: 1\n", ""), "effective.yaml"),
                    Contains("nested too deeply"));
}

TEST_CASE("the number of values from aliases in an effective.yaml is limited") {
  // A few lines expand to a hundred million values, which count even if no setting uses them. Others repeat a long
  // value.
  for (const std::string value : {"{x: 1}", "{}", "[1, [2]]"}) {
    std::string aliases = "a0: &a0 " + value + "\n";
    for (int level = 1; level < 9; ++level) {
      aliases += fmt::format("a{}: &a{} [", level, level);
      for (int i = 0; i < 10; ++i) aliases += fmt::format("*a{}, ", level - 1);
      aliases += "]\n";
    }
    INFO(value);
    CHECK_THROWS_WITH(page::read_effective(aliases, "effective.yaml"), Contains("aliases make too much of this file"));
  }
  std::string copies = "a: &a " + std::string(10'000, 'x') + "\nb: {";
  for (int i = 0; i < 1000; ++i) copies += fmt::format("k{}: *a, ", i);
  CHECK_THROWS_WITH(page::read_effective(copies + "}\n", "effective.yaml"),
                    Contains("aliases make too much of this file"));
  CHECK(page::read_effective("a: &a {x: 1}\nb: *a\n", "effective.yaml").size() == 2);
}
