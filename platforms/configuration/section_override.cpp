// SPDX-License-Identifier: Apache-2.0
#include "platforms/configuration/section_override.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "models/core/suggestion.hpp"
#include "models/core/yaml_file.hpp"

namespace reconverge::configuration {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view step_starts = ".[";

std::string_view section_of(std::string_view text) { return text.substr(0, text.find_first_of(".[=")); }

SourceLocation said(std::string_view option, std::string_view text) { return {fmt::format("{} {}", option, text)}; }

std::pair<std::string_view, std::string> path_and_value(std::string_view option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    throw InputError(said(option, text), "this is not of the form path=value",
                     "write for example launches[0].block=64");
  return {std::string_view(text).substr(0, equals), text.substr(equals + 1)};
}

YamlNode read_value(std::string_view option, const std::string& text, const std::string& value) {
  YamlNode node = parse_yaml_value(value, said(option, text));
  if (node.is_null()) throw InputError(said(option, text), "there is no value", "write one after the =");
  return node;
}

/// Copies a value into a document, without locations; each alias is expanded to a copy.
class Copy {
 public:
  Copy(const Section& section, const std::string& text, YamlDocument& document)
      : section_(section), text_(text), document_(document) {}

  YamlDocument::Index of(const YamlNode& node, std::string_view key, std::size_t depth = 0) {
    constexpr std::size_t most_levels = 32;
    constexpr std::size_t most_values = 100'000;
    if (depth > most_levels || ++values_ > most_values)
      throw InputError(said("--set", text_), "the value is nested too deeply, or too long");
    if (node.is_list()) {
      const YamlDocument::Index list = document_.add(YamlKind::list);
      for (const YamlNode& item : node.items()) document_.append_item(list, of(item, {}, depth + 1));
      return list;
    }
    if (node.is_map()) {
      const YamlDocument::Index map = document_.add(YamlKind::map);
      for (const YamlPair& pair : node.pairs()) {
        document_.assign_value(map, pair.key.scalar(), of(pair.value, pair.key.scalar(), depth + 1));
      }
      return map;
    }
    const bool is_file = std::ranges::count(section_.key.path_keys, key) != 0;
    return document_.add_scalar(is_file ? from_file(node.scalar()) : node.scalar());
  }

 private:
  /// Files in a section are relative to the file that gives the section.
  std::string from_file(const std::string& path) const {
    const fs::path folder = fs::absolute(section_.file).parent_path().lexically_normal();
    return fs::absolute(path).lexically_normal().lexically_relative(folder).generic_string();
  }

  const Section& section_;
  const std::string& text_;
  YamlDocument& document_;
  std::size_t values_ = 0;
};

struct NamedItem {
  std::string name;
  std::string place;
  YamlNode node;
};

struct ChangedDocument {
  YamlDocument document;
  SectionChange change;
};

/// Follows a path from a section to the value that it names.
class Walk {
 public:
  Walk(const Section& section, const std::string& text, std::string_view path)
      : text_(text),
        walked_(section.key.name),
        place_(walked_),
        left_(path.substr(section.key.name.size())),
        node_(section.value) {}

  /// Names of items are replaced by numbers.
  ChangedDocument set(const std::string& value, const Section& section) {
    if (left_.empty()) refuse(fmt::format("this is all of {}", walked_), "name a value in it");
    for (bool at_top = true;; at_top = false) {
      const std::string step = take_step();
      const bool may_be_new = left_.empty() && !at_top && node_.is_map() && step.front() != '[';
      std::optional<YamlNode> next;
      if (may_be_new) {
        place_ += '.' + step;
      } else {
        next = child(step);
      }
      if (!left_.empty()) {
        node_ = *next;
        continue;
      }
      const YamlNode given = read_value("--set", text_, value);
      YamlDocument changed = *node_.document();
      const YamlDocument::Index copy = Copy(section, text_, changed).of(given, step);
      if (next) {
        changed.assign(next->index(), copy);
      } else {
        changed.assign_value(node_.index(), step, copy);
      }
      const bool is_file = given.is_scalar() && std::ranges::count(section.key.path_keys, step) != 0;
      return {std::move(changed), {text_, place_, is_file ? given.scalar() : std::string()}};
    }
  }

 private:
  [[noreturn]] void refuse(std::string_view message, std::string_view hint) const {
    throw InputError(said("--set", text_), message, hint);
  }

  [[noreturn]] void unknown(std::string_view step, const std::vector<std::string>& names) const {
    const std::vector<std::string_view> views(names.begin(), names.end());
    refuse(fmt::format("{} has no {}", walked_, step), suggest(step, views));
  }

