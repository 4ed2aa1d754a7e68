// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/legacy_forms.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

namespace reconverge::kernel {

namespace {

using Words = std::vector<std::string_view>;

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// `.version 1.3` as 103.
unsigned version_number(std::string_view version) {
  unsigned major = 0;
  unsigned minor = 0;
  const auto* const end = version.data() + version.size();
  const auto parsed = std::from_chars(version.data(), end, major);
  if (parsed.ptr != end) std::from_chars(parsed.ptr + 1, end, minor);
  constexpr unsigned hundred = 100;
  return hundred * major + minor;
}

bool rounds_or_approximates(const Words& modifiers) {
  constexpr std::array<std::string_view, 6> words = {"rn", "rz", "rm", "rp", "approx", "full"};
  return std::any_of(modifiers.begin(), modifiers.end(), [&](auto word) { return is_one_of(word, words); });
}

void put_first(Words& modifiers, const Words& words) {
  std::erase(modifiers, "ftz");
  modifiers.insert(modifiers.begin(), words.begin(), words.end());
}

}  // namespace

bool is_first_generation(const Module& module) {
  constexpr std::array<std::string_view, 8> targets = {"sm_10",      "sm_11",      "sm_12",      "sm_13",
                                                       "compute_10", "compute_11", "compute_12", "compute_13"};
  return is_one_of(module.target, targets);
}

std::optional<SyntaxInstruction> in_full(const SyntaxInstruction& syntax, const Module& module) {
  constexpr unsigned explicit_since = 104;
  const bool implicit = version_number(module.version) < explicit_since;
  const bool fuses = is_first_generation(module);
  if ((!implicit && !fuses) || syntax.modifiers.empty()) return std::nullopt;
  const bool single = syntax.modifiers.back() == "f32";
  if ((!single && syntax.modifiers.back() != "f64") || rounds_or_approximates(syntax.modifiers)) return std::nullopt;
  SyntaxInstruction full = syntax;
  if (syntax.mnemonic == "mad") {
    if (single ? !fuses : !implicit) return std::nullopt;
    if (single) full.mnemonic = "fma";
    put_first(full.modifiers, single ? Words{"rn", "ftz"} : Words{"rn"});
    return full;
  }
  constexpr std::array<std::string_view, 3> exact = {"div", "rcp", "sqrt"};
  constexpr std::array<std::string_view, 5> approximate = {"rsqrt", "sin", "cos", "lg2", "ex2"};
  const bool rounds = is_one_of(syntax.mnemonic, exact);
  if (!implicit || (!rounds && !is_one_of(syntax.mnemonic, approximate))) return std::nullopt;
  put_first(full.modifiers, single ? Words{"approx", "ftz"} : rounds ? Words{"rn"} : Words{"approx"});
  return full;
}

void flush_as_first_generation(Instruction& instruction) {
  const auto has = [&](DataType type) { return instruction.type == type || instruction.source_type == type; };
  if (!has(DataType::f32)) return;
  switch (instruction.opcode) {
    case Opcode::cvt:
      if (bytes_of(instruction.type) == 8 || bytes_of(instruction.source_type) == 8) return;
      break;
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::fma:
    case Opcode::div:
    case Opcode::abs:
    case Opcode::neg:
    case Opcode::min:
    case Opcode::max:
    case Opcode::rcp:
    case Opcode::sqrt:
    case Opcode::rsqrt:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::ex2:
    case Opcode::lg2:
    case Opcode::set:
    case Opcode::setp:
    case Opcode::slct:
      break;
    default:
      return;
  }
  instruction.flush_subnormals = true;
}

}  // namespace reconverge::kernel
