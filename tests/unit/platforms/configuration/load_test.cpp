// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "platforms/configuration/configuration.hpp"
#include "test_blocks/machine.hpp"
#include "tests/unit/core/temporary_folder.hpp"

namespace test_blocks {

using namespace reconverge;

using configuration::Configuration;
using configuration::Entry;

namespace {

const BlockDescription& root() { return MachineParameters::description(); }

Configuration load_text(MachineParameters& machine, const std::string& text,
                        const std::vector<std::string>& overrides = {}) {
  return configuration::load_text(root(), &machine, {text, "dir/a.yaml"}, overrides);
}

std::string origin(const Configuration& configuration, std::string_view path) {
  const Entry* entry = configuration.find(path);
  return entry == nullptr ? "none" : to_string(entry->origin);
}

}  // namespace

TEST_CASE("defaults apply unless a value is set") {
  MachineParameters machine;
  machine.cores = 77;
  const Configuration loaded = configuration::load_defaults(root(), &machine);
  CHECK(machine == MachineParameters{});
  CHECK(loaded.entries().size() == 5 + 4 + 2 + 2);
  const Entry* capacity = loaded.find("second_memory.capacity");
  REQUIRE(capacity != nullptr);
  CHECK(capacity->value == "48 KiB");
  CHECK(to_string(capacity->origin) == "default");
  CHECK(capacity->source == "DRS Table 1");
  CHECK(loaded.find("second_memory") == nullptr);
  CHECK(&loaded.root() == &root());
}

TEST_CASE("values of every type are set in the struct, and have their origin") {
  MachineParameters machine;
  const Configuration loaded = load_text(machine,
                                         "name: the machine\n"
                                         "clock: 980 MHz\n"
                                         "cores: 1_000\n"
                                         "program: ../kernels/a.ptx\n"
                                         "widths: [1, 2,\n  3]\n"
                                         "core: {latency: 5 cycles, policy: oldest, share: 0.5, bypass: false}\n"
                                         "memory:\n"
                                         "  capacity: {value: 64 KiB, source: \"a paper, Table 2\"}\n");
  MachineParameters expected;
  expected.name = "the machine";
  expected.clock = 980000000;
  expected.cores = 1000;
  expected.program = "kernels/a.ptx";
  expected.widths = {1, 2, 3};
  expected.core = {.latency = 5, .policy = CorePolicy::oldest, .share = 0.5, .bypass = false};
  expected.memory.capacity = 65536;
  CHECK(machine == expected);
  CHECK(origin(loaded, "clock") == "dir/a.yaml:2:8");
  CHECK(origin(loaded, "widths") == "dir/a.yaml:5:9");
  CHECK(origin(loaded, "core.share") == "dir/a.yaml:7:50");
  CHECK(origin(loaded, "memory.capacity") == "dir/a.yaml:9:21");
  CHECK(origin(loaded, "memory.ways") == "default");
  CHECK(loaded.find("memory.capacity")->source == "a paper, Table 2");
  CHECK(loaded.find("clock")->source.empty());
  CHECK(loaded.find("core.latency")->value == "5 cycles");
  CHECK(loaded.find("cores")->value == "1000");
}

TEST_CASE("absolute and empty paths are not changed") {
  MachineParameters machine;
  load_text(machine, "program: /a/b.ptx\n");
  CHECK(machine.program == "/a/b.ptx");
  load_text(machine, "program: \"\"\n");
  CHECK(machine.program.empty());
  load_text(machine, "cores: 2\n", {"program=x/y.ptx"});
  CHECK(machine.program == "x/y.ptx");
}

TEST_CASE("the command line overrides files, and later options override earlier ones") {
  MachineParameters machine;
  const Configuration loaded =
      load_text(machine, "cores: 2\nmemory: {ways: 3}\n",
                {"memory.ways=4", "memory.ways=5", "core.policy=static", "widths=[4,5]", "name=a=b"});
  CHECK(machine.cores == 2);
  CHECK(machine.memory.ways == 5);
  CHECK(machine.core.policy == CorePolicy::static_);
  CHECK(machine.widths == std::vector<std::uint64_t>{4, 5});
  CHECK(machine.name == "a=b");
  CHECK(origin(loaded, "memory.ways") == "command line");
  CHECK(origin(loaded, "cores") == "dir/a.yaml:1:8");
}

TEST_CASE("a file is merged deeply into the file that it extends") {
  const tests::TemporaryFolder folder;
  folder.write("base/base.yaml",
               "cores: 2\nprogram: base.ptx\nmemory: {ways: 2, capacity: 2 KiB}\ncore: {latency: 2}\n");
  folder.write("middle.yaml", "extends: base/base.yaml\nmemory: {ways: 3}\ncore: {share: 0.5}\n");
  const std::string top = folder.write("sub/top.yaml", "memory: {ways: 4}\nextends: ../middle.yaml\n");
  MachineParameters machine;
  const Configuration loaded = configuration::load(root(), &machine, top);
  MachineParameters expected;
  expected.cores = 2;
  expected.program = (folder.path() / "base/base.ptx").string();
  expected.memory = {.capacity = 2048, .ways = 4};
  expected.core.latency = 2;
  expected.core.share = 0.5;
  CHECK(machine == expected);
  CHECK(origin(loaded, "memory.capacity") == folder.path().string() + "/base/base.yaml:3:29");
  CHECK(origin(loaded, "core.share") == folder.path().string() + "/middle.yaml:3:15");
  CHECK(origin(loaded, "memory.ways") == top + ":1:16");
}

TEST_CASE("the last of several extended files takes precedence, and a file may occur twice") {
  const tests::TemporaryFolder folder;
  folder.write("a.yaml", "extends: c.yaml\ncores: 2\n");
  folder.write("b.yaml", "extends: c.yaml\nclock: 2 MHz\n");
  folder.write("c.yaml", "cores: 1\nclock: 1 MHz\nname: c\n");
  MachineParameters machine;
  configuration::load(root(), &machine, folder.write("top.yaml", "extends: [a.yaml, b.yaml]\n"));
  CHECK(machine.cores == 1);
  CHECK(machine.clock == 2000000);
  CHECK(machine.name == "c");
}

TEST_CASE("aliases are replaced by their values") {
  MachineParameters machine;
  load_text(machine, "memory: &m {ways: 9}\nsecond_memory: *m\n");
  CHECK(machine.memory.ways == 9);
  CHECK(machine.second_memory.ways == 9);
}

TEST_CASE("the last file replaces a section as a whole, and unknown sections are refused") {
  const std::array<configuration::SectionKey, 2> keys{{{"parts", {}}, {"tools", {}}}};
  const tests::TemporaryFolder place;
  place.write("base.yaml", "cores: 3\nparts: {a: 1, b: 2}\ntools: [x]\n");
  const std::string file = place.write("top.yaml", "extends: base.yaml\nparts: {c: 3}\n");
  MachineParameters machine;
  const Configuration loaded = configuration::load(root(), &machine, file, {}, keys);
  CHECK(machine.cores == 3);
  REQUIRE(loaded.sections().size() == 2);
  REQUIRE(loaded.section("parts") != nullptr);
  CHECK(loaded.section("parts")->value.size() == 1);
  CHECK(loaded.section("parts")->location == SourceLocation{file, 2, 1});
  CHECK(loaded.section("tools")->file == (place.path() / "base.yaml").generic_string());
  CHECK(loaded.section("widths") == nullptr);
  CHECK_THROWS_WITH(configuration::load(root(), &machine, file), Catch::Contains("there is no key parts"));
  CHECK_THROWS_WITH(configuration::load_text(root(), &machine, {"parts: &a [*a]\n", "a.yaml"}, {}, keys),
                    Catch::Contains("a.yaml:1:1: parts is nested too deeply, or holds itself"));
  std::string many = "parts:\n- &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 0; i < 8; ++i) {
    const std::string alias = "*a" + std::to_string(i) + ' ';
    many += "- &a" + std::to_string(i + 1) + " [";
    for (int times = 0; times < 10; ++times) many += (times == 0 ? "" : ", ") + alias;
    many += "]\n";
  }
  CHECK_THROWS_WITH(configuration::load_text(root(), &machine, {many, "a.yaml"}, {}, keys),
                    Catch::Contains("more than 1000000 values"));
  const std::string wrong = place.write("wrong.yaml", "prts: {}\n");
  CHECK_THROWS_WITH(configuration::load(root(), &machine, wrong, {}, keys), Catch::Contains("did you mean parts?"));
}

