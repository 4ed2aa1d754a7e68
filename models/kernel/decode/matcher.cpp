// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/matcher.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <boost/container/small_vector.hpp>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "models/core/suggestion.hpp"
#include "models/kernel/decode/float_modifier.hpp"
#include "models/kernel/syntax/type_names.hpp"

namespace reconverge::kernel {

namespace {

using Role = ModifierGroup::Role;
using Kind = OperandRule::Kind;

// Two words of 64 bits, which atomics access as one.
constexpr std::string_view pair_of_words = "b128";

std::optional<Space> space_named(std::string_view word) {
  if (word == "shared::cta" || word == "shared::cluster") return Space::shared;
  if (word == "param::entry") return Space::param;
  return value_named(word, Space::global, Space::param);
}

std::optional<AtomicOperation> atomic_named(std::string_view word) {
  return value_named(word, AtomicOperation::add, AtomicOperation::cas);
}

CacheOperator cache_operator_named(std::string_view word) {
  constexpr std::array<std::string_view, 13> names = {"none", "ca", "cg",       "cs",      "lu",      "cv",  "wb",
                                                      "wt",   "nc", "volatile", "relaxed", "acquire", "mmio"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == word) return static_cast<CacheOperator>(i);
  }
  return CacheOperator::none;
}

// The meaning of a group for which the table gives none.
Role inferred_role(std::string_view word) {
  if (type_named(word) || word == pair_of_words) return Role::type;
  if (space_named(word)) return Role::space;
  if (value_named(word, Rounding::rn, Rounding::rpi)) return Role::rounding;
  if (value_named(word, Comparison::eq, Comparison::nan)) return Role::comparison;
  if (word == "v2" || word == "v4" || word == "x2" || word == "x4") return Role::vector;
  return Role::flag;
}

Role role_named(std::string_view word) {
  if (word == "bool") return Role::boolean;
  if (word == "atom") return Role::atomic;
  if (word == "half") return Role::half;
  if (word == "cache") return Role::cache;
  if (word == "mode") return Role::variant;
  if (word == "bits") return Role::bits;
  return Role::skip;
}

template <typename Visit>
void for_each_word(std::string_view text, char separator, Visit&& visit) {
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    if (end != 0) visit(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

void add_choices(ModifierGroup& group, bool& role_known, std::string_view text) {
  if (const std::size_t equals = text.find('='); equals != std::string_view::npos) {
    std::string_view name = text.substr(0, equals);
    if (const std::size_t colon = name.find(':'); colon != std::string_view::npos) {
      std::from_chars(name.data() + colon + 1, name.data() + name.size(), group.number);
      name = name.substr(0, colon);
    }
    group.role = role_named(name);
    role_known = true;
    text.remove_prefix(equals + 1);
  }
  for_each_word(text, '|', [&](std::string_view word) {
    if (word.starts_with('@')) return add_choices(group, role_known, modifier_set(word.substr(1)));
    if (!role_known) group.role = inferred_role(word);
    role_known = true;
    group.choices.push_back(word);
  });
}

OperandRule compile_operand(std::string_view word) {
  OperandRule rule;
  if (word.starts_with('=')) {
    rule.destination = true;
    word.remove_prefix(1);
  }
  if (word.ends_with('?')) {
    rule.optional = true;
    word.remove_suffix(1);
  }
  if (const std::size_t bar = word.find('|'); bar != std::string_view::npos) {
    rule.pair = true;
    word = word.substr(0, bar);
  }
  if (word.starts_with('~')) {
    rule.checked = true;
    word.remove_prefix(1);
  }
  constexpr std::array<std::pair<std::string_view, Kind>, 15> kinds = {{{"t", Kind::type},
                                                                        {"s", Kind::source_type},
                                                                        {"w", Kind::wide_type},
                                                                        {"p", Kind::predicate},
                                                                        {"mem", Kind::memory},
                                                                        {"v", Kind::vector},
                                                                        {"#", Kind::offset},
                                                                        {"bar", Kind::barrier},
                                                                        {"label", Kind::label},
                                                                        {"table", Kind::table},
                                                                        {"part", Kind::part},
                                                                        {"tex", Kind::texture},
                                                                        {"frag", Kind::fragment},
                                                                        {"policy", Kind::policy},
                                                                        {"cc", Kind::carry}}};
  for (const auto& [name, kind] : kinds) {
    if (name == word) {
      rule.kind = kind;
      return rule;
    }
  }
  rule.kind = Kind::explicit_type;
  rule.type = type_named(word).value_or(DataType::none);
  return rule;
}

CompiledRule compile(const InstructionRule& rule) {
  CompiledRule compiled;
  compiled.rule = &rule;
  for_each_word(rule.modifiers, ' ', [&](std::string_view text) {
    ModifierGroup group;
    bool role_known = false;
    group.optional = text.starts_with('{');
    if (group.optional) text = text.substr(1, text.size() - 2);
    add_choices(group, role_known, text);
    compiled.groups.push_back(std::move(group));
  });
  for_each_word(rule.operands, ' ', [&](std::string_view word) { compiled.operands.push_back(compile_operand(word)); });
  return compiled;
}

void set_flag(std::string_view word, Instruction& instruction) {
  if (word == "ftz") instruction.flush_subnormals = true;
  if (word == "sat") instruction.saturate = true;
  if (word == "approx" || word == "full") instruction.approximate = true;
  if (word == "full") add(instruction, FloatModifier::full);
  if (word == "relu") add(instruction, FloatModifier::relu);
  if (word == "NaN") add(instruction, FloatModifier::nan);
  if (word == "xorsign.abs") add(instruction, FloatModifier::xorsign_abs);
  if (word == "satfinite") add(instruction, FloatModifier::satfinite);
  if (word == "tf32") add(instruction, FloatModifier::tf32);
  if (word == "abs") add(instruction, FloatModifier::abs);
  if (word == "rna") add(instruction, FloatModifier::ties_away);
  if (word == "uni" || word == "aligned") instruction.uniform = true;
}

void apply(const ModifierGroup& group, std::size_t choice, Instruction& instruction) {
  const std::string_view word = group.choices[choice];
  switch (group.role) {
    case Role::type:
      if (word == pair_of_words) {
        instruction.type = DataType::b64;
        instruction.vector_width = 2;
        break;
      }
      (instruction.type == DataType::none ? instruction.type : instruction.source_type) =
          type_named(word).value_or(DataType::none);
      break;
    case Role::space:
      instruction.space = space_named(word).value_or(Space::none);
      break;
    case Role::rounding:
      instruction.rounding = value_named(word, Rounding::rn, Rounding::rpi).value_or(Rounding::none);
      break;
    case Role::comparison:
      instruction.comparison = value_named(word, Comparison::eq, Comparison::nan).value_or(Comparison::none);
      break;
    case Role::boolean:
      instruction.boolean = value_named(word, Boolean::and_, Boolean::xor_).value_or(Boolean::none);
      break;
    case Role::half:
      instruction.half = value_named(word, Half::lo, Half::wide).value_or(Half::none);
      break;
    case Role::atomic:
      instruction.atomic = atomic_named(word).value_or(AtomicOperation::none);
      break;
    case Role::cache:
      instruction.variant = static_cast<std::uint8_t>(cache_operator_named(word));
      break;
    case Role::variant:
      instruction.variant = static_cast<std::uint8_t>(group.number + choice);
      break;
    case Role::bits:
      instruction.offset |= static_cast<std::int32_t>(choice + (group.optional ? 1 : 0)) << group.number;
      break;
    case Role::vector:
      instruction.vector_width = word.ends_with('4') ? 4 : 2;
      break;
    case Role::flag:
      set_flag(word, instruction);
      break;
    case Role::skip:
      break;
  }
}

/// The modifiers of an instruction that no group has taken yet.
using Modifiers = boost::container::small_vector<std::string_view, 12>;

/// Takes the words of `choice` out of `modifiers`: from the front, or, in free order, from any position, but types in
/// the order in which they are written. False: they are not present, and nothing changed.
bool take(std::string_view choice, bool free_order, Modifiers& modifiers) {
  const auto place_of = [&](const Modifiers& among, std::string_view word) {
    if (!free_order) return !among.empty() && among.front() == word ? among.begin() : among.end();
    if (!type_named(word)) return std::find(among.begin(), among.end(), word);
    const auto type = std::find_if(among.begin(), among.end(), [](auto one) { return type_named(one).has_value(); });
    return type != among.end() && *type == word ? type : among.end();
  };
  if (place_of(modifiers, choice.substr(0, choice.find('.'))) == modifiers.end()) return false;
  Modifiers left = modifiers;
  bool found = true;
  for_each_word(choice, '.', [&](std::string_view word) {
    const auto place = place_of(left, word);
    found = found && place != left.end();
    if (found) left.erase(place);
  });
  if (found) modifiers = std::move(left);
  return found;
}

bool try_rule(const CompiledRule& rule, std::span<const std::string_view> written, bool free_order,
              Instruction& instruction) {
  Modifiers modifiers(written.begin(), written.end());
  Instruction result;
  result.opcode = rule.rule->opcode;
  result.operation_class = rule.rule->operation_class;
  result.variant = rule.rule->variant;
  for (const ModifierGroup& group : rule.groups) {
    bool taken = false;
    for (std::size_t choice = 0; choice < group.choices.size() && !taken; ++choice) {
      taken = take(group.choices[choice], free_order, modifiers);
      if (taken) apply(group, choice, result);
    }
    if (!taken && !group.optional) return false;
  }
  if (!modifiers.empty()) return false;
  instruction = result;
  return true;
}

struct WayAround {
  std::string_view mnemonic;
  std::string_view hint;
};

constexpr auto ways_around = std::to_array<WayAround>({
    {"wgmma", "warps multiply one by one here: write mma or wmma"},
    {"tcgen05", "warps multiply one by one here: write mma or wmma"},
    {"alloca", "give local arrays a size that the compiler knows"},
    {"stacksave", "give local arrays a size that the compiler knows"},
    {"stackrestore", "give local arrays a size that the compiler knows"},
    {"suld", "there are no surfaces here: pass a buffer"},
    {"sust", "there are no surfaces here: pass a buffer"},
    {"sured", "there are no surfaces here: pass a buffer"},
    {"suq", "there are no surfaces here: pass a buffer"},
    {"tld4", "textures are read by tex.1d, tex.2d and tex.3d here: pass a buffer"},
    {"txq", "pass the size of the texture as an argument"},
    {"griddepcontrol", "launches run one after the other here: compile without programmatic dependent launches"},
    {"mapa", "a block is its own cluster here: compile without clusters"},
    {"getctarank", "a block is its own cluster here: compile without clusters"},
});

/// The replacement for an unsupported instruction that programs are known to use; empty if none is known.
std::string_view way_around(std::string_view mnemonic) {
  const auto* const found = std::find_if(ways_around.begin(), ways_around.end(),
                                         [&](const WayAround& one) { return one.mnemonic == mnemonic; });
  return found == ways_around.end() ? std::string_view() : found->hint;
}

/// The same for one modifier of a supported instruction.
struct ModifierWayAround {
  std::string_view mnemonic;
  std::string_view modifier;
  std::string_view hint;
};

constexpr std::string_view no_layers = "textures have no layers and are no cubes here: pass a buffer";
constexpr std::string_view no_levels = "textures have one level here: pass a buffer for each";

constexpr auto modifier_ways_around = std::to_array<ModifierWayAround>({
    {"barrier", "cluster", "a block is its own cluster here: compile without clusters"},
    {"cp", "tensor", "there are no tensor maps here: copy what the map describes row by row"},
    {"cp", "reduce", "bulk copies combine nothing here: combine element by element with red"},
    {"cp", "multicast::cluster", "a block is its own cluster here: compile without clusters"},
    {"tex", "a1d", no_layers},
    {"tex", "a2d", no_layers},
    {"tex", "cube", no_layers},
    {"tex", "acube", no_layers},
    {"tex", "level", no_levels},
    {"tex", "grad", no_levels},
    {"mma", "sp", "there are no sparse products here: multiply with mma.sync"},
    {"mma", "m8n8k4", "only Volta multiplies f16 by quarters of a warp: write wmma, or mma.m16n8k8"},
});

std::string_view way_around(std::string_view mnemonic, std::span<const std::string_view> modifiers) {
  const auto* const found =
      std::find_if(modifier_ways_around.begin(), modifier_ways_around.end(), [&](const ModifierWayAround& one) {
        return one.mnemonic == mnemonic &&
               std::find(modifiers.begin(), modifiers.end(), one.modifier) != modifiers.end();
      });
  return found == modifier_ways_around.end() ? std::string_view() : found->hint;
}

/// A form of a rule that has all written modifiers, and others that it requires.
struct CompletedForm {
  std::size_t added = 0;
  std::string text;
};

// `.(rn|rz)`, or the name of the choice if the list would be long.
std::string choice_of(const ModifierGroup& group) {
  constexpr std::size_t most = 4;
  if (group.choices.size() == 1) return fmt::format(".{}", group.choices.front());
  if (group.choices.size() > most && group.role == Role::type) return ".<type>";
  if (group.choices.size() > most && group.role == Role::comparison) return ".<comparison>";
  return fmt::format(".({})", fmt::join(group.choices, "|"));
}

// Empty if a modifier remains, or if a type becomes the second of two: the instruction would have a different meaning.
std::optional<CompletedForm> completed_form(const CompiledRule& rule, std::span<const std::string_view> written) {
  Modifiers left(written.begin(), written.end());
  CompletedForm form;
  form.text = std::string(rule.rule->mnemonic);
  bool type_added = false;
  for (const ModifierGroup& group : rule.groups) {
    const auto taken = std::find_if(group.choices.begin(), group.choices.end(),
                                    [&](std::string_view choice) { return take(choice, true, left); });
    if (taken != group.choices.end()) {
      if (group.role == Role::type && type_added) return std::nullopt;
      form.text.append(".").append(*taken);
    } else if (!group.optional) {
      form.text += choice_of(group);
      type_added = type_added || group.role == Role::type;
      ++form.added;
    }
  }
  if (!left.empty()) return std::nullopt;
  return form;
}

// `write rcp.approx.f32 or rcp.(rn|rz|rm|rp).f32`: the written form with as few additional modifiers as possible. If no
// form has the same meaning, a reference to the list of supported forms.
std::string advice_for(std::span<const CompiledRule> rules, const SyntaxInstruction& syntax) {
  std::vector<std::string> forms;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const CompiledRule& rule : rules) {
    const std::optional<CompletedForm> form = completed_form(rule, syntax.modifiers);
    if (!form || form->added > fewest) continue;
    if (form->added < fewest) forms.clear();
    fewest = form->added;
    if (std::find(forms.begin(), forms.end(), form->text) == forms.end()) forms.push_back(form->text);
  }
  if (forms.empty()) return fmt::format("models/kernel/README.md lists the forms of {}", syntax.mnemonic);
  return fmt::format("write {}", fmt::join(forms, " or "));
}

}  // namespace

const Matcher& Matcher::of_table() {
  static const Matcher matcher;
  return matcher;
}

Matcher::Matcher() {
  for (const InstructionRule& rule : instruction_rules()) rules_[rule.mnemonic].push_back(compile(rule));
}

const CompiledRule& Matcher::match(const SyntaxInstruction& syntax, std::string_view file,
                                   Instruction& instruction) const {
  if (const auto found = rules_.find(syntax.mnemonic); found != rules_.end()) {
    for (const CompiledRule& rule : found->second) {
      if (try_rule(rule, syntax.modifiers, false, instruction)) return rule;
    }
    // Inline assembly, for example in CUDA's headers, has .sync after the kind of a vote, .ftz after types, and scopes
    // before or after an operation; ptxas accepts that.
    for (const CompiledRule& rule : found->second) {
      if (try_rule(rule, syntax.modifiers, true, instruction)) return rule;
    }
  }
  refuse(syntax, file);
}

void Matcher::refuse(const SyntaxInstruction& syntax, std::string_view file) const {
  const SourceLocation location = locate(file, syntax.position);
  std::string written(syntax.mnemonic);
  for (const std::string_view modifier : syntax.modifiers) written.append(".").append(modifier);
  const auto found = rules_.find(syntax.mnemonic);
  if (found == rules_.end()) {
    std::vector<std::string_view> known;
    for (const InstructionRule& rule : instruction_rules()) {
      if (known.empty() || known.back() != rule.mnemonic) known.push_back(rule.mnemonic);
    }
    std::string hint(way_around(syntax.mnemonic));
    if (hint.empty()) {
      hint = nearest(syntax.mnemonic, known);
      hint = hint.empty() ? "models/kernel/README.md lists what is" : "did you mean " + hint + "?";
    }
    throw InputError(location, fmt::format("instruction '{}' is not supported", written), hint);
  }
  if (const std::string_view hint = way_around(syntax.mnemonic, syntax.modifiers); !hint.empty()) {
    throw InputError(location, fmt::format("instruction '{}' is not supported", written), std::string(hint));
  }
  throw InputError(location, fmt::format("instruction '{}' has modifiers that are not supported", written),
                   advice_for(found->second, syntax));
}

}  // namespace reconverge::kernel
