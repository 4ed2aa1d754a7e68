// SPDX-License-Identifier: Apache-2.0
#include "models/core/yaml_node.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <utility>

#include "models/core/yaml_file.hpp"

namespace reconverge {

TEST_CASE("a node has its kind, text, line and column") {
  const YamlNode map = parse_yaml("a: 1\nb: ['2', ~]\n", "a.yaml");
  CHECK(map.is_map());
  CHECK(map.size() == 2);
  CHECK(map.find("a")->scalar() == "1");
  CHECK_FALSE(map.find("c"));
  const YamlNode list = *map.find("b");
  CHECK(list.is_list());
  CHECK(list.items().size() == 2);
  CHECK(list.pairs().empty());
  CHECK(list[0].scalar() == "2");
  CHECK(locate("a.yaml", list[0]) == SourceLocation{"a.yaml", 2, 5});
  CHECK(list[1].is_null());
  CHECK(list[1].is_in_file());
  CHECK(list[1].items().empty());
  CHECK(YamlNode().is_null());
  CHECK_FALSE(YamlNode().is_in_file());
}

TEST_CASE("an alias is the node of its anchor, also inside that node") {
  const YamlNode map = parse_yaml("a: &a [1]\nb: *a\nc: &c {d: *c}\n? &k e\n: *k\n", "a.yaml");
  CHECK(map.find("b")->index() == map.find("a")->index());
  CHECK(locate("a.yaml", *map.find("b")) == SourceLocation{"a.yaml", 1, 4});
  CHECK(map.find("c")->find("d")->find("d")->index() == map.find("c")->index());
  CHECK(map.find("e")->scalar() == "e");
}

TEST_CASE("a repeated anchor refers to the later node") {
  const YamlNode map = parse_yaml("a: &x 1\nb: *x\nc: &x 2\nd: *x\n", "a.yaml");
  CHECK(map.find("b")->scalar() == "1");
  CHECK(map.find("d")->scalar() == "2");
}

TEST_CASE("a change in a copy of a document changes all aliases of the node, but not the original document") {
  const YamlNode before = parse_yaml("a: &a 1\nb: [*a, 2]\n", "a.yaml");
  YamlDocument document = *before.document();
  document.assign_value(before.index(), "a", document.add_scalar("3"));
  document.assign_value(before.index(), "c", document.add(YamlKind::list));
  const YamlNode after(std::make_shared<const YamlDocument>(std::move(document)), before.index());
  CHECK(list_text("a.yaml", *after.find("b")) == "3, 2");
  CHECK_FALSE(after.find("a")->is_in_file());
  CHECK(after.find("c")->is_list());
  CHECK(list_text("a.yaml", *before.find("b")) == "1, 2");
  CHECK(before.size() == 2);
}

TEST_CASE("a single value can be of any kind") {
  CHECK(parse_yaml_value("[a, b]", {"--set"}).size() == 2);
  CHECK(parse_yaml_value("64", {"--set"}).scalar() == "64");
  CHECK(parse_yaml_value("", {"--set"}).is_null());
  CHECK_THROWS_WITH(parse_yaml_value("[1", {"--set x=[1"}), Catch::StartsWith("--set x=[1: the value is not YAML: "));
  CHECK(flow_text("{a:   [1,2], b: 'c d'}") == "{a: [1, 2], b: c d}");
}

}  // namespace reconverge
