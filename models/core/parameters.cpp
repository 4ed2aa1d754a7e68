// SPDX-License-Identifier: Apache-2.0
#include "models/core/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "models/core/quantity.hpp"
#include "models/core/suggestion.hpp"

namespace reconverge {

namespace {

constexpr std::array<std::string_view, 13> type_names{"count",   "cycles", "bytes", "frequency", "ratio",
                                                      "flag",    "choice", "text",  "path",      "counts",
                                                      "numbers", "name",   "names"};

std::uint64_t parse_whole(ParameterType type, std::string_view text) {
  switch (type) {
    case ParameterType::cycles:
      return parse_cycles(text);
    case ParameterType::bytes:
      return parse_bytes(text);
    case ParameterType::frequency:
      return parse_frequency(text);
    default:
      return parse_count(text);
  }
}

std::string format_whole(ParameterType type, std::uint64_t value) {
  switch (type) {
    case ParameterType::cycles:
      return format_cycles(value);
    case ParameterType::bytes:
      return format_bytes(value);
    case ParameterType::frequency:
      return format_frequency(value);
    default:
      return format_count(value);
  }
}

[[noreturn]] void refuse_range(const ParameterDescription& parameter, std::string_view value, std::string_view side) {
  throw QuantityError(fmt::format("{} is {} the range", value, side),
                      fmt::format("write a value from {} to {}", parameter.minimum, parameter.maximum));
}

std::uint64_t parse_whole_in_range(const ParameterDescription& parameter, std::string_view text) {
  const std::uint64_t value = parse_whole(parameter.type, text);
  const auto refuse = [&](std::string_view side) {
    refuse_range(parameter, format_whole(parameter.type, value), side);
  };
  if (!parameter.minimum.empty() && value < parse_whole(parameter.type, parameter.minimum)) refuse("below");
  if (!parameter.maximum.empty() && value > parse_whole(parameter.type, parameter.maximum)) refuse("above");
  return value;
}

double parse_ratio_in_range(const ParameterDescription& parameter, std::string_view text) {
  const double value = parse_ratio(text);
  const auto refuse = [&](std::string_view side) { refuse_range(parameter, format_ratio(value), side); };
  if (!parameter.minimum.empty() && value < parse_ratio(parameter.minimum)) refuse("below");
  if (!parameter.maximum.empty() && value > parse_ratio(parameter.maximum)) refuse("above");
  return value;
}

std::uint64_t parse_choice(const ParameterDescription& parameter, std::string_view text) {
  const auto found = std::find(parameter.choices.begin(), parameter.choices.end(), text);
  if (found == parameter.choices.end()) {
    throw QuantityError(fmt::format("'{}' is not one of the choices", text),
                        parameter.type == ParameterType::choice
                            ? fmt::format("write {}", fmt::join(parameter.choices, ", "))
                            : suggest_or_plugin(text, parameter.choices));
  }
  return static_cast<std::uint64_t>(found - parameter.choices.begin());
}

/// `[1, 2, 4]`, with or without the brackets.
std::string_view inside_brackets(std::string_view text) {
  return text.size() >= 2 && text.front() == '[' && text.back() == ']' ? text.substr(1, text.size() - 2) : text;
}

/// The texts between commas; a single one if there is no comma.
std::vector<std::string_view> items_of(std::string_view text) {
  std::vector<std::string_view> items;
  while (true) {
    const std::size_t comma = text.find(',');
    items.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return items;
    text.remove_prefix(comma + 1);
  }
}

/// A list of values that `parse` reads, which may be empty.
template <typename Value>
std::vector<Value> parse_list(const ParameterDescription& parameter, std::string_view text,
                              Value (*parse)(const ParameterDescription&, std::string_view)) {
  text = inside_brackets(text);
  std::vector<Value> values;
  if (text.find_first_not_of(" \t") == std::string_view::npos) return values;
  for (const std::string_view item : items_of(text)) values.push_back(parse(parameter, item));
  return values;
}

/// Without a list of words, any name is accepted.
std::string parse_name(const ParameterDescription& parameter, std::string_view text) {
  if (!parameter.choices.empty()) parse_choice(parameter, text);
  return std::string(text);
}

std::vector<std::string> parse_names(const ParameterDescription& parameter, std::string_view text) {
  constexpr std::string_view blanks = " \t";
  std::vector<std::string> names;
  for (std::string_view item : items_of(inside_brackets(text))) {
    item.remove_prefix(std::min(item.find_first_not_of(blanks), item.size()));
    item = item.substr(0, item.find_last_not_of(blanks) + 1);
    std::string name = parse_name(parameter, item);
    if (std::find(names.begin(), names.end(), item) != names.end()) {
      throw QuantityError(fmt::format("{} comes twice", item), "name it once");
    }
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace

std::string_view to_string(ParameterType type) { return type_names.at(static_cast<std::size_t>(type)); }

std::optional<ParameterType> parameter_type(std::string_view name) {
  const auto* const found = std::find(type_names.begin(), type_names.end(), name);
  if (found == type_names.end()) return std::nullopt;
  return static_cast<ParameterType>(found - type_names.begin());
}

std::span<const std::string_view> parameter_type_names() { return type_names; }

std::string_view unit(ParameterType type) {
  switch (type) {
    case ParameterType::cycles:
      return "cycles";
    case ParameterType::bytes:
      return "bytes";
    case ParameterType::frequency:
      return "Hz";
    default:
      return {};
  }
}

bool has_range(ParameterType type) {
  switch (type) {
    case ParameterType::flag:
    case ParameterType::choice:
    case ParameterType::text:
    case ParameterType::path:
    case ParameterType::name:
    case ParameterType::names:
      return false;
    default:
      return true;
  }
}

bool is_list(ParameterType type) {
  return type == ParameterType::counts || type == ParameterType::numbers || type == ParameterType::names;
}

ParameterValue parse_value(const ParameterDescription& parameter, std::string_view text) {
  switch (parameter.type) {
    case ParameterType::ratio:
      return parse_ratio_in_range(parameter, text);
    case ParameterType::flag:
      return parse_flag(text);
    case ParameterType::choice:
      return parse_choice(parameter, text);
    case ParameterType::text:
    case ParameterType::path:
      return std::string(text);
    case ParameterType::counts:
      return parse_list(parameter, text, &parse_whole_in_range);
    case ParameterType::numbers:
      return parse_list(parameter, text, &parse_ratio_in_range);
    case ParameterType::name:
      return parse_name(parameter, text);
    case ParameterType::names:
      return parse_names(parameter, text);
    default:
      return parse_whole_in_range(parameter, text);
  }
}

std::string format_value(const ParameterDescription& parameter, const ParameterValue& value) {
  switch (parameter.type) {
    case ParameterType::ratio:
      return format_ratio(std::get<double>(value));
    case ParameterType::flag:
      return format_flag(std::get<bool>(value));
    case ParameterType::choice:
      return std::string(parameter.choices[std::get<std::uint64_t>(value)]);
    case ParameterType::text:
    case ParameterType::path:
    case ParameterType::name:
      return std::get<std::string>(value);
    case ParameterType::counts:
      return fmt::format("[{}]", fmt::join(std::get<std::vector<std::uint64_t>>(value), ", "));
    case ParameterType::numbers: {
      std::vector<std::string> texts;
      for (const double number : std::get<std::vector<double>>(value)) texts.push_back(format_ratio(number));
      return fmt::format("[{}]", fmt::join(texts, ", "));
    }
    case ParameterType::names: {
      const auto& names = std::get<std::vector<std::string>>(value);
      return names.size() == 1 ? names.front() : fmt::format("[{}]", fmt::join(names, ", "));
    }
    default:
      return format_whole(parameter.type, std::get<std::uint64_t>(value));
  }
}

}  // namespace reconverge
