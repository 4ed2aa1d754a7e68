// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "platforms/configuration/configuration.hpp"
#include "test_blocks/machine.hpp"

namespace test_blocks {

using namespace reconverge;

using Catch::Contains;
using configuration::Configuration;

namespace {

constexpr std::array<std::string_view, 1> paths{"file"};
constexpr std::array<configuration::SectionKey, 2> keys{{{"parts", paths}, {"launches", {}}}};

constexpr const char* text =
    "parts:\n"
    "  a: {count: 4, file: x/a.npy, values: [1, 2]}\n"
    "launches:\n"
    "- {kernel: first, block: 32}\n"
    "- repeat: 2\n"
    "  launches:\n"
    "  - {name: the second, kernel: first, block: [8, 8]}\n"
    "- {kernel: twice}\n"
    "- {kernel: twice}\n";

Configuration loaded_with(const std::vector<std::string>& overrides) {
  MachineParameters machine;
  return configuration::load_text(MachineParameters::description(), &machine, {text, "d/a.yaml"}, overrides, keys);
}

std::string dumped_with(const std::string& override) { return configuration::dump(loaded_with({override}), "d"); }

void refused(const std::string& override, const std::string& message) {
  INFO(override);
  CHECK_THROWS_WITH(loaded_with({override}), Contains("--set " + override + ": ") && Contains(message));
}

}  // namespace

TEST_CASE("the command line changes values in sections, and the dump shows it") {
  CHECK_THAT(dumped_with("launches[0].block=128"), Contains("kernel: first\n    block: 128  # command line\n"));
  CHECK_THAT(dumped_with("launches[1].launches[0].block=[16, 4]"), Contains("block: [16, 4]  # command line\n"));
  CHECK_THAT(dumped_with("launches[1].repeat=9"), Contains("repeat: 9  # command line\n"));
  CHECK_THAT(dumped_with("parts.a.count=4096"), Contains("count: 4096  # command line\n") && Contains("[1, 2]\n"));
  CHECK_THAT(dumped_with("parts.a.values[1]=7"), Contains("values: [1, 7]\n"));
  CHECK_THAT(dumped_with("launches[2].grid={count_of: a}"),
             Contains("kernel: twice\n    grid:  # command line\n      count_of: a  # command line\n"));
}

TEST_CASE("items of lists can be selected by name, also in groups") {
  CHECK(dumped_with("launches.first.block=64") == dumped_with("launches[0].block=64"));
  CHECK(dumped_with("launches.the second.block=64") == dumped_with("launches[1].launches[0].block=64"));
}

TEST_CASE("a file name on the command line is relative to the current folder") {
  CHECK_THAT(configuration::dump(loaded_with({"parts.a.file=y/b.npy"}), "."),
             Contains("file: \"y/b.npy\"  # command line"));
  CHECK_THAT(dumped_with("parts.a.file=d/b.npy"), Contains("file: \"b.npy\"  # command line"));
}

TEST_CASE("a change of a section reports the file that it names") {
  const Configuration loaded = loaded_with({"parts.a.file='y/b.npy'", "parts.a.count=2"});
  CHECK(loaded.section_changes()[0].file == "y/b.npy");
  CHECK(loaded.section_changes()[1].file.empty());
}

TEST_CASE("the last of two overrides of a value takes precedence, and the dump reloads to the same dump") {
  const Configuration loaded = loaded_with({"launches[0].block=64", "launches.first.block=96", "cores=2"});
  const std::string dumped = configuration::dump(loaded, "d");
  CHECK_THAT(dumped, Contains("block: 96  # command line") && Contains("cores: 2  # command line"));
  MachineParameters machine;
  const Configuration again =
      configuration::load_text(MachineParameters::description(), &machine, {dumped, "d/b.yaml"}, {}, keys);
  CHECK(again.section("launches")->value[0].find("block")->scalar() == "96");
}

TEST_CASE("an alias changes together with its anchor, also in other sections") {
  constexpr const char* aliases =
      "parts: {a: &a {count: 4}, b: *a}\n"
      "launches: [{kernel: first, block: &block 32}, {kernel: second, block: *block, part: *a}]\n";
  MachineParameters machine;
  const std::vector<std::string> overrides{"launches.second.block=64", "parts.b.count=8", "parts.b.file=d/b.npy"};
  const Configuration loaded =
      configuration::load_text(MachineParameters::description(), &machine, {aliases, "d/a.yaml"}, overrides, keys);
  const std::string part = "count: 8  # command line\n    file: \"b.npy\"  # command line\n";
  CHECK_THAT(
      configuration::dump(loaded, "d"),
      Contains("  a:\n    " + part + "  b:\n    " + part) &&
          Contains("kernel: first\n    block: 64  # command line\n") &&
          Contains("kernel: second\n    block: 64  # command line\n    part:\n      count: 8  # command line\n"));
}

TEST_CASE("the error for an unknown path in a section has the known paths") {
  refused("launches[4].block=1", "launches has no item [4]; it has 4 from [0]");
  refused("launches[-1].block=1", "launches has no item [-1]");
  refused("launches[0.block=1", "a bracket is not closed");
  refused("launches[0]block=1", "a part of the path is missing");
  refused("launches..block=1", "a part of the path is missing");
  refused("launches=1", "this is all of launches");
  refused("launches.frist.block=1", "launches has no frist; did you mean first?");
  refused("launches.twice.block=1", "2 items of launches are called twice; give a number");
  refused("launches[0].block.x=1", "launches[0].block has no parts; write launches[0].block=...");
  refused("parts.b.count=1", "parts has no b");
  refused("parts.aa=1", "parts has no aa; known: a");
  refused("parts.a.cuont.x=1", "parts.a has no cuont; did you mean count?");
  refused("launches[0].block=", "there is no value");
  refused("launches[0].block=[1", "the value is not YAML");
  refused("launchs[0].block=1", "there is no key launchs[0]; did you mean launches?");
}

TEST_CASE("a value that contains itself is refused") { refused("launches[0].block=&a [*a]", "nested too deeply"); }

TEST_CASE("a section that is in no file cannot be changed") {
  MachineParameters machine;
  const std::vector<std::string> overrides{"launches[0].block=1"};
  CHECK_THROWS_WITH(
      configuration::load_text(MachineParameters::description(), &machine, {"cores: 1\n", "a.yaml"}, overrides, keys),
      Contains("--set launches[0].block=1: the experiment has no launches"));
}

TEST_CASE("each value in a section has only one path") {
  const auto written = [](const std::string& given) {
    return configuration::canonical_value(MachineParameters::description(), "--sweep", given, keys);
  };
  CHECK(written("launches[0].block=[4,1]") == "[4, 1]");
  CHECK(written("launches[0].block=64") == "64");
  CHECK_THROWS_WITH(written("launches[0].block=[1"), Contains("--sweep launches[0].block=[1: the value is not YAML"));
}

}  // namespace test_blocks
