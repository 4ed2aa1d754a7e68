// SPDX-License-Identifier: Apache-2.0
#include "platforms/reproduction/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace reconverge::reproduction {

namespace {

constexpr std::array<std::string_view, 9> known_formats{"in_percent", "count",   "number", "places0", "places1",
                                                        "places3",    "percent", "text",   "holds"};

double number_in(const sweep::Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return 0;
}

/// Without zeros at the end.
std::string rounded(double value, int places) {
  const double scale = std::pow(10.0, places);
  const double result = std::round(value * scale) / scale;
  return fmt::format("{}", result == 0 ? 0.0 : result);
}

/// Whether a line of Markdown can continue in the next one.
bool is_open(std::string_view line) {
  if (line.empty() || line.starts_with("#") || line.starts_with("|") || line.starts_with("    ")) return false;
  constexpr std::string_view ends = ".:!?";
  const std::string_view text = line.substr(0, line.find_last_not_of("*)`\"") + 1);
  return text.empty() || ends.find(text.back()) == std::string_view::npos;
}

/// Whether a line can continue the one before it.
bool continues(std::string_view line) {
  if (line.empty() || line.starts_with("    ")) return false;
  const std::string_view text = line.substr(std::min(line.find_first_not_of(' '), line.size() - 1));
  return !text.starts_with("- ") && !text.starts_with("#") && !text.starts_with("|") && !text.starts_with("![");
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \n") - begin + 1);
}

}  // namespace

bool is_format(std::string_view name) { return std::ranges::find(known_formats, name) != known_formats.end(); }

std::string formatted(const sweep::Value& value, std::string_view format) {
  if (std::holds_alternative<std::monostate>(value)) return "-";
  if (format == "text" || std::holds_alternative<std::string>(value)) return sweep::text_of(value);
  const double number = number_in(value);
  if (format == "holds") return number != 0 ? "holds" : "does not hold";
  if (format == "count" || format == "places0") return fmt::format("{:.0f}", std::round(number));
  if (format == "in_percent") return rounded(number, 1) + " %";
  if (format == "percent") return rounded(100 * number, 1) + " %";
  return rounded(number, format == "places1" ? 1 : format == "places3" ? 3 : 2);
}

std::vector<TextQuery> queries_in(const std::string& text, const SourceLocation& location) {
  std::vector<TextQuery> queries;
  for (std::size_t begin = text.find("{{"); begin != std::string::npos; begin = text.find("{{", queries.back().end)) {
    const std::size_t colon = text.find(':', begin);
    const std::size_t end = text.find("}}", begin);
    if (end == std::string::npos || colon == std::string::npos || colon > end)
      throw InputError(location, "a query in a text has no end or no format", "write {{number: VALUE FROM VIEW}}");
    const std::string_view all(text);
    TextQuery query{begin, end + 2, std::string(trimmed(all.substr(begin + 2, colon - begin - 2))),
                    std::string(trimmed(all.substr(colon + 1, end - colon - 1)))};
    if (!is_format(query.format))
      throw InputError(location, fmt::format("there is no format `{}`", query.format),
                       fmt::format("formats are {}", fmt::join(known_formats, ", ")));
    queries.push_back(std::move(query));
  }
  return queries;
}

std::string filled(const std::string& text, const SourceLocation& location, const Ask& ask) {
  std::string result;
  std::size_t done = 0;
  for (const TextQuery& each : queries_in(text, location)) {
    result.append(text, done, each.begin - done);
    done = each.end;
    const sweep::Answer answer = ask("SELECT " + each.query, location);
    std::vector<std::string> list;
    for (const auto& row : answer.rows) list.push_back(formatted(row.front(), each.format));
    result += list.empty() ? "-" : fmt::format("{}", fmt::join(list, ", "));
  }
  return result.append(text, done);
}

std::string unwrapped(std::string_view text) {
  std::string result;
  std::string_view last;  // line
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!result.empty()) {
      const bool joined = is_open(last) && continues(line);
      result += joined ? ' ' : '\n';
      result += joined ? line.substr(line.find_first_not_of(' ')) : line;
    } else {
      result = line;
    }
    last = line;
  }
  return result;
}

std::string markdown_table(const std::vector<std::string>& heads, const std::vector<std::string>& formats,
                           const std::vector<std::vector<std::string>>& rows) {
  const auto line = [](const std::vector<std::string>& cells) {
    return fmt::format("| {} |\n", fmt::join(cells, " | "));
  };
  std::string table = line(heads) + "|";
  for (const std::string& format : formats) table += format == "text" || format == "holds" ? "---|" : "--:|";
  table += '\n';
  for (const auto& row : rows) table += line(row);
  return table;
}

}  // namespace reconverge::reproduction
