// SPDX-License-Identifier: Apache-2.0
#include "models/core/yaml_file.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/core/temporary_folder.hpp"

namespace reconverge {

TEST_CASE("a document that is not a map of distinct keys is refused at its line and column") {
  CHECK_THROWS_WITH(parse_yaml("", "a.yaml"), "a.yaml:1:1: the document is empty; write at least one key");
  CHECK_THROWS_WITH(parse_yaml("# nothing\n", "a.yaml"), "a.yaml:1:1: the document is empty; write at least one key");
  CHECK_THROWS_WITH(parse_yaml("~\n", "a.yaml"), "a.yaml:1:1: the document is empty; write at least one key");
  CHECK_THROWS_WITH(parse_yaml("\n- 1\n", "a.yaml"), "a.yaml:2:1: the document is not a map; write `key: value` lines");
  CHECK_THROWS_WITH(parse_yaml("a: 1\n---\nb: 2\n", "a.yaml"),
                    "a.yaml:2:1: a second document begins; keep one document a file");
  CHECK_THROWS_WITH(parse_yaml("a: [1, 2\nb: 3\n", "a.yaml"), Catch::StartsWith("a.yaml:2:2: this is not YAML: "));
  CHECK_THROWS_WITH(parse_yaml("\n, a", "a.yaml"), "a.yaml:2:1: this is not YAML: a value cannot begin here");
  CHECK_THROWS_WITH(parse_yaml("a: *b\n", "a.yaml"), Catch::StartsWith("a.yaml:1:4: this is not YAML: "));
  CHECK_THROWS_WITH(parse_yaml(std::string(20, '['), "a.yaml"), Catch::Contains("this is not YAML"));
}

TEST_CASE("a control character in a key or value is refused, except newline and tab") {
  CHECK_THROWS_WITH(parse_yaml("a: 1\nb: [x, \"y\\0\"]\n", "a.yaml"),
                    Catch::StartsWith("a.yaml:2:8: 'y\\x00' has a control character; "));
  CHECK_THROWS_WITH(parse_yaml("\"\\e[2J\": 1\n", "a.yaml"), Catch::StartsWith("a.yaml:1:1: '\\x1b[2J' has"));
  CHECK(parse_yaml("a: \"1\\n2\\t3 \xc3\xa4\"\n", "a.yaml").find("a")->scalar() == "1\n2\t3 \xc3\xa4");
}

TEST_CASE("entries have line numbers, and each key occurs once") {
  const YamlNode map = parse_yaml("a: 1\nb:\n  c: 2\n", "a.yaml");
  const auto found = entries("a.yaml", map);
  REQUIRE(found.size() == 2);
  CHECK(found[1].key == "b");
  CHECK(found[1].location == SourceLocation{"a.yaml", 2, 1});
  CHECK(locate("a.yaml", *found[1].value.find("c")) == SourceLocation{"a.yaml", 3, 6});
  const YamlNode twice = parse_yaml("a: 1\nb: 2\na: 3\n", "a.yaml");
  CHECK_THROWS_WITH(entries("a.yaml", twice), "a.yaml:3:1: the key a comes twice; the first is in line 1; keep one");
  const YamlNode list = parse_yaml("[a, b]: 1\n", "a.yaml");
  CHECK_THROWS_WITH(entries("a.yaml", list), "a.yaml:1:1: a key must be a single word");
  const YamlNode others = parse_yaml("a: [1]\nb: 2\nc:\n", "a.yaml");
  CHECK_THROWS_WITH(entries("a.yaml", *others.find("a")), "a.yaml:1:4: this is not a map; write `key: value` lines");
  CHECK_THROWS_WITH(entries("a.yaml", *others.find("b")), "a.yaml:2:4: this is not a map; write `key: value` lines");
  CHECK(entries("a.yaml", *others.find("c")).empty());
}

TEST_CASE("lists are converted to text") {
  const YamlNode map = parse_yaml("a: [1, 2]\nb: [1, [2]]\nc: []\n", "a.yaml");
  CHECK(list_text("a.yaml", *map.find("a")) == "1, 2");
  CHECK(list_text("a.yaml", *map.find("c")).empty());
  CHECK_THROWS_WITH(list_text("a.yaml", *map.find("b")), "a.yaml:2:8: an item of the list is not a single value");
}

TEST_CASE("the error for a file that cannot be read has the reason") {
  const tests::TemporaryFolder folder;
  const std::string missing = (folder.path() / "missing.yaml").string();
  CHECK_THROWS_WITH(read_yaml(missing), missing + ": there is no such file; check the path");
  CHECK_THROWS_WITH(read_yaml(folder.path()), folder.path().string() + ": this is a folder; name a YAML file in it");
  CHECK_THROWS_WITH(read_yaml(std::string(10000, 'x')), Catch::EndsWith("there is no such file; check the path"));
  CHECK(read_yaml(folder.write("a.yaml", "a: 1\n")).find("a")->scalar() == "1");
}

TEST_CASE("a limit refuses files that would take long to read") {
  const auto nested = [](std::size_t levels) {
    return "a: " + std::string(levels, '[') + std::string(levels, ']') + "\n";
  };
  CHECK(parse_yaml(nested(most_yaml_levels - 1), "a.yaml").is_map());
  CHECK_THROWS_WITH(parse_yaml(nested(most_yaml_levels), "a.yaml"),
                    "a.yaml:1:67: the value is nested more than 64 levels deep; write it flatter");
  const auto list = [](std::size_t values) {
    std::string text = "a: [";
    for (std::size_t i = 0; i < values; ++i) text += "1,";
    return text + "]\n";
  };
  CHECK(parse_yaml(list(most_yaml_nodes - 3), "a.yaml").find("a")->size() == most_yaml_nodes - 3);
  CHECK_THROWS_WITH(
      parse_yaml(list(most_yaml_nodes), "a.yaml"),
      Catch::EndsWith("the file has more than 200000 keys and values; keep large arrays in separate files"));
  const tests::TemporaryFolder folder;
  const std::string large = folder.write("large.yaml", "a: " + std::string(20'000'000, 'x') + "\n");
  CHECK_THROWS_WITH(read_yaml(large), large + ": the file has 20000004 bytes; a YAML file has 2097152 at most");
}

}  // namespace reconverge
