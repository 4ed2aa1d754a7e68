// SPDX-License-Identifier: Apache-2.0
#include "models/core/parts.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/core/block_tree.hpp"
#include "models/core/quantity.hpp"
#include "models/core/statistics_tree.hpp"
#include "test_blocks/core.hpp"
#include "test_blocks/machine.hpp"
#include "test_blocks/memory.hpp"
#include "test_blocks/rack.hpp"

namespace test_blocks {

using namespace reconverge;

namespace {

const std::array cards{OpenParts{"cards",
                                 {part_of<&RackParameters::cards, MemoryParameters>("memory"),
                                  part_of<&RackParameters::cards, CoreParameters>("core")},
                                 {"memory", "core"}}};

std::vector<std::string> names(const ParameterDescription& parameter, std::string_view text) {
  return std::get<std::vector<std::string>>(parse_value(parameter, text));
}

}  // namespace

TEST_CASE("parts that were never accessed have their defaults") {
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

TEST_CASE("a part keeps its address when others are added") {
  struct Number {
    int value = 0;
    bool operator==(const Number&) const = default;
  };
  Parts parts;
  Number& first = parts.of<Number>();
  parts.of<CoreParameters>();
  parts.of<MemoryParameters>();
  first.value = 7;
  CHECK(parts.of<Number>().value == 7);
}

TEST_CASE("a tree inserts parts at the open member of the block file, in the given order") {
  const BlockTree tree(rack_block, cards);
  REQUIRE(rack_block.children.size() == 1);
  REQUIRE(tree.root().children.size() == 3);
  CHECK(tree.root().children[0].name == "memory");
  CHECK(tree.root().children[2].name == "store");
  CHECK(tree.root().children[1].block == &core_block);
  RackParameters rack;
  CHECK(tree.root().children[1].member(&rack) == &rack.cards.of<CoreParameters>());
  CHECK(std::as_const(rack).cards.of<CoreParameters>().latency == 30);

  std::vector<std::string> paths;
  Statistics(tree).visit([&](std::string_view path, const StatisticsView&) { paths.emplace_back(path); });
  CHECK(paths == std::vector<std::string>{"rack", "rack.core"});
}

TEST_CASE("a statistic with an open bin has one for each cause of the parts") {
  RackStatistics counted;
  counted.slots[RackSlots::used] = 1;
  counted.slots[RackSlots::held] = 2;
  counted.slots.values[static_cast<std::size_t>(RackSlots::held) + 1] = 3;
  counted.slots[RackSlots::idle] = 4;
  // The description of the block file has a single bin for all causes.
  const StatisticsView closed(counted);
  const StatisticDescription& slots = closed.descriptions()[0];
  CHECK(slots.bins == 3);
  CHECK(text_without_parts(slots) == "Slots - used, lost because a card waited for one of its causes, or idle.");
  CHECK(closed.values(slots) == std::vector<std::uint64_t>{1, 5, 4});
  CHECK(to_string(RackSlots::held) == "held");
  CHECK(to_string(RackSlots::idle) == "idle");

  Statistics all(BlockTree(rack_block, cards));
  all.of<RackStatistics>() += counted;
  const StatisticsView view = std::as_const(all).view<RackStatistics>();
  const StatisticDescription& opened = view.descriptions()[0];
  CHECK(std::vector<std::string_view>(opened.bin_names.begin(), opened.bin_names.end()) ==
        std::vector<std::string_view>{"used", "heat", "power", "idle"});
  CHECK(opened.bins == 4);
  CHECK(opened.text == "Slots - used, lost because a card waited for its fan, for power, or idle.");
  CHECK(view.values(opened) == std::vector<std::uint64_t>{1, 2, 3, 4});
  CHECK(to_string(CoreCause::power) == "power");
}

TEST_CASE("block tree: copies share their descriptions, and blocks without parts are not copied") {
  const BlockTree copy = [] { return BlockTree(rack_block, cards); }();
  CHECK(copy.root().parameters[0].choices.size() == 2);
  CHECK(&BlockTree(machine_block, cards).root() == &machine_block);
  CHECK(&BlockTree(rack_block).root() == &rack_block);
}

TEST_CASE("parts are added only to blocks that leave the same member open") {
  const std::array others{OpenParts{"fans", cards[0].parts, cards[0].names}};
  CHECK(&BlockTree(rack_block, others).root() == &rack_block);
  const std::array both{others[0], cards[0]};
  CHECK(BlockTree(rack_block, both).root().children.size() == 3);
}

TEST_CASE("a name parameter accepts the names of parts") {
  const OpenParts named{"cards", {}, {"memory", "core"}};
  const BlockTree tree(rack_block, std::span(&named, 1));
  const ParameterDescription& first = tree.root().parameters[1];
  CHECK(RackParameters{}.first == "core");
  CHECK(std::get<std::string>(parse_value(first, "memory")) == "memory");
  CHECK(format_value(first, parse_value(first, "memory")) == "memory");
  try {
    parse_value(first, "memroy");
    FAIL("accepted");
  } catch (const QuantityError& error) {
    CHECK(std::string_view(error.what()) == "'memroy' is not one of the choices");
    CHECK(error.hint() == "did you mean memory? (a plugin can add others: --plugin FILE)");
  }
}

TEST_CASE("a parameter of names accepts one name or a list") {
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
  // The block file has no parts, so any name is accepted.
  CHECK(names(rack_block.parameters[0], "disk") == std::vector<std::string>{"disk"});
}

}  // namespace test_blocks
