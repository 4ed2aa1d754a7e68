// SPDX-License-Identifier: Apache-2.0
#include "platforms/configuration/schema.hpp"

#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "blocks/all_blocks.hpp"
#include "blocks/experiment.hpp"
#include "platforms/configuration/json_text.hpp"
#include "platforms/launch/schema.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/machines/machines.hpp"
#include "test_blocks/all_blocks.hpp"
#include "test_blocks/machine.hpp"

namespace test_blocks {

using namespace reconverge;

namespace json = boost::json;

namespace {

std::string read(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("a schema describes the whole tree of blocks") {
  const json::value schema = json::parse(configuration::schema(MachineParameters::description()));
  CHECK(schema.at("$schema").as_string() == "http://json-schema.org/draft-07/schema#");
  CHECK_FALSE(schema.at("additionalProperties").as_bool());
  const json::object& properties = schema.at("properties").as_object();
  CHECK(properties.size() == 5 + 3 + 1);
  CHECK(properties.contains("extends"));
  CHECK(properties.at("second_memory").at("$ref").as_string() == "#/definitions/memory");
  const json::object& definitions = schema.at("definitions").as_object();
  CHECK(definitions.size() == 2);
  const json::value& cores = properties.at("cores").at("anyOf").at(0);
  CHECK(cores.at("minimum").as_int64() == 1);
  CHECK(cores.at("maximum").as_int64() == 1024);
  const json::value& policy = definitions.at("core").at("properties").at("policy");
  CHECK(policy.at("anyOf").at(0).at("enum") == json::value{"oldest", "loose_round_robin", "static"});
  CHECK(policy.at("description").as_string() == "Who goes first. Default loose_round_robin (test).");
  const json::value& with_source = policy.at("anyOf").at(1);
  CHECK(with_source.at("required") == json::value(json::array{"value"}));
}

TEST_CASE("printed JSON is read back as the same JSON") {
  const std::string long_text(120, 'x');
  const json::value value{{"a", {1, 2}}, {"b", json::object{}}, {"c", json::array{{{"d", nullptr}}, long_text}}};
  CHECK(configuration::pretty(value) ==
        "{\n  \"a\": [1,2],\n  \"b\": {},\n  \"c\": [\n    {\"d\":null},\n    \"" + long_text + "\"\n  ]\n}\n");
  CHECK(json::parse(configuration::pretty(value)) == value);
}

TEST_CASE("printed JSON is valid UTF-8 without control characters") {
  const std::string printed = configuration::pretty({{"\xe9", "a\x7f\xc2\x9b\xff\xc3\xa4\x1b"}});
  CHECK(printed == "{\"\\\\xe9\":\"a\\u007f\\u009b\\\\xff\xc3\xa4\\u001b\"}\n");
  CHECK(json::parse(printed).at("\\xe9").as_string() == "a\x7f\xc2\x9b\\xff\xc3\xa4\x1b");
}

TEST_CASE("root blocks are not part of other blocks, and have parameters") {
  const auto roots = configuration::root_blocks(test_blocks::all_blocks());
  REQUIRE(roots.size() == 2);
  CHECK(roots[0]->name == "machine");
  CHECK(roots[1]->name == "rack");
  const std::vector<OpenParts> added{{"slots", {{"slot", roots[1]}}, {}}};
  CHECK(configuration::root_blocks(test_blocks::all_blocks(), added).size() == 1);
}

TEST_CASE("the checked-in schemas are up to date") {
  const std::filesystem::path folder = RECONVERGE_SOURCE_DIR "/yaml/schema";
  std::set<std::string> expected;
  const std::array added{scheme_parts(), machine_parts()};
  for (const BlockDescription* root : configuration::root_blocks(reconverge::all_blocks(), added)) {
    const std::string name = std::string(root->name) + ".json";
    INFO("build the target schemas to renew yaml/schema/" << name);
    const bool is_experiment = root->name == experiment_block.name;
    const json::object sections = is_experiment ? launch::section_schemas() : json::object{};
    const bool is_up_to_date = read(folder / name) == configuration::schema(with_kinds(*root).root(), sections);
    CHECK(is_up_to_date);
    expected.insert(name);
  }
  std::set<std::string> present;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) present.insert(entry.path().filename());
  CHECK(present == expected);
}

}  // namespace test_blocks
