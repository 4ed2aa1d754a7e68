// SPDX-License-Identifier: Apache-2.0
#include "models/core/documentation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <iterator>
#include <vector>

#include "models/core/block_tree.hpp"

namespace reconverge {

namespace {

/// A cell must not end its column or its line.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string range(const ParameterDescription& parameter) {
  if (parameter.type == ParameterType::choice) return fmt::format("{}", fmt::join(parameter.choices, ", "));
  if (parameter.type == ParameterType::name) return "any registered kind";
  if (parameter.type == ParameterType::names) return "names of parts";
  if (parameter.type == ParameterType::flag) return "true, false";
  if (!has_range(parameter.type)) return {};
  return fmt::format("{} to {}", parameter.minimum, parameter.maximum);
}

void write_parameters(std::string& out, const BlockDescription& block) {
  const auto to = std::back_inserter(out);
  out += "| parameter | type | default | range | effect | source |\n|---|---|---|---|---|---|\n";
  for (const ParameterDescription& parameter : block.parameters) {
    fmt::format_to(to, "| `{}` | {} | {} | {} | {} | {} |\n", parameter.name, to_string(parameter.type),
                   cell(parameter.default_text), cell(range(parameter)), cell(parameter.text), cell(parameter.source));
  }
}

void write_statistics(std::string& out, const BlockDescription& block) {
  const auto to = std::back_inserter(out);
  out += "| statistic | unit | meaning |\n|---|---|---|\n";
  for (const StatisticDescription& statistic : block.statistics) {
    fmt::format_to(to, "| `{}` | {} | {}", statistic.name, cell(statistic.unit), cell(text_without_parts(statistic)));
    if (!statistic.bin_names.empty()) {
      fmt::format_to(to, " Bins: {}.", fmt::join(statistic.bin_names, ", "));
    } else if (statistic.bins != 0) {
      fmt::format_to(to, " Bins: 0 to {}.", statistic.bins - 1);
    }
    out += " |\n";
  }
}

}  // namespace

std::string markdown(const BlockDescription& block) {
  std::string out = fmt::format("`{}`: {}\n", block.name, cell(block.summary));
  if (!block.parameters.empty()) {
    out += '\n';
    write_parameters(out, block);
  }
  if (!block.children.empty() || block.open_parts()) {
    out += "\n| part | block |\n|---|---|\n";
    std::vector<std::string> rows;
    for (const ChildDescription& child : block.children) {
      rows.push_back(fmt::format("| `{}` | `{}` |\n", child.name, child.block->name));
    }
    if (block.open_parts()) {
      rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(block.parts_at),
                  fmt::format("| `{}` | any registered kind |\n", block.parts));
    }
    for (const std::string& row : rows) out += row;
  }
  if (!block.causes.empty()) {
    out += "\n| cause | what is waited for |\n|---|---|\n";
    for (const CauseDescription& cause : block.causes) {
      fmt::format_to(std::back_inserter(out), "| `{}` | {} |\n", cause.name, cell(cause.text));
    }
  }
  if (!block.statistics.empty()) {
    out += '\n';
    write_statistics(out, block);
  }
  return out;
}

std::string table_begin(std::string_view block) { return fmt::format("<!-- block {} -->\n", block); }
std::string table_end(std::string_view block) { return fmt::format("<!-- end of block {} -->\n", block); }

std::optional<std::string> replace_table(std::string_view readme, std::string_view block, std::string_view table) {
  const std::string begin = table_begin(block);
  const std::size_t start = readme.find(begin);
  if (start == std::string_view::npos) return std::nullopt;
  const std::size_t end = readme.find(table_end(block), start);
  if (end == std::string_view::npos) return std::nullopt;
  return fmt::format("{}{}{}", readme.substr(0, start + begin.size()), table, readme.substr(end));
}

}  // namespace reconverge