TEST_CASE("a platform on the command line takes the place of the one that the files extend") {
  const tests::TemporaryFolder place;
  place.write("old.yaml", "core: {latency: 5 cycles, share: 0.5}\n");
  place.write("older.yaml", "extends: old.yaml\nmemory: {capacity: 8 KiB}\n");
  place.write("more.yaml", "core: {bypass: false}\n");
  place.write("base.yaml", "extends: [older.yaml, more.yaml]\nname: base\n");
  const std::string file = place.write("a.yaml", "extends: base.yaml\ncore: {latency: 7 cycles}\n");
  const std::string platform = place.write("new.yaml", "core: {latency: 9 cycles}\nmemory: {capacity: 16 KiB}\n");
  const auto load = [&](const std::string& from, const std::vector<std::string>& overrides) {
    MachineParameters machine;
    const Configuration loaded = configuration::load(root(), &machine, from, overrides);
    return std::vector<std::string>{loaded.find("core.latency")->value, loaded.find("core.share")->value,
                                    loaded.find("core.bypass")->value, loaded.find("memory.capacity")->value};
  };
  const std::vector<std::string> defaults = load(place.write("none.yaml", "name: none\n"), {});
  CHECK(load(file, {}) == std::vector<std::string>{"7 cycles", "0.5", "false", "8 KiB"});
  // Nothing of the old platform is left, and the experiment's own values still win.
  CHECK(load(file, {"platform=" + platform}) == std::vector<std::string>{"7 cycles", defaults[1], "false", "16 KiB"});
  CHECK(load(file, {"core.share=0.25", "platform=" + platform})[1] == "0.25");
  MachineParameters machine;
  CHECK_THROWS_WITH(configuration::load(root(), &machine, place.path() / "none.yaml",
                                        std::vector<std::string>{"platform=" + platform}),
                    Catch::Contains("replaces no platform"));
  CHECK_THROWS_AS(configuration::load(root(), &machine, file, std::vector<std::string>{"platform=missing.yaml"}),
                  InputError);
}

}  // namespace test_blocks
