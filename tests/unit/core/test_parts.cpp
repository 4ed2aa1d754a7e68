#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/core/block_tree.hpp"
#include "models/core/parts.hpp"
#include "models/core/quantity.hpp"
#include "models/core/statistics_tree.hpp"
#include "test_blocks/core.hpp"
#include "test_blocks/machine.hpp"
#include "test_blocks/memory.hpp"
#include "test_blocks/rack.hpp"

namespace reconverge::test_blocks {

namespace {

const std::array cards{part_of<&RackParameters::cards, MemoryParameters>("memory"),
                       part_of<&RackParameters::cards, CoreParameters>("core")};

std::vector<std::string> names(const ParameterDescription& parameter, std::string_view text) {
  return std::get<std::vector<std::string>>(parse_value(parameter, text));
}

}  // namespace

TEST_CASE("parts that nobody asked for have their defaults") {
  RackParameters rack;
  CHECK(std::as_const(rack).cards.of<MemoryParameters>().ways == 6);
  rack.cards.of<MemoryParameters>().ways = 8;
  const RackParameters copy = rack;
  rack.cards.of<MemoryParameters>().ways = 6;
  CHECK(copy.cards.of<MemoryParameters>().ways == 8);
  CHECK_FALSE(rack == copy);
  CHECK(rack == RackParameters{});
  CHECK(RackParameters{} == rack);
}

TEST_CASE("a tree puts parts where block files leave room, in the order given") {
  const BlockTree tree(rack_block, cards);
  REQUIRE(rack_block.children.empty());
  REQUIRE(tree.root().children.size() == 2);
  CHECK(tree.root().children[0].name == "memory");
  CHECK(tree.root().children[1].block == &core_block);
  RackParameters rack;
  CHECK(tree.root().children[1].member(&rack) == &rack.cards.of<CoreParameters>());
  CHECK(std::as_const(rack).cards.of<CoreParameters>().latency == 30);

  std::vector<std::string> paths;
  Statistics(tree.root()).visit([&](std::string_view path, const StatisticsView&) { paths.emplace_back(path); });
  CHECK(paths == std::vector<std::string>{"rack.core"});
}

TEST_CASE("a tree lasts as long as a copy of it, and one without room for parts is that of the block files") {
  const BlockTree copy = [] { return BlockTree(rack_block, cards); }();
  CHECK(copy.root().parameters[0].choices.size() == 2);
  CHECK(&BlockTree(machine_block, cards).root() == &machine_block);
  CHECK(&BlockTree(rack_block).root() == &rack_block);
}

TEST_CASE("names are those of parts, one word or a list") {
  const BlockTree tree(rack_block, cards);
  const ParameterDescription& fitted = tree.root().parameters[0];
  CHECK(RackParameters{}.fitted == std::vector<std::string>{"core"});
  CHECK(names(fitted, "memory") == std::vector<std::string>{"memory"});
  CHECK(names(fitted, "[memory,  core]") == std::vector<std::string>{"memory", "core"});
  CHECK(format_value(fitted, parse_value(fitted, "[memory]")) == "memory");
  CHECK(format_value(fitted, parse_value(fitted, "core,memory")) == "[core, memory]");
  CHECK_THROWS_WITH(parse_value(fitted, "[core, disk]"), "'disk' is not one of the choices");
  CHECK_THROWS_WITH(parse_value(fitted, "[]"), "'' is not one of the choices");
  CHECK_THROWS_WITH(parse_value(fitted, "[core, core]"), "core comes twice");
  // The block file alone knows no parts.
  CHECK(names(rack_block.parameters[0], "disk") == std::vector<std::string>{"disk"});
}

}  // namespace reconverge::test_blocks
