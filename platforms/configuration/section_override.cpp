// SPDX-License-Identifier: Apache-2.0
#include "platforms/configuration/section_override.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "models/core/suggestion.hpp"

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

YAML::Node read_value(std::string_view option, const std::string& text, const std::string& value) {
  try {
    YAML::Node node = YAML::Load(value);
    if (!node.IsNull()) return node;
  } catch (const YAML::Exception& error) {
    throw InputError(said(option, text), fmt::format("the value is not YAML: {}", error.msg));
  }
  throw InputError(said(option, text), "there is no value", "write one after the =");
}

/// The same value without locations; each alias is expanded to a copy.
class Copy {
 public:
  Copy(const Section& section, const std::string& text) : section_(section), text_(text) {}

  YAML::Node of(const YAML::Node& node, std::string_view key, std::size_t depth = 0) {
    constexpr std::size_t most_levels = 32;
    constexpr std::size_t most_values = 100'000;
    if (depth > most_levels || ++values_ > most_values)
      throw InputError(said("--set", text_), "the value is nested too deeply, or too long");
    if (node.IsSequence()) {
      YAML::Node list(YAML::NodeType::Sequence);
      for (const YAML::Node& item : node) list.push_back(of(item, {}, depth + 1));
      return list;
    }
    if (node.IsMap()) {
      YAML::Node map(YAML::NodeType::Map);
      for (const auto& pair : node) map[pair.first.Scalar()] = of(pair.second, pair.first.Scalar(), depth + 1);
      return map;
    }
    return YAML::Node(std::ranges::count(section_.key.path_keys, key) == 0 ? node.Scalar() : from_file(node.Scalar()));
  }

 private:
  /// Files in a section are relative to the file that gives the section.
  std::string from_file(const std::string& path) const {
    const fs::path folder = fs::absolute(section_.file).parent_path().lexically_normal();
    return fs::absolute(path).lexically_normal().lexically_relative(folder).generic_string();
  }

  const Section& section_;
  const std::string& text_;
  std::size_t values_ = 0;
};

struct NamedItem {
  std::string name;
  std::string place;
  YAML::Node node;
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
  SectionChange set(const std::string& value, const Section& section) {
    if (left_.empty()) refuse(fmt::format("this is all of {}", walked_), "name a value in it");
    for (bool at_top = true;; at_top = false) {
      const std::string step = take_step();
      const bool may_be_new = left_.empty() && !at_top && node_.IsMap() && step.front() != '[';
      YAML::Node next = may_be_new ? entered(step) : child(step);
      if (left_.empty()) {
        const YAML::Node given = read_value("--set", text_, value);
        next = Copy(section, text_).of(given, step);
        const bool is_file = given.IsScalar() && std::ranges::count(section.key.path_keys, step) != 0;
        return {text_, place_, is_file ? given.Scalar() : std::string()};
      }
      node_.reset(next);
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

  YAML::Node entered(const std::string& key) {
    place_ += '.' + key;
    return node_[key];
  }

  YAML::Node child(const std::string& step) {
    YAML::Node found = node_.IsSequence() ? item(step) : entry(step);
    walked_ += (step.front() == '[' ? "" : ".") + step;
    return found;
  }

  YAML::Node entry(const std::string& step) {
    if (!node_.IsMap()) refuse(fmt::format("{} has no parts", walked_), fmt::format("write {}=...", walked_));
    if (!std::as_const(node_)[step].IsDefined()) unknown(step, keys());
    return entered(step);
  }

  YAML::Node item(const std::string& step) {
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
  YAML::Node named_item(const std::string& name) {
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

  static void add_named(const YAML::Node& list, const std::string& place, std::vector<NamedItem>& items) {
    constexpr std::array<const char*, 3> name_keys{"name", "kernel", "buffer"};
    for (std::size_t i = 0; i < list.size(); ++i) {
      const YAML::Node item = list[i];
      if (!item.IsMap()) continue;
      const std::string item_place = fmt::format("{}[{}]", place, i);
      const auto* const key = std::ranges::find_if(
          name_keys, [&](const char* each) { return item[each].IsDefined() && item[each].IsScalar(); });
      if (key != name_keys.end()) items.push_back({item[*key].Scalar(), item_place, item});
      if (item["launches"].IsDefined() && item["launches"].IsSequence())
        add_named(item["launches"], item_place + ".launches", items);
    }
  }

  std::vector<std::string> keys() const {
    std::vector<std::string> keys;
    for (const auto& pair : node_) keys.push_back(pair.first.IsScalar() ? pair.first.Scalar() : std::string());
    return keys;
  }

  const std::string& text_;
  std::string walked_;  // as in the text
  std::string place_;
  std::string_view left_;
  YAML::Node node_;
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
  return Walk(*section, text, path).set(value, *section);
}

std::string canonical_section_value(std::string_view option, const std::string& text) {
  const auto [path, value] = path_and_value(option, text);
  const YAML::Node node = read_value(option, text, value);
  if (node.IsScalar()) return node.Scalar();
  YAML::Emitter out;
  out.SetSeqFormat(YAML::Flow);
  out.SetMapFormat(YAML::Flow);
  out << node;
  return out.c_str();
}

}  // namespace reconverge::configuration
