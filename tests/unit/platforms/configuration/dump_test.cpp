// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <random>
#include <string>

#include "models/core/yaml_file.hpp"
#include "platforms/configuration/configuration.hpp"
#include "test_blocks/core.hpp"
#include "test_blocks/machine.hpp"
#include "tests/unit/core/temporary_folder.hpp"

namespace test_blocks {

using namespace reconverge;

using configuration::Configuration;

namespace {

const BlockDescription& root() { return MachineParameters::description(); }

}  // namespace

TEST_CASE("a dump lists every value with its origin and source") {
  MachineParameters machine;
  const std::vector<std::string> overrides{"core.latency=1"};
  const Configuration loaded = configuration::load_text(
      root(), &machine,
      {"program: b.ptx\nmemory: {capacity: {value: 64 KiB, source: \"a \\\"b\\\"\\n\"}}\n", "d/a.yaml"}, overrides);
  CHECK(configuration::dump(loaded) ==
        "name: \"a \\\"machine\\\"\"  # default; test\n"
        "clock: 1.5 GHz  # default; Table 1, row 2\n"
        "cores: 4  # default; test\n"
        "program: \"d/b.ptx\"  # d/a.yaml:1:10\n"
        "widths: [8, 16, 32]  # default; test\n"
        "core:\n"
        "  latency: 1 cycle  # command line\n"
        "  policy: loose_round_robin  # default; test\n"
        "  share: 1  # default; test\n"
        "  bypass: true  # default; test\n"
        "memory:\n"
        "  capacity: {value: 64 KiB, source: \"a \\\"b\\\"\\x0a\"}  # d/a.yaml:2:28\n"
        "  ways: 6  # default; test\n"
        "second_memory:\n"
        "  capacity: 48 KiB  # default; DRS Table 1\n"
        "  ways: 6  # default; test\n");
  CHECK(configuration::dump(loaded, "d").find("program: \"b.ptx\"") != std::string::npos);
  CHECK(configuration::dump(loaded, "e/f").find("program: \"../../d/b.ptx\"") != std::string::npos);
  CHECK(configuration::dump(loaded, "d", "d").find("program: \"b.ptx\"  # a.yaml:1:10") != std::string::npos);
  CHECK(configuration::dump(loaded, "d", std::filesystem::absolute("e/f")).find("# ../../d/a.yaml:2:28") !=
        std::string::npos);
}

TEST_CASE("a dump has the sections, with paths relative to its folder, and reloads to the same dump") {
  const std::array<std::string_view, 1> paths{"file"};
  const std::array<configuration::SectionKey, 4> keys{{{"parts", paths}, {"tools", {}}, {"list", {}}, {"map", {}}}};
  MachineParameters machine;
  const std::string text =
      "parts:\n"
      "  a: {file: x/a.npy, list: [1, -2.5, \"two, words\", null, 'null'], none: }\n"
      "  b: [[1, 2], {c: {}}, []]\n"
      "tools: just a word\n"
      "list: []\n"
      "map: {}\n";
  const Configuration loaded = configuration::load_text(root(), &machine, {text, "d/a.yaml"}, {}, keys).without("core");
  const std::string dumped = configuration::dump(loaded, "d");
  CHECK(dumped.find("core:") == std::string::npos);
  CHECK(dumped.find("parts:  # d/a.yaml:1:1\n") != std::string::npos);
  CHECK(dumped.find("file: \"x/a.npy\"\n") != std::string::npos);
  CHECK(configuration::dump(loaded, "e").find("file: \"../d/x/a.npy\"\n") != std::string::npos);

  const YamlNode before = parse_yaml(text, "a.yaml");
  const YamlNode after = parse_yaml(dumped, "b.yaml");
  for (const char* section : {"parts", "tools", "list", "map"}) {
    // Quotes may differ, because they are not part of a value.
    const auto plain = [](const YamlNode& node) {
      std::string flat;
      const std::function<void(const YamlNode&)> add = [&](const YamlNode& part) {
        flat += part.is_map() ? "{" : part.is_list() ? "[" : part.is_null() ? "~" : "'" + part.scalar() + "'";
        for (const YamlNode& item : part.items()) add(item);
        for (const YamlPair& pair : part.pairs()) {
          add(pair.key);
          add(pair.value);
        }
        flat += part.is_map() ? "}" : "]";
      };
      add(node);
      return flat;
    };
    CHECK(plain(*before.find(section)) == plain(*after.find(section)));
  }
}

TEST_CASE("a dump loads to the same parameters, sources and dump") {
  std::mt19937 random(7);
  const auto below = [&](std::uint64_t limit) { return std::to_string(random() % limit); };
  const auto word = [&] {
    std::string text;
    for (std::size_t i = random() % 12; i > 0; --i) text += static_cast<char>(' ' + random() % ('~' - ' ' + 1));
    return text;
  };
  for (int i = 0; i < 500; ++i) {
    std::vector<std::string> overrides{"name=" + word() + "\n\t" + word(),
                                       "clock=" + below(3999) + "." + below(999) + "1 MHz",
                                       "cores=" + std::to_string(1 + random() % 1024),
                                       "program=" + word(),
                                       "widths=[" + std::to_string(1 + random() % 64) + "]",
                                       "core.share=0." + below(99999999),
                                       "core.bypass=false",
                                       "memory.capacity=" + std::to_string(1024 + random() % 1000000) + " B"};
    overrides.resize(1 + random() % overrides.size());
    if (overrides.size() > 1 && overrides[1].starts_with("clock=0.")) overrides[1] = "clock=1 MHz";
    MachineParameters first;
    const std::string dumped = configuration::dump(configuration::load_defaults(root(), &first, overrides));
    MachineParameters second;
    INFO(dumped);
    const Configuration loaded = configuration::load_text(root(), &second, {dumped, "dump.yaml"});
    // Reading a path also normalises it: a//b and a/./b become a/b.
    first.program = first.program.empty() ? "" : std::filesystem::path(first.program).lexically_normal().string();
    REQUIRE(first == second);
    MachineParameters third;
    const Configuration again = configuration::load_text(root(), &third, {configuration::dump(loaded), "dump.yaml"});
    REQUIRE(third == second);
    REQUIRE(configuration::dump(again).size() > 100);
    for (const configuration::Entry& entry : loaded.entries()) {
      REQUIRE(again.find(entry.path)->value == entry.value);
      REQUIRE(again.find(entry.path)->source == entry.source);
    }
  }
}

TEST_CASE("a dump can be in another folder than its source file") {
  const tests::TemporaryFolder folder;
  const std::string file = folder.write("platforms/a.yaml", "program: kernels/k.ptx\n");
  MachineParameters first;
  const Configuration loaded = configuration::load(root(), &first, file);
  MachineParameters second;
  const std::string copy =
      folder.write("results/run/used.yaml", configuration::dump(loaded, folder.path() / "results/run"));
  configuration::load(root(), &second, copy);
  CHECK(first == second);
  CHECK(first.program == (folder.path() / "platforms/kernels/k.ptx").string());
}

}  // namespace test_blocks
