// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/instruction_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "models/kernel/decode/matcher.hpp"
#include "tests/unit/kernel/ptx.hpp"

using namespace reconverge;
using namespace reconverge::kernel;
using tests::load;

namespace {

using Words = std::vector<std::string>;

Words split(std::string_view text, char separator) {
  Words words;
  std::stringstream stream{std::string(text)};
  for (std::string word; std::getline(stream, word, separator);) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

Words choices(std::string group) {
  Words result;
  for (const std::string& word : split(group.substr(group.find('=') + 1), '|')) {
    if (word.front() != '@') {
      result.push_back(word);
    } else {
      const Words inner = choices(std::string(modifier_set(word.substr(1))));
      result.insert(result.end(), inner.begin(), inner.end());
    }
  }
  return result;
}

/// Spellings that use every modifier of a row at least once: each choice of each group, with the other groups at their
/// first choice, and with optional modifiers both present and absent.
std::vector<Words> spellings(const InstructionRule& rule) {
  std::vector<Words> groups;
  for (std::string group : split(rule.modifiers, ' ')) {
    const bool optional = group.front() == '{';
    if (optional) group = group.substr(1, group.size() - 2);
    Words words = choices(group);
    if (optional) words.insert(words.begin(), "");
    groups.push_back(words);
  }
  std::vector<Words> result;
  const auto add = [&](std::size_t varied, std::size_t choice) {
    Words one;
    for (std::size_t i = 0; i < groups.size(); ++i) one.push_back(groups[i][i == varied ? choice : 0]);
    result.push_back(one);
  };
  if (groups.empty()) result.emplace_back();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::size_t choice = 0; choice < groups[i].size(); ++choice) add(i, choice);
  }
  return result;
}

std::string register_of(std::string type, unsigned number) {
  if (type == "pred") return "%p" + std::to_string(number);
  if (type == "f64") return "%fd" + std::to_string(number);
  if (type == "f32") return "%f" + std::to_string(number);
  if (type == "b128") return "%q" + std::to_string(number);
  if (type.ends_with("64") || type == "f32x2") return "%rd" + std::to_string(number);
  if (type.ends_with("32") || type.ends_with("x2")) return "%r" + std::to_string(number);
  return "%rs" + std::to_string(number);
}

bool asks_for_policy(const Words& modifiers) {
  return std::find(modifiers.begin(), modifiers.end(), "L2::cache_hint") != modifiers.end();
}

/// Operands for one spelling of a row, including optional operands if `all` is set.
std::string operands(const InstructionRule& rule, const Words& modifiers, bool all) {
  Words types;
  std::string width = "1";
  for (const std::string& modifier : modifiers) {
    for (const std::string& word : split(modifier, '.')) {
      if (word == "v2" || word == "v4" || word == "x2" || word == "x4") width = word.substr(1);
      for (auto type = DataType::pred; type <= DataType::f32x2;
           type = static_cast<DataType>(static_cast<int>(type) + 1)) {
        if (name_of(type) == word) types.push_back(word);
      }
    }
  }
  // A register holds two elements of a matrix.
  if (rule.opcode == Opcode::ldmatrix || rule.opcode == Opcode::stmatrix) types = {"b32"};
  types.resize(std::max<std::size_t>(types.size(), 2), "b32");
  std::string text;
  unsigned number = 1;
  for (std::string word : split(rule.operands, ' ')) {
    const bool optional = word.back() == '?';
    const bool pair = word.find('|') != std::string::npos;
    if (optional && !all && !pair && word != "policy?") continue;
    if (optional) word.pop_back();
    if (word.front() == '=') word.erase(0, 1);
    if (word == "cc" || (word == "policy" && !asks_for_policy(modifiers))) continue;
    if (word.front() == '~') word.erase(0, 1);
    if (word == "policy") word = "b64";
    if (pair) word = word.substr(0, word.find('|'));
    std::string operand;
    if (word == "tex") {
      // tex.1d, tex.2d and tex.3d take one, two and four coordinates.
      const unsigned dimensions = static_cast<unsigned>(modifiers.front()[0] - '0');
      operand = "[%rd50, {" + register_of(types[1], number++);
      for (unsigned i = 1; i < (dimensions == 3 ? 4 : dimensions); ++i) {
        operand += ", " + register_of(types[1], number++);
      }
      operand += "}]";
    } else if (word == "mem") {
      operand = "[%rd50]";
    } else if (word == "v") {
      if (std::find(modifiers.begin(), modifiers.end(), "b128") != modifiers.end()) types[0] = "b128";
      for (unsigned i = 0; i < static_cast<unsigned>(width[0] - '0'); ++i) {
        operand += std::string(i == 0 ? "" : ", ") + register_of(types[0], number++);
      }
      if (width != "1") operand.insert(0, "{").append("}");
    } else if (word == "#" || word == "bar") {
      operand = rule.mnemonic == "cp" ? "16" : "3";
    } else if (word == "label") {
      operand = "END";
    } else if (word == "table") {
      operand = "TABLE";
    } else {
      std::string type = word;
      if (word == "t") type = types[0];
      if (word == "s") type = types[1];
      if (word == "w") type = types[0].ends_with("16") ? "u32" : "u64";
      if (word == "p") type = "pred";
      if (word == "part") type = "b32";
      operand = register_of(type, number++);
    }
    if (pair && (!optional || all)) operand += "|" + register_of("pred", number++);
    if (!text.empty()) text += ", ";
    text += operand;
  }
  return text;
}

