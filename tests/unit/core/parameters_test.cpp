// SPDX-License-Identifier: Apache-2.0
#include "models/core/parameters.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "models/core/quantity.hpp"
#include "test_blocks/all_blocks.hpp"
#include "test_blocks/machine.hpp"

namespace test_blocks {

using namespace reconverge;

TEST_CASE("a generated struct has the defaults of its block file") {
  const MachineParameters machine;
  CHECK(machine.name == "a \"machine\"");
  CHECK(machine.clock == 1500000000);
  CHECK(machine.cores == 4);
  CHECK(machine.program.empty());
  CHECK(machine.widths == std::vector<std::uint64_t>{8, 16, 32});
  CHECK(machine.core.latency == 30);
  CHECK(machine.core.policy == CorePolicy::loose_round_robin);
  CHECK(machine.core.share == 1.0);
  CHECK(machine.core.bypass);
  CHECK(machine.second_memory.capacity == 49152);
  STATIC_REQUIRE(std::is_same_v<decltype(MemoryParameters::capacity), std::uint64_t>);
  MachineParameters other;
  CHECK(machine == other);
  other.second_memory.ways = 5;
  CHECK_FALSE(machine == other);
}

TEST_CASE("a choice that is a keyword of C++ keeps its spelling in texts") {
  CHECK(to_string(CorePolicy::static_) == "static");
  CHECK(to_string(CorePolicy::oldest) == "oldest");
  CHECK(to_string(CoreLost::memory) == "memory");
}

TEST_CASE("descriptions match the block files") {
  const BlockDescription& machine = MachineParameters::description();
  CHECK(machine.name == "machine");
  CHECK(machine.folder == "tests/unit/core");
  CHECK(machine.summary == "The root of a small tree of blocks.");
  REQUIRE(machine.parameters.size() == 5);
  const ParameterDescription& clock = machine.parameters[1];
  CHECK(clock.name == "clock");
  CHECK(clock.type == ParameterType::frequency);
  CHECK(clock.default_text == "1.5 GHz");
  CHECK(clock.minimum == "1 MHz");
  CHECK(clock.maximum == "4 GHz");
  CHECK(clock.source == "Table 1, row 2");
  CHECK(clock.text == "Clock of all parts.");
  REQUIRE(machine.children.size() == 3);
  CHECK(machine.children[2].name == "second_memory");
  CHECK(machine.children[2].block == &MemoryParameters::description());
  CHECK(CoreParameters::description().parameters[1].choices.size() == 3);
}

TEST_CASE("every parameter can be read and set through its description") {
  MachineParameters machine;
  const auto set = [](const BlockDescription& block, void* parameters, std::size_t index, std::string_view text) {
    const ParameterDescription& parameter = block.parameters[index];
    parameter.set(parameters, parse_value(parameter, text));
    return format_value(parameter, parameter.get(parameters));
  };
  const BlockDescription& root = MachineParameters::description();
  CHECK(set(root, &machine, 0, "another") == "another");
  CHECK(set(root, &machine, 1, "980 MHz") == "980 MHz");
  CHECK(set(root, &machine, 2, "1_000") == "1000");
  CHECK(set(root, &machine, 3, "a/b.ptx") == "a/b.ptx");
  CHECK(set(root, &machine, 4, "[1,  2]") == "[1, 2]");
  void* core = root.children[0].member(&machine);
  REQUIRE(core == &machine.core);
  CHECK(set(*root.children[0].block, core, 0, "1") == "1 cycle");
  CHECK(set(*root.children[0].block, core, 1, "static") == "static");
  CHECK(set(*root.children[0].block, core, 2, "0.25") == "0.25");
  CHECK(set(*root.children[0].block, core, 3, "false") == "false");
  MachineParameters expected;
  expected.name = "another";
  expected.clock = 980000000;
  expected.cores = 1000;
  expected.program = "a/b.ptx";
  expected.widths = {1, 2};
  expected.core = {.latency = 1, .policy = CorePolicy::static_, .share = 0.25, .bypass = false};
  CHECK(machine == expected);
}

TEST_CASE("the error for a value outside the range uses the unit of the parameter") {
  const ParameterDescription& clock = MachineParameters::description().parameters[1];
  const ParameterDescription& widths = MachineParameters::description().parameters[4];
  const ParameterDescription& policy = CoreParameters::description().parameters[1];
  const ParameterDescription& share = CoreParameters::description().parameters[2];
  CHECK_THROWS_WITH(parse_value(clock, "5 GHz"), "5 GHz is above the range");
  CHECK_THROWS_WITH(parse_value(clock, "5 Hz"), "5 Hz is below the range");
  CHECK_THROWS_WITH(parse_value(share, "1.5"), "1.5 is above the range");
  CHECK_THROWS_WITH(parse_value(share, "-1"), "-1 is below the range");
  CHECK_THROWS_WITH(parse_value(widths, "[8, 65]"), "65 is above the range");
  CHECK_THROWS_WITH(parse_value(widths, "[8,,9]"), "there is no value");
  CHECK_THROWS_WITH(parse_value(policy, "newest"), "'newest' is not one of the choices");
  CHECK(std::get<std::uint64_t>(parse_value(clock, "4 GHz")) == 4000000000);
  CHECK(std::get<std::uint64_t>(parse_value(clock, "1 MHz")) == 1000000);
  CHECK(std::get<std::vector<std::uint64_t>>(parse_value(widths, "[]")).empty());
  try {
    parse_value(clock, "5 GHz");
  } catch (const QuantityError& error) {
    CHECK(error.hint() == "write a value from 1 MHz to 4 GHz");
  }
}

TEST_CASE("lists of numbers are read, checked one by one, and read back as printed") {
  const ParameterDescription numbers{.name = "numbers",
                                     .type = ParameterType::numbers,
                                     .default_text = "[]",
                                     .minimum = "-2",
                                     .maximum = "2.5",
                                     .choices = {},
                                     .source = {},
                                     .text = {}};
  const ParameterValue value = parse_value(numbers, "[0.5, -2,1e-3]");
  CHECK(std::get<std::vector<double>>(value) == std::vector<double>{0.5, -2.0, 0.001});
  CHECK(format_value(numbers, value) == "[0.5, -2, 0.001]");
  CHECK(format_value(numbers, parse_value(numbers, "[]")) == "[]");
  CHECK_THROWS_WITH(parse_value(numbers, "[1, 3]"), "3 is above the range");
  CHECK_THROWS_AS(parse_value(numbers, "[1, x]"), QuantityError);
}

TEST_CASE("all blocks are listed by name") {
  std::vector<std::string_view> names;
  for (const BlockDescription* block : all_blocks()) names.push_back(block->name);
  CHECK(names == std::vector<std::string_view>{"core", "machine", "memory", "rack"});
}

TEST_CASE("types are converted to names and back") {
  for (const std::string_view name : parameter_type_names()) CHECK(to_string(parameter_type(name).value()) == name);
  CHECK_FALSE(parameter_type("integer").has_value());
  CHECK(unit(ParameterType::frequency) == "Hz");
  CHECK(unit(ParameterType::count).empty());
}

}  // namespace test_blocks
