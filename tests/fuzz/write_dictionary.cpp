// SPDX-License-Identifier: Apache-2.0
/// write_dictionary ptx|yaml: the words of a language, one a line, in libFuzzer's format. They come from the tables
/// that the readers themselves use.

#include <cstdio>
#include <set>
#include <string>
#include <string_view>

#include "blocks/experiment.hpp"
#include "models/kernel/decode/instruction_table.hpp"
#include "platforms/launch/keys.hpp"
#include "platforms/machines/machines.hpp"

namespace {

using namespace reconverge;
using Words = std::set<std::string>;

/// A table writes modifiers as `name=a|b {c|@set}`; any character but a letter, digit, dot or underscore separates
/// words.
void add_words(std::string_view text, Words& words) {
  std::string word;
  for (const char c : std::string(text) + ' ') {
    const bool inside =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    if (inside) {
      word += c;
    } else if (!word.empty()) {
      words.insert('.' + word);
      word.clear();
    }
  }
}

Words ptx_words() {
  Words words{".version",
              ".target",
              ".address_size",
              ".entry",
              ".func",
              ".visible",
              ".extern",
              ".weak",
              ".param",
              ".reg",
              ".local",
              ".shared",
              ".global",
              ".const",
              ".align",
              ".branchtargets",
              ".callprototype",
              ".calltargets",
              ".maxntid",
              ".reqntid",
              ".minnctapersm",
              ".maxnreg",
              ".pragma",
              ".loc",
              ".file",
              ".section",
              ".attribute",
              ".texref",
              ".ptr",
              ".pred",
              ".noreturn",
              ".alias",
              "call",
              "generic(",
              "%tid.x",
              "%ctaid.x",
              "%ntid.x",
              "%laneid",
              "%clock",
              "WARP_SZ",
              "0f3F800000",
              "0d3FF0000000000000",
              "0xffffffff",
              "@!",
              "//",
              "/*"};
  for (const kernel::InstructionRule& rule : kernel::instruction_rules()) {
    words.insert(std::string(rule.mnemonic));
    std::string_view rest = rule.modifiers;
    for (std::size_t at = rest.find('@'); at != std::string_view::npos; at = rest.find('@')) {
      rest.remove_prefix(at + 1);
      add_words(kernel::modifier_set(rest.substr(0, rest.find_first_of(" |}"))), words);
    }
    add_words(rule.modifiers, words);
  }
  return words;
}

void add_block(const BlockDescription& block, Words& words) {
  for (const ParameterDescription& parameter : block.parameters) {
    words.insert(std::string(parameter.name) + ": ");
    words.insert(std::string(parameter.default_text));
  }
  for (const ChildDescription& child : block.children) {
    words.insert(std::string(child.name) + ": {");
    add_block(*child.block, words);
  }
}

Words yaml_words() {
  Words words{"extends: ", "value: ", "source: ", "<<: ", "&a ",   "*a",    "!!str ",      "!!binary ",
              "? ",        "- ",      "|\n",      ">-\n", "---\n", "...\n", "%YAML 1.2\n", "%TAG ! ! ",
              "KiB",       "MHz",     "cycles",   "nan",  "inf",   "0x",    "1e9"};
  add_block(with_kinds(experiment_block).root(), words);
  using Keys = std::span<const launch::Key> (*)();
  for (const Keys keys : {&launch::buffer_keys, &launch::launch_keys, &launch::output_keys, &launch::expected_keys,
                          &launch::range_keys, &launch::random_keys, &launch::count_keys, &launch::address_keys,
                          &launch::struct_keys, &launch::texture_keys, &launch::object_keys}) {
    for (const launch::Key& key : keys()) {
      words.insert(std::string(key.name) + ": ");
      for (const std::string_view choice : key.choices) words.insert(std::string(choice));
    }
  }
  for (const configuration::SectionKey& section : launch::section_keys())
    words.insert(std::string(section.name) + ": ");
  return words;
}

std::string escaped(std::string_view word) {
  std::string text;
  for (const char c : word) {
    if (c == '"' || c == '\\') text += '\\';
    text += c == '\n' ? "\\x0A" : std::string(1, c);
  }
  return text;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view language = count == 2 ? arguments[1] : "";
  if (language != "ptx" && language != "yaml") {
    std::fputs("usage: write_dictionary ptx|yaml\n", stderr);
    return 2;
  }
  for (const std::string& word : language == "ptx" ? ptx_words() : yaml_words()) {
    if (!word.empty()) std::printf("\"%s\"\n", escaped(word).c_str());
  }
}
