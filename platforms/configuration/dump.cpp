// SPDX-License-Identifier: Apache-2.0
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

/// A location in a file, with the file relative to the folder.
SourceLocation location_from(const std::filesystem::path& folder, SourceLocation location) {
  location.file = path_from(folder, location.file);
  return location;
}

/// The origin, and the source of a default; the source of another value is written with the value. A comment ends with
/// its line.
std::string comment(const Entry& entry, const std::filesystem::path& origins) {
  Origin origin = entry.origin;
  origin.location = location_from(origins, std::move(origin.location));
  std::string text = to_string(origin);
  if (entry.origin.kind == Origin::Kind::block_default) {
    text += (entry.foreign ? " of another machine; " : "; ") + entry.source;
  }
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return text;
}

std::string scalar(const Entry& entry, const std::filesystem::path& folder) {
  if (entry.parameter->type == ParameterType::text) return quote(entry.value);
  if (entry.parameter->type != ParameterType::path) return entry.value;
  return quote(path_from(folder, entry.value));
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

/// Writes a section as in its file, one map key or list item a line, with paths relative to `folder`.
class SectionWriter {
 public:
  SectionWriter(const Section& section, const std::filesystem::path& folder, const std::filesystem::path& origins)
      : section_(section), folder_(folder), origins_(origins) {}

  std::string write() {
    const YamlNode& value = section_.value;
    // A key without a value would not be read as a list or map.
    const bool empty = (value.is_map() || value.is_list()) && value.size() == 0;
    out_ = fmt::format("{}:{}  # {}\n", section_.key.name,
                       !empty           ? ""
                       : value.is_map() ? " {}"
                                        : " []",
                       reconverge::to_string(location_from(origins_, section_.location)));
    if (!empty) write_value(value, 2);
    return out_;
  }

 private:
  /// Words and numbers are written bare; anything that YAML might interpret is quoted.
  static std::string text(const std::string& scalar) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-";
    const bool starts_bare = scalar.find_first_of("+-.") != 0 || scalar.find_first_of("0123456789") == 1;
    const bool is_bare = !scalar.empty() && scalar.find_first_not_of(letters) == std::string::npos && starts_bare;
    return is_bare && scalar != "null" && scalar != "Null" && scalar != "NULL" ? scalar : quote(scalar);
  }

  static bool is_short(const YamlNode& list) { return std::ranges::all_of(list.items(), &YamlNode::is_scalar); }

  static std::string short_list(const YamlNode& list) {
    std::string items;
    for (const YamlNode& item : list.items()) items += (items.empty() ? "" : ", ") + text(item.scalar());
    return fmt::format("[{}]", items);
  }

  /// The end of a line. Existing nodes without a location in a file come from the command line; absent nodes do not.
  static std::string origin(const YamlNode& node) {
    return !node.is_in_file() && !node.is_null() ? "  # command line\n" : "\n";
  }

  void write_value(const YamlNode& node, std::size_t indent) {
    if (node.is_map()) {
      for (const YamlPair& pair : node.pairs()) {
        out_ += fmt::format("{:{}}{}:", "", indent, text(pair.key.scalar()));
        write_behind(pair.value, indent, is_path(pair.key.scalar()));
      }
    } else if (node.is_list()) {
      for (const YamlNode& item : node.items()) {
        out_ += fmt::format("{:{}}-", "", indent);
        write_behind(item, indent, false);
      }
    } else {
      out_ += fmt::format("{:{}}{}\n", "", indent, text(node.scalar()));
    }
  }

  /// The value of a key or an item: on the same line if it is short, otherwise below.
  void write_behind(const YamlNode& node, std::size_t indent, bool path) {
    if (node.is_scalar()) {
      out_ +=
          ' ' + (path ? quote(path_from(folder_, directory() / node.scalar())) : text(node.scalar())) + origin(node);
    } else if (node.is_list() && is_short(node)) {
      out_ += ' ' + short_list(node) + origin(node);
    } else if (node.is_map() && node.size() == 0) {
      out_ += " {}" + origin(node);
    } else {
      out_ += origin(node);
      if (!node.is_null()) write_value(node, indent + 2);
    }
  }

  std::filesystem::path directory() const { return std::filesystem::path(section_.file).parent_path(); }
  bool is_path(const std::string& key) const {
    const auto& keys = section_.key.path_keys;
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  }

  const Section& section_;
  const std::filesystem::path& folder_;
  const std::filesystem::path& origins_;
  std::string out_;
};

}  // namespace

std::string path_from(const std::filesystem::path& folder, const std::filesystem::path& file) {
  if (file.empty() || folder.empty()) return file.generic_string();
  const auto from = std::filesystem::absolute(folder).lexically_normal();
  const auto to = std::filesystem::absolute(file).lexically_normal();
  return to.lexically_relative(from).generic_string();
}

std::string dump(const Configuration& configuration, const std::filesystem::path& folder,
                 const std::filesystem::path& origins) {
  if (configuration.entries().empty() && configuration.sections().empty()) return "{}\n";
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
    fmt::format_to(to, "{:{}}{}: {}  # {}\n", "", 2 * depth, parts.back(), value(entry, folder),
                   comment(entry, origins));
  }
  for (const Section& section : configuration.sections()) out += SectionWriter(section, folder, origins).write();
  return out;
}

}  // namespace reconverge::configuration
