// SPDX-License-Identifier: Apache-2.0
#include "platforms/page/effective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "models/core/lines.hpp"
#include "models/core/yaml_file.hpp"

namespace reconverge::page {

namespace {

// Far more than any experiment has.
constexpr std::size_t deepest = 32;
// Characters of paths and values for each character of the text. Only aliases, which the program never writes, exceed
// it.
constexpr std::size_t most_expansion = 64;

class EffectiveReader {
 public:
  EffectiveReader(const std::string& text, const std::string& file)
      : file_(file), lines_(lines_of(text)), room_(most_expansion * text.size()) {}

  std::vector<Setting> read(const YamlNode& document) {
    read_map(document, "", "", 0);
    return std::move(settings_);
  }

 private:
  void read_map(const YamlNode& map, const std::string& path, const std::string& origin, std::size_t depth) {
    for (const YamlEntry& entry : entries(file_, map)) {
      const std::string own = comment(entry.location.line);
      read_value(entry.value, path.empty() ? entry.key : fmt::format("{}.{}", path, entry.key),
                 own.empty() ? origin : own, depth);
    }
  }

  void read_value(const YamlNode& value, const std::string& path, const std::string& origin, std::size_t depth) {
    if (depth == deepest) throw InputError(locate(file_, value), "values are nested too deeply");
    take_room(path.size() + 1, value);
    const std::optional<YamlNode> own_value = value.find("value");
    const std::optional<YamlNode> source = value.find("source");
    if (value.size() == 2 && own_value && source && source->is_scalar()) {
      add({path, text(*own_value), source->scalar(), origin}, value);
    } else if (value.is_map()) {
      read_map(value, path, origin, depth + 1);
    } else if (value.is_list() && !is_short(value)) {
      std::size_t index = 0;
      for (const YamlNode& item : value.items())
        read_value(item, fmt::format("{}[{}]", path, index++), origin, depth + 1);
    } else {
      add({path, text(value), "", origin}, value);
    }
  }

  void add(Setting setting, const YamlNode& node) {
    take_room(setting.value.size() + setting.source.size(), node);
    settings_.push_back(std::move(setting));
  }

  void take_room(std::size_t characters, const YamlNode& node) {
    if (characters > room_)
      throw InputError(locate(file_, node), "aliases make too much of this file",
                       "it was changed after it was written; run the experiment again");
    room_ -= characters;
  }

  static bool is_short(const YamlNode& list) { return std::ranges::all_of(list.items(), &YamlNode::is_scalar); }

  std::string text(const YamlNode& value) const {
    if (value.is_scalar()) return value.scalar();
    return value.is_list() ? list_text(file_, value) : std::string();
  }

  /// The text after the last # of a line. The program writes two spaces before it, and no origin contains a #.
  std::string comment(std::uint32_t line) const {
    if (line == 0 || line > lines_.size()) return {};
    const std::string_view whole = lines_[line - 1];
    const std::size_t begin = whole.rfind("  # ");
    return begin == std::string_view::npos ? std::string() : std::string(whole.substr(begin + 4));
  }

  const std::string& file_;
  std::vector<std::string_view> lines_;
  std::size_t room_;  ///< for characters of paths and values
  std::vector<Setting> settings_;
};

}  // namespace

std::vector<Setting> read_effective(const std::string& text, const std::string& file) {
  return EffectiveReader(text, file).read(parse_yaml(text, file));
}

}  // namespace reconverge::page
