// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <string_view>

#include "platforms/configuration/configuration.hpp"
#include "test_blocks/machine.hpp"

namespace test_blocks {

using namespace reconverge;

namespace {

const std::string valid =
    "name: \"x\"\nclock: 980 MHz\ncores: 16\nwidths: [1, 2]\n"
    "core:\n  latency: 3 cycles\n  policy: oldest\n  share: 0.5\n  bypass: true\n"
    "memory: {capacity: {value: 48 KiB, source: paper}, ways: 4}\n";

constexpr std::array<std::string_view, 40> pieces{"cores",    "memory", "core",
                                                  "extends",  "value",  "source",
                                                  ": ",       ":",      "\n",
                                                  "\n  ",     "- ",     "[",
                                                  "]",        "{",      "}",
                                                  ",",        "'",      "\"",
                                                  "#",        "&a ",    "*a",
                                                  "!!str ",   "? ",     "|\n",
                                                  ">\n",      "---\n",  "...\n",
                                                  "%TAG ",    "<<",     "\t",
                                                  "\\x",      "1",      "-",
                                                  "~",        "9e999",  "KiB",
                                                  "MHz",      "\xff",   "\xef\xbb\xbf",
                                                  "fuzz.yaml"};

/// Whether the text loads. An error must be an InputError with a position.
bool loads(const std::string& text) {
  MachineParameters machine;
  machine.cores = 77;
  const MachineParameters before = machine;
  try {
    configuration::load_text(MachineParameters::description(), &machine, {text, "fuzz.yaml"});
    return true;
  } catch (const InputError& error) {
    REQUIRE(machine == before);
    REQUIRE_FALSE(error.location().file.empty());
  }
  return false;
}

}  // namespace

TEST_CASE("a damaged document is loaded or refused") {
  std::mt19937 random(20261121);
  REQUIRE(loads(valid));
  int loaded = 0;
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = valid;
    for (std::size_t edits = 1 + random() % 4; edits > 0; --edits) {
      const std::size_t at = random() % (text.size() + 1);
      switch (random() % 4) {
        case 0:
          text.insert(at, pieces.at(random() % pieces.size()));
          break;
        case 1:
          text.erase(at, random() % 8);
          break;
        case 2:
          if (at < text.size()) text[at] = static_cast<char>(random() % 256);
          break;
        default:
          text.insert(at, text.substr(random() % (text.size() + 1), random() % 30));
      }
    }
    INFO(text);
    (loads(text) ? loaded : refused) += 1;
  }
  // Both outcomes occur.
  CHECK(loaded > 500);
  CHECK(refused > 5000);
}

TEST_CASE("random tokens are loaded or refused") {
  std::mt19937 random(4711);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t n = random() % 24; n > 0; --n) text += pieces.at(random() % pieces.size());
    INFO(text);
    if (!loads(text)) ++refused;
  }
  CHECK(refused > 10000);
}

TEST_CASE("random overrides are accepted or refused") {
  std::mt19937 random(815);
  constexpr std::array<std::string_view, 14> parts{"cores", "memory", ".", "ways",   "=",       "3",    "core",
                                                   "KiB",   "[",      ",", "widths", "latency", "\xff", " "};
  int taken = 0;
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t n = random() % 7; n > 0; --n) text += parts.at(random() % parts.size());
    MachineParameters machine;
    const std::vector<std::string> overrides{text};
    try {
      configuration::load_defaults(MachineParameters::description(), &machine, overrides);
      ++taken;
    } catch (const InputError&) {
      ++refused;
    }
  }
  CHECK(taken > 5);
  CHECK(refused > 10000);
}

}  // namespace test_blocks