  /// `[3]`, or a key or name.
  std::string take_step() {
    const bool index = left_.front() == '[';
    const std::size_t close = left_.find(']');
    if (index && close == std::string_view::npos) refuse("a bracket is not closed", "write for example launches[0]");
    if (!index) left_.remove_prefix(1);
    const std::size_t end = index ? close + 1 : std::min(left_.find_first_of(step_starts), left_.size());
    std::string step(left_.substr(0, end));
    left_.remove_prefix(end);
    if (step.empty() || (index && !left_.empty() && step_starts.find(left_.front()) == std::string_view::npos))
      refuse("a part of the path is missing", "write for example launches[0].block");
    return step;
  }

  YamlNode child(const std::string& step) {
    YamlNode found = node_.is_list() ? item(step) : entry(step);
    walked_ += (step.front() == '[' ? "" : ".") + step;
    return found;
  }

  YamlNode entry(const std::string& step) {
    if (!node_.is_map()) refuse(fmt::format("{} has no parts", walked_), fmt::format("write {}=...", walked_));
    const std::optional<YamlNode> value = node_.find(step);
    if (!value) unknown(step, keys());
    place_ += '.' + step;
    return *value;
  }

  YamlNode item(const std::string& step) {
    if (step.front() != '[') return named_item(step);
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(step.data() + 1, step.data() + step.size() - 1, index);
    const bool whole = error == std::errc() && end == step.data() + step.size() - 1;
    if (!whole || index >= node_.size())
      refuse(fmt::format("{} has no item {}", walked_, step), fmt::format("it has {} from [0]", node_.size()));
    place_ += fmt::format("[{}]", index);
    return node_[index];
  }

  /// The item of that name, also within groups.
  YamlNode named_item(const std::string& name) {
    std::vector<NamedItem> items;
    add_named(node_, place_, items);
    std::vector<std::string> names;
    names.reserve(items.size());
    for (const NamedItem& item : items) names.push_back(item.name);
    const auto bearers = std::ranges::count(names, name);
    if (bearers == 0 && names.empty())
      refuse(fmt::format("no item of {} has a name", walked_), fmt::format("give a number, as in {}[0]", walked_));
    if (bearers == 0) unknown(name, names);
    if (bearers > 1)
      refuse(fmt::format("{} items of {} are called {}", bearers, walked_, name), "give a number, as in [0]");
    const NamedItem& item = *std::ranges::find(items, name, &NamedItem::name);
    place_ = item.place;
    return item.node;
  }

  static void add_named(const YamlNode& list, const std::string& place, std::vector<NamedItem>& items) {
    constexpr std::array<const char*, 3> name_keys{"name", "kernel", "buffer"};
    for (std::size_t i = 0; i < list.size(); ++i) {
      const YamlNode item = list[i];
      if (!item.is_map()) continue;
      const std::string item_place = fmt::format("{}[{}]", place, i);
      for (const char* key : name_keys) {
        const std::optional<YamlNode> name = item.find(key);
        if (!name || !name->is_scalar()) continue;
        items.push_back({name->scalar(), item_place, item});
        break;
      }
      const std::optional<YamlNode> launches = item.find("launches");
      if (launches && launches->is_list()) add_named(*launches, item_place + ".launches", items);
    }
  }

  std::vector<std::string> keys() const {
    std::vector<std::string> keys;
    for (const YamlPair& pair : node_.pairs()) keys.push_back(pair.key.scalar());
    return keys;
  }

  const std::string& text_;
  std::string walked_;  // as in the text
  std::string place_;
  std::string_view left_;
  YamlNode node_;
};

}  // namespace

bool is_within_section(std::string_view text, std::span<const SectionKey> sections) {
  return std::ranges::find(sections, section_of(text), &SectionKey::name) != sections.end();
}

SectionChange change_section(std::span<Section> in_force, const std::string& text) {
  const auto [path, value] = path_and_value("--set", text);
  const std::string_view name = section_of(text);
  const auto section = std::ranges::find_if(in_force, [&](const Section& each) { return each.key.name == name; });
  if (section == in_force.end()) {
    throw InputError(said("--set", text), fmt::format("the experiment has no {}", name),
                     "only what its file gives can be changed");
  }
  auto [document, change] = Walk(*section, text, path).set(value, *section);
  const std::shared_ptr<const YamlDocument> before = section->value.document();
  const auto after = std::make_shared<const YamlDocument>(std::move(document));
  // An alias in one section changes with its anchor in another.
  for (Section& each : in_force) {
    if (each.value.document() == before) each.value = YamlNode(after, each.value.index());
  }
  return change;
}

std::string canonical_section_value(std::string_view option, const std::string& text) {
  const auto [path, value] = path_and_value(option, text);
  const YamlNode node = read_value(option, text, value);
  if (node.is_scalar()) return node.scalar();
  return flow_text(value);
}

}  // namespace reconverge::configuration
