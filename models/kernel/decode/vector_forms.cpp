// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/vector_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace reconverge::kernel {

namespace {

using Kind = SyntaxOperand::Kind;

// %tid and similar registers are vectors of four elements; the last is zero.
constexpr auto special_vectors = std::to_array<std::pair<std::string_view, std::array<std::string_view, 3>>>({
    {"%tid", {"%tid.x", "%tid.y", "%tid.z"}},
    {"%ntid", {"%ntid.x", "%ntid.y", "%ntid.z"}},
    {"%ctaid", {"%ctaid.x", "%ctaid.y", "%ctaid.z"}},
    {"%nctaid", {"%nctaid.x", "%nctaid.y", "%nctaid.z"}},
});

void spell_out_special(SyntaxOperand& operand, std::size_t width) {
  if (operand.kind != Kind::name) return;
  const auto* const found = std::find_if(special_vectors.begin(), special_vectors.end(),
                                         [&](const auto& one) { return one.first == operand.name; });
  if (found == special_vectors.end()) return;
  SyntaxOperand element = operand;
  operand.kind = Kind::vector;
  for (std::size_t i = 0; i < std::min<std::size_t>(width, 3); ++i) {
    element.name = found->second.at(i);
    operand.elements.push_back(element);
  }
  if (width == 4) {
    element.kind = Kind::integer;
    element.name = {};
    operand.elements.push_back(element);
  }
}

bool same_register(const SyntaxOperand& a, const SyntaxOperand& b) {
  return a.kind == Kind::name && b.kind == Kind::name && a.name == b.name && a.name != "_";
}

// Whether `holds` is true for a part and a later part.
template <typename Holds>
bool any_two(std::span<const SyntaxInstruction> parts, Holds&& holds) {
  for (std::size_t first = 0; first < parts.size(); ++first) {
    for (std::size_t later = first + 1; later < parts.size(); ++later) {
      if (holds(parts[first], parts[later])) return true;
    }
  }
  return false;
}

std::vector<SyntaxInstruction> split_mov(const SyntaxInstruction& syntax, std::size_t width, std::string_view file) {
  std::vector<SyntaxOperand> operands = syntax.operands;
  if (operands.size() == 2) spell_out_special(operands[1], width);
  const bool fits = operands.size() == 2 && std::all_of(operands.begin(), operands.end(), [&](const auto& operand) {
                      return operand.kind == Kind::vector && operand.elements.size() == width;
                    });
  if (!fits) {
    throw InputError(locate(file, syntax.position), "a mov of vectors takes two of that width",
                     fmt::format("give both sides {} registers, or name vector registers", width));
  }
  std::vector<SyntaxInstruction> parts;
  for (std::size_t i = 0; i < width; ++i) {
    if (operands[0].elements[i].name == "_") continue;
    SyntaxInstruction part = syntax;
    part.modifiers.erase(part.modifiers.begin());
    part.operands = {operands[0].elements[i], operands[1].elements[i]};
    parts.push_back(std::move(part));
  }
  // The last part that writes a register determines its value, so parts with a common register stay in order.
  const std::vector<SyntaxInstruction> reversed(parts.rbegin(), parts.rend());
  const bool may_reverse = !any_two(
      parts, [](const auto& one, const auto& other) { return same_register(one.operands[0], other.operands[0]); });
  return overwrites_sources(parts) && may_reverse && !overwrites_sources(reversed) ? reversed : parts;
}

std::vector<SyntaxInstruction> split_access(const SyntaxInstruction& syntax, std::string_view file) {
  const auto is = [](Kind kind) { return [kind](const SyntaxOperand& operand) { return operand.kind == kind; }; };
  const auto data = std::find_if(syntax.operands.begin(), syntax.operands.end(), is(Kind::vector));
  const auto address = std::find_if(syntax.operands.begin(), syntax.operands.end(), is(Kind::address));
  constexpr std::size_t width = 8;
  if (data == syntax.operands.end() || address == syntax.operands.end() || data->elements.size() != width) {
    throw InputError(locate(file, syntax.position), "8 registers in braces and an address are needed here",
                     "write ld.global.v8.f32 {a, b, c, d, e, f, g, h}, [address]");
  }
  const std::string_view type = syntax.modifiers.back();
  constexpr std::array<std::string_view, 4> words = {"b32", "u32", "s32", "f32"};
  if (std::find(words.begin(), words.end(), type) == words.end()) {
    throw InputError(locate(file, syntax.position), "vectors of 8 have elements of 32 bits", "write two vectors of 4");
  }
  constexpr std::int64_t half_bytes = 16;
  std::vector<SyntaxInstruction> halves(2, syntax);
  for (std::size_t half = 0; half < 2; ++half) {
    SyntaxInstruction& part = halves[half];
    std::replace(part.modifiers.begin(), part.modifiers.end(), std::string_view("v8"), std::string_view("v4"));
    auto& elements = part.operands[static_cast<std::size_t>(data - syntax.operands.begin())].elements;
    const auto first = data->elements.begin() + static_cast<std::ptrdiff_t>(half * width / 2);
    elements.assign(first, first + width / 2);
    if (half == 1) part.operands[static_cast<std::size_t>(address - syntax.operands.begin())].integer += half_bytes;
  }
  // The half that overwrites the address is executed last.
  const SyntaxOperand& base = address->elements.front();
  const auto overwrites = [&](const SyntaxOperand& one) { return same_register(one, base); };
  if (std::any_of(data->elements.begin(), data->elements.begin() + width / 2, overwrites)) {
    std::swap(halves[0], halves[1]);
  }
  return halves;
}

bool has_128_bits(const SyntaxOperand& operand) {
  return operand.kind == Kind::vector && operand.elements.size() == 2 && operand.elements[0].name.ends_with(".lo") &&
         operand.elements[1].name.ends_with(".hi");
}

// An operand of an instruction on .b128: a register of 128 bits, which consists of two words, or a sink for both.
SyntaxOperand two_words(const SyntaxOperand& operand, std::string_view file) {
  if (has_128_bits(operand)) return operand;
  if (operand.kind != Kind::name || operand.name != "_") {
    throw InputError(locate(file, operand.position), "a register of 128 bits is needed here",
                     "declare it with .reg .b128");
  }
  SyntaxOperand sinks = operand;
  sinks.kind = Kind::vector;
  sinks.elements = {operand, operand};
  return sinks;
}

// mov.b128 between registers of 128 bits, or between one and {a, b}: one mov for each word.
std::vector<SyntaxInstruction> split_wide_mov(const SyntaxInstruction& syntax, std::string_view file) {
  const auto has_two_words = [](const SyntaxOperand& operand) {
    return operand.kind == Kind::vector && operand.elements.size() == 2;
  };
  if (syntax.operands.size() != 2 || std::none_of(syntax.operands.begin(), syntax.operands.end(), has_128_bits) ||
      !std::all_of(syntax.operands.begin(), syntax.operands.end(), has_two_words)) {
    throw InputError(locate(file, syntax.position), "mov.b128 needs a register of 128 bits, and another or two of 64",
                     "write mov.b128 q, {a, b}, mov.b128 {a, b}, q or mov.b128 p, q, with .reg .b128 p, q");
  }
  SyntaxInstruction words = syntax;
  words.modifiers = {"v2", "b64"};
  return split_mov(words, 2, file);
}

// An access of 128 bits becomes an access of a vector of two words.
SyntaxInstruction access_of_words(const SyntaxInstruction& syntax, std::string_view file) {
  SyntaxInstruction words = syntax;
  const auto is_vector = [](std::string_view word) { return word == "v2" || word == "v4" || word == "v8"; };
  if (std::any_of(words.modifiers.begin(), words.modifiers.end(), is_vector)) {
    throw InputError(locate(file, syntax.position), "a vector of .b128 has more bits than an access",
                     "access one register of 128 bits after the other");
  }
  const bool has_policy =
      std::find(words.modifiers.begin(), words.modifiers.end(), "L2::cache_hint") != words.modifiers.end();
  const std::size_t data = words.operands.size() - (has_policy && !words.operands.empty() ? 1 : 0);
  for (std::size_t i = 0; i < data; ++i) {
    if (words.operands[i].kind != Kind::address) words.operands[i] = two_words(words.operands[i], file);
  }
  if (syntax.mnemonic == "atom") return words;
  const auto type = std::find(words.modifiers.begin(), words.modifiers.end(), "b128");
  words.modifiers.insert(type, "v2");
  std::replace(words.modifiers.begin(), words.modifiers.end(), std::string_view("b128"), std::string_view("b64"));
  return words;
}

}  // namespace

