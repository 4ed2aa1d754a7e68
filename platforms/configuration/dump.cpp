#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "platforms/configuration/configuration.hpp"

namespace reconverge::configuration {

namespace {

/// A double-quoted YAML scalar.
std::string quote(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < ' ' || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result + '"';
}

/// The origin, and the source of a default; another's source stands beside its value. A comment ends with its line.
std::string comment(const Entry& entry) {
  std::string text = to_string(entry.origin);
  if (entry.origin.kind == Origin::Kind::block_default) text += "; " + entry.source;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return text;
}

std::string scalar(const Entry& entry, const std::filesystem::path& folder) {
  if (entry.parameter->type == ParameterType::text) return quote(entry.value);
  if (entry.parameter->type != ParameterType::path) return entry.value;
  if (entry.value.empty() || folder.empty()) return quote(entry.value);
  const auto from = std::filesystem::absolute(folder).lexically_normal();
  const auto to = std::filesystem::absolute(entry.value).lexically_normal();
  return quote(to.lexically_relative(from).generic_string());
}

std::string value(const Entry& entry, const std::filesystem::path& folder) {
  std::string text = scalar(entry, folder);
  if (entry.origin.kind == Origin::Kind::block_default || entry.source.empty()) return text;
  return fmt::format("{{value: {}, source: {}}}", text, quote(entry.source));
}

/// The parts of a path: `sm`, `l1`, `capacity`.
std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t dot = path.find('.');
    parts.push_back(path.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    path.remove_prefix(dot + 1);
  }
}

}  // namespace

std::string dump(const Configuration& configuration, const std::filesystem::path& folder) {
  if (configuration.entries().empty()) return "{}\n";
  std::string out;
  const auto to = std::back_inserter(out);
  std::vector<std::string_view> open;
  for (const Entry& entry : configuration.entries()) {
    const std::vector<std::string_view> parts = split(entry.path);
    const std::size_t depth = parts.size() - 1;
    const auto [same, unused] = std::mismatch(open.begin(), open.end(), parts.begin(), parts.end() - 1);
    const auto common = static_cast<std::size_t>(same - open.begin());
    for (std::size_t i = common; i < depth; ++i) fmt::format_to(to, "{:{}}{}:\n", "", 2 * i, parts[i]);
    open.assign(parts.begin(), parts.end() - 1);
    fmt::format_to(to, "{:{}}{}: {}  # {}\n", "", 2 * depth, parts.back(), value(entry, folder), comment(entry));
  }
  return out;
}

}  // namespace reconverge::configuration
