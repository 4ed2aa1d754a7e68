#include "models/core/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "models/core/quantity.hpp"

namespace reconverge {

namespace {

constexpr std::array<std::string_view, 10> type_names{"count", "cycles", "bytes", "frequency", "ratio",
                                                      "flag",  "choice", "text",  "path",      "counts"};

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
                        fmt::format("write {}", fmt::join(parameter.choices, ", ")));
  }
  return static_cast<std::uint64_t>(found - parameter.choices.begin());
}

/// `[1, 2, 4]`, with or without the brackets.
std::vector<std::uint64_t> parse_counts(const ParameterDescription& parameter, std::string_view text) {
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']') text = text.substr(1, text.size() - 2);
  std::vector<std::uint64_t> values;
  if (text.find_first_not_of(" \t") == std::string_view::npos) return values;
  while (true) {
    const std::size_t comma = text.find(',');
    values.push_back(parse_whole_in_range(parameter, text.substr(0, comma)));
    if (comma == std::string_view::npos) return values;
    text.remove_prefix(comma + 1);
  }
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
      return false;
    default:
      return true;
  }
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
      return parse_counts(parameter, text);
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
      return std::get<std::string>(value);
    case ParameterType::counts:
      return fmt::format("[{}]", fmt::join(std::get<std::vector<std::uint64_t>>(value), ", "));
    default:
      return format_whole(parameter.type, std::get<std::uint64_t>(value));
  }
}

}  // namespace reconverge
