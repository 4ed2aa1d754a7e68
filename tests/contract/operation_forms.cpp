// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/operation_forms.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace reconverge::contract {

namespace {

using kernel::DataType;
using kernel::InstructionRule;
using kernel::OperationClass;
using Words = std::vector<std::string>;

Words split(std::string_view text, char separator) {
  Words words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end != 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

std::optional<DataType> type_named(std::string_view word) {
  for (int i = 1; i <= static_cast<int>(DataType::f32x2); ++i) {
    const auto type = static_cast<DataType>(i);
    if (kernel::name_of(type) == word) return type;
  }
  return std::nullopt;
}

bool without_effect(std::string_view group) {
  return group.starts_with("skip=") || group.starts_with("cache=") || group == "@scope" || group == "@order" ||
         group == "@evict" || group == "@prefetch" || group == "@hint";
}

Words choices_of(std::string_view group) {
  Words choices;
  for (const std::string& word : split(group.substr(group.find('=') + 1), '|')) {
    if (word.starts_with('@')) {
      const Words inner = choices_of(kernel::modifier_set(word.substr(1)));
      choices.insert(choices.end(), inner.begin(), inner.end());
    } else {
      choices.push_back(word);
    }
  }
  return choices;
}

void add_forms(std::vector<Form>& forms, const InstructionRule& rule, const Words& groups, std::size_t next,
               Form form) {
  if (next == groups.size()) {
    forms.push_back(std::move(form));
    return;
  }
  std::string_view group = groups[next];
  const bool optional = group.starts_with('{');
  if (optional) group = group.substr(1, group.size() - 2);
  if (optional) add_forms(forms, rule, groups, next + 1, form);
  if (optional && without_effect(group)) return;
  for (const std::string& choice : choices_of(group)) {
    Form longer = form;
    longer.mnemonic.append(".").append(choice);
    longer.modifiers.push_back(choice);
    if (const auto type = type_named(choice)) longer.types.push_back(*type);
    if (group == "@space" || group == "@target" || group == "@strong" || group == "@window" || group == "global")
      longer.space = choice;
    add_forms(forms, rule, groups, next + 1, std::move(longer));
  }
}

// Textures need a binding by the host, matrices a whole warp, barriers arrivals, and 128-bit values their own
// registers: other tests cover them.
bool by_one_thread(const InstructionRule& rule) {
  return rule.opcode != kernel::Opcode::tex && rule.opcode != kernel::Opcode::nop && rule.mnemonic != "cp" &&
         rule.operation_class != OperationClass::control && rule.operation_class != OperationClass::barrier &&
         rule.operation_class != OperationClass::warp && rule.operation_class != OperationClass::matrix &&
         rule.opcode != kernel::Opcode::ldmatrix && rule.opcode != kernel::Opcode::stmatrix &&
         rule.opcode != kernel::Opcode::mbarrier && !rule.modifiers.ends_with("b128");
}

}  // namespace

std::vector<Form> operation_forms() {
  std::vector<Form> forms;
  for (const InstructionRule& rule : kernel::instruction_rules()) {
    if (!by_one_thread(rule)) continue;
    Form form;
    form.rule = &rule;
    form.mnemonic = rule.mnemonic;
    add_forms(forms, rule, split(rule.modifiers, ' '), 0, form);
  }
  // Windows for which a test has no addresses, or that already have another name.
  std::erase_if(forms, [](const Form& form) {
    return form.space == "const" || form.space.starts_with("param") || form.space == "local" ||
           form.space.starts_with("shared::");
  });
  // The manual defines lo, ls, hi and hs for unsigned types only.
  std::erase_if(forms, [](const Form& form) {
    const auto is = [&](std::string_view word) { return form.modifiers.front() == word; };
    return form.rule->mnemonic.starts_with("set") && (is("lo") || is("ls") || is("hi") || is("hs")) &&
           kernel::is_signed(form.types.back());
  });
  for (std::size_t i = 0; i < forms.size(); ++i) forms[i].number = i;
  return forms;
}

}  // namespace reconverge::contract
