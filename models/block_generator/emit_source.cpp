// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

#include "models/block_generator/emitters.hpp"
#include "models/block_generator/names.hpp"

namespace reconverge::block_generator {

namespace {

/// Sources of several blocks may be compiled as one file, so all names contain the block's.
std::string words_name(const Block& block, const std::string& name) { return block.name + "_" + name + "_words"; }

/// `constexpr std::array<std::string_view, 2> l1_cache_policy_words{"a", "b"};`
void emit_words(std::string& out, const std::string& name, const std::vector<std::string>& words) {
  std::vector<std::string> literals;
  literals.reserve(words.size());
  for (const std::string& word : words) literals.push_back(literal(word));
  fmt::format_to(std::back_inserter(out), "constexpr std::array<std::string_view, {}> {}{{{}}};\n", words.size(), name,
                 fmt::join(literals, ", "));
}

void emit_parameter_table(std::string& out, const Block& block) {
  const auto to = std::back_inserter(out);
  const std::string type = parameters_type(block.name);
  fmt::format_to(to, "constexpr std::array<::reconverge::ParameterDescription, {}> {}_parameter_table{{{{\n",
                 block.parameters.size(), block.name);
  for (const Parameter& parameter : block.parameters) {
    fmt::format_to(to, "    {{.name = {},\n     .type = ::reconverge::ParameterType::{},\n     .default_text = {},\n",
                   literal(parameter.name), to_string(parameter.type), literal(parameter.default_text));
    fmt::format_to(to, "     .minimum = {},\n     .maximum = {},\n     .choices = {},\n", literal(parameter.minimum),
                   literal(parameter.maximum), parameter.choices.empty() ? "{}" : words_name(block, parameter.name));
    fmt::format_to(to, "     .source = {},\n     .text = {},\n", literal(parameter.source), literal(parameter.text));
    fmt::format_to(
        to, "     .set = ::reconverge::set_member<&{0}::{1}>,\n     .get = ::reconverge::get_member<&{0}::{1}>}},\n",
        type, parameter.name);
  }
  out += "}};\n";
}

void emit_child_table(std::string& out, const Block& block) {
  const auto to = std::back_inserter(out);
  fmt::format_to(to, "constexpr std::array<::reconverge::ChildDescription, {}> {}_child_table{{{{\n",
                 block.children.size(), block.name);
  for (const Child& child : block.children) {
    fmt::format_to(to, "    {{.name = {}, .block = &{}, .member = ::reconverge::child_member<&{}::{}>}},\n",
                   literal(child.name), description_name(child.block), parameters_type(block.name), child.name);
  }
  out += "}};\n";
}

void emit_statistic_table(std::string& out, const Block& block) {
  const auto to = std::back_inserter(out);
  fmt::format_to(to, "constexpr std::array<::reconverge::StatisticDescription, {}> {}_statistic_table{{{{\n",
                 block.statistics.size(), block.name);
  for (const Statistic& statistic : block.statistics) {
    fmt::format_to(to, "    {{.name = {},\n     .unit = {},\n     .text = {},\n     .bins = {},\n",
                   literal(statistic.name), literal(statistic.unit), literal(statistic.text), statistic.bins);
    fmt::format_to(to, "     .bin_names = {},\n",
                   statistic.bin_names.empty() ? "{}" : words_name(block, statistic.name));
    if (statistic.open_bin != no_bin) fmt::format_to(to, "     .open_bin = {},\n", statistic.open_bin);
    fmt::format_to(to, "     .values = ::reconverge::counter_values<&{}::{}>}},\n", statistics_type(block.name),
                   statistic.name);
  }
  out += "}};\n";
}

void emit_to_string(std::string& out, const std::string& type, const std::string& words, std::size_t open = no_bin) {
  const std::string index =
      open == no_bin ? "static_cast<std::size_t>(value)"
                     : fmt::format("::reconverge::bin_of_counter(static_cast<std::size_t>(value), {})", open);
  fmt::format_to(std::back_inserter(out), "std::string_view to_string({} value) {{ return {}.at({}); }}\n\n", type,
                 words, index);
}

void emit_cause_table(std::string& out, const Block& block) {
  const auto to = std::back_inserter(out);
  fmt::format_to(to, "constexpr std::array<::reconverge::CauseDescription, {}> {}_cause_table{{{{\n",
                 block.causes.size(), block.name);
  for (const Cause& cause : block.causes) {
    fmt::format_to(to, "    {{.name = {}, .text = {}}},\n", literal(cause.name), literal(cause.text));
  }
  out += "}};\n";
}

/// `symbol` is `+=` or `-=`; `function` does it for one statistic.
void emit_combine(std::string& out, const Block& block, std::string_view symbol, std::string_view function) {
  const auto to = std::back_inserter(out);
  const std::string type = statistics_type(block.name);
  fmt::format_to(to, "{0}& {0}::operator{1}([[maybe_unused]] const {0}& other) {{\n", type, symbol);
  for (const Statistic& statistic : block.statistics) {
    fmt::format_to(to, "  {1}({0}, other.{0});\n", statistic.name, function);
  }
  out += "  return *this;\n}\n\n";
}

}  // namespace

std::string emit_source(const Block& block, const Style& style) {
  std::string out;
  const auto to = std::back_inserter(out);
  fmt::format_to(to, "// Made from the block file {}.yaml: change that file, not this one.\n", block.name);
  fmt::format_to(to, "#include \"{}/{}.hpp\"\n\nnamespace {} {{\n\nnamespace {{\n\n", style.prefix, block.name,
                 style.name_space);
  // A parameter and a statistic may share their name, but then not their words: the enumerations would clash first.
  for (const Parameter& parameter : block.parameters) {
    if (!parameter.choices.empty()) emit_words(out, words_name(block, parameter.name), parameter.choices);
  }
  for (const Statistic& statistic : block.statistics) {
    if (!statistic.bin_names.empty()) emit_words(out, words_name(block, statistic.name), statistic.bin_names);
  }
  emit_parameter_table(out, block);
  emit_child_table(out, block);
  emit_cause_table(out, block);
  emit_statistic_table(out, block);
  fmt::format_to(to, "\n}}  // namespace\n\nconstinit const ::reconverge::BlockDescription {}{{\n",
                 description_name(block.name));
  fmt::format_to(to, "    .name = {},\n    .folder = {},\n    .summary = {},\n", literal(block.name),
                 literal(block.folder), literal(block.summary));
  const std::string counters =
      block.statistics.empty() ? "nullptr"
                               : fmt::format("&::reconverge::statistics_operations<{}>", statistics_type(block.name));
  fmt::format_to(to, "    .parameters = {0}_parameter_table,\n    .children = {0}_child_table,\n", block.name);
  fmt::format_to(to, "    .parts = {},\n    .parts_at = {},\n", literal(block.parts), block.parts_at);
  fmt::format_to(to,
                 "    .causes = {0}_cause_table,\n    .statistics = {0}_statistic_table,\n    .counters = {1}}};\n\n",
                 block.name, counters);
  for (const Parameter& parameter : block.parameters) {
    if (!parameter.choices.empty()) {
      emit_to_string(out, enum_type(block.name, parameter.name), words_name(block, parameter.name));
    }
  }
  for (const Statistic& statistic : block.statistics) {
    if (!statistic.bin_names.empty()) {
      emit_to_string(out, enum_type(block.name, statistic.name), words_name(block, statistic.name), statistic.open_bin);
    }
  }
  if (!block.causes.empty()) {
    fmt::format_to(to, "std::string_view to_string({} value) {{\n", enum_type(block.name, "cause"));
    fmt::format_to(to, "  return {}_cause_table.at(static_cast<std::size_t>(value)).name;\n}}\n\n", block.name);
  }
  fmt::format_to(to, "const ::reconverge::BlockDescription& {}::description() {{ return {}; }}\n\n",
                 parameters_type(block.name), description_name(block.name));
  fmt::format_to(
      to, "std::span<const ::reconverge::StatisticDescription> {}::descriptions() {{ return {}.statistics; }}\n\n",
      statistics_type(block.name), description_name(block.name));
  emit_combine(out, block, "+=", "::reconverge::add_counters");
  emit_combine(out, block, "-=", "::reconverge::subtract_counters");
  fmt::format_to(to, "}}  // namespace {}\n", style.name_space);
  return out;
}

}  // namespace reconverge::block_generator