bool is_about_the_conversion(const std::string& message) {
  const auto says = [&](const char* words) { return message.find(words) != std::string::npos; };
  return says("rounding") || says("does not round") || says("cannot leave the range");
}

/// Whether the error asks for an operand that only some modifiers of the row require.
bool needs_optional_operand(const std::string& message) {
  return message.find("is needed; it is") != std::string::npos;
}

bool compares_with_boolean(const Words& modifiers) {
  return std::any_of(modifiers.begin(), modifiers.end(),
                     [](const std::string& word) { return word == "and" || word == "or" || word == "xor"; });
}

std::string readme_path() { return std::string(RECONVERGE_SOURCE_DIR) + "/models/kernel/README.md"; }

const std::string begin_mark = "<!-- instructions: made from instruction_table.cpp -->\n";
const std::string end_mark = "<!-- end of instructions -->\n";

std::string instruction_list() {
  std::string text = "```\n";
  for (const InstructionRule& rule : instruction_rules()) {
    text += fmt::format("{:<10}{}\n", name_of(rule.operation_class), describe(rule));
  }
  return text + "```\n";
}

std::string read(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("every row of the table decodes with each of its modifiers") {
  std::map<std::string_view, unsigned> decoded;
  for (const InstructionRule& rule : instruction_rules()) {
    if (rule.opcode == Opcode::mma) continue;  // tested in the contract suite's matrix_test
    for (const Words& modifiers : spellings(rule)) {
      for (const bool all : {false, true}) {
        const bool is_compare = rule.opcode == Opcode::setp || rule.opcode == Opcode::set;
        if (is_compare && all != compares_with_boolean(modifiers)) continue;
        std::string mnemonic(rule.mnemonic);
        for (const std::string& modifier : modifiers) {
          if (!modifier.empty()) mnemonic += "." + modifier;
        }
        const std::string ptx = mnemonic + " " + operands(rule, modifiers, all) + ";";
        INFO(ptx);
        const std::string body = ".reg .b128 %q<9>; " + ptx + "\nEND: ret;\nTABLE: .branchtargets END;";
        std::string message = "accepted";
        Instruction instruction;
        try {
          instruction = tests::decoded(body);
        } catch (const InputError& error) {
          message = error.what();
        }
        if (rule.opcode == Opcode::cvt && is_about_the_conversion(message)) continue;
        if (!all && needs_optional_operand(message)) continue;
        CHECK(message == "accepted");
        if (message != "accepted") continue;
        // A return of a kernel decodes to an exit, and a copy to a load and a store.
        const Opcode expected = rule.opcode == Opcode::ret ? Opcode::exit : rule.opcode;
        if (rule.mnemonic != "cp") CHECK(instruction.opcode == expected);
        ++decoded[rule.mnemonic];
      }
    }
  }
  for (const InstructionRule& rule : instruction_rules()) {
    INFO(rule.mnemonic << " " << rule.modifiers);
    CHECK((decoded[rule.mnemonic] > 0 || rule.opcode == Opcode::mma));
  }
  CHECK(decoded["cvt"] > 10);
}

TEST_CASE("the table has a row for every opcode with PTX syntax") {
  std::set<Opcode> reached;
  for (const InstructionRule& rule : instruction_rules()) reached.insert(rule.opcode);
  const std::set<Opcode> elsewhere = {Opcode::pack, Opcode::unpack,       Opcode::ld_param,  Opcode::call,
                                      Opcode::host, Opcode::read_special, Opcode::extension, Opcode::count};
  for (auto opcode = Opcode::nop; opcode < Opcode::count; opcode = static_cast<Opcode>(static_cast<int>(opcode) + 1)) {
    INFO(name_of(opcode));
    CHECK(reached.contains(opcode) != elsewhere.contains(opcode));
  }
}

TEST_CASE("all sets and operand kinds in the table are defined") {
  const std::set<std::string> kinds = {"t",     "s",     "w",    "p",   "mem",  "v",   "#",      "bar",
                                       "label", "table", "u32",  "b32", "part", "tex", "policy", "cc",
                                       "~u32",  "~b64",  "~f32", "b64", "b16",  "s32", "f32",    "frag"};
  for (const InstructionRule& rule : instruction_rules()) {
    INFO(rule.mnemonic << " " << rule.modifiers);
    for (std::string word : split(rule.operands, ' ')) {
      if (word.back() == '?') word.pop_back();
      if (word.front() == '=') word.erase(0, 1);
      CHECK(kinds.contains(word.substr(0, word.find('|'))));
    }
    for (const Words& spelling : spellings(rule)) CHECK(spelling.size() == split(rule.modifiers, ' ').size());
  }
  CHECK(modifier_set("nonsense").empty());
}

TEST_CASE("rows are described in the syntax of the PTX manual") {
  CHECK(describe({"add", "{@round} {ftz} {sat} f32", "=t t t", Opcode::add}) ==
        "add{.(rn|rz|rm|rp)}{.ftz}{.sat}.f32 d, a, b");
  CHECK(describe({"setp", "eq|ne {@logic} b32", "=p|p? t t p?", Opcode::setp}) ==
        "setp.(eq|ne){.(and|or|xor)}.b32 p{|q}, a, b, {c}");
  CHECK(describe({"bar", "mode:2=red.popc.u32", "=u32 bar u32? p", Opcode::bar}) ==
        "bar.red.popc.u32 d, barrier, {a}, b");
  CHECK(describe({"bfi", "b32", "=t t t u32 u32", Opcode::bfi}) == "bfi.b32 d, a, b, c, e");
  CHECK(describe({"exit", "", "", Opcode::exit}) == "exit");
}

TEST_CASE("the README lists exactly the instructions of the table") {
  const std::string readme = read(readme_path());
  const std::size_t begin = readme.find(begin_mark);
  const std::size_t end = readme.find(end_mark);
  REQUIRE(begin != std::string::npos);
  REQUIRE(end != std::string::npos);
  const std::string listed = readme.substr(begin + begin_mark.size(), end - begin - begin_mark.size());
  CHECK((listed == instruction_list()));  // update it with: test_kernel "[renew]"
}

TEST_CASE("renew the list of instructions in the README", "[.][renew]") {
  std::string readme = read(readme_path());
  const std::size_t begin = readme.find(begin_mark);
  const std::size_t end = readme.find(end_mark);
  REQUIRE(begin != std::string::npos);
  REQUIRE(end != std::string::npos);
  readme.replace(begin + begin_mark.size(), end - begin - begin_mark.size(), instruction_list());
  std::ofstream(readme_path()) << readme;
}