bool overwrites_sources(std::span<const SyntaxInstruction> parts) {
  return any_two(parts, [](const SyntaxInstruction& one, const SyntaxInstruction& later) {
    return same_register(one.operands[0], later.operands[1]);
  });
}

std::vector<SyntaxInstruction> split_vectors(const SyntaxInstruction& syntax, std::string_view file) {
  const auto& modifiers = syntax.modifiers;
  if (std::find(modifiers.begin(), modifiers.end(), "b128") != modifiers.end()) {
    if (syntax.mnemonic == "mov") return split_wide_mov(syntax, file);
    constexpr std::array<std::string_view, 4> accesses = {"ld", "ldu", "st", "atom"};
    const bool is_known = std::find(accesses.begin(), accesses.end(), syntax.mnemonic) != accesses.end();
    return is_known ? std::vector{access_of_words(syntax, file)} : std::vector<SyntaxInstruction>();
  }
  if (syntax.mnemonic == "mov" && !modifiers.empty() && (modifiers[0] == "v2" || modifiers[0] == "v4")) {
    return split_mov(syntax, modifiers[0] == "v2" ? 2 : 4, file);
  }
  const bool is_access = syntax.mnemonic == "ld" || syntax.mnemonic == "st";
  if (is_access && std::find(modifiers.begin(), modifiers.end(), "v8") != modifiers.end()) {
    return split_access(syntax, file);
  }
  return {};
}

}  // namespace reconverge::kernel
