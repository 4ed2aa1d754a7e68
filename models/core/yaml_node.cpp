// SPDX-License-Identifier: Apache-2.0
#include "models/core/yaml_node.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace reconverge {

namespace {

constexpr std::size_t most_list_text = std::size_t{1} << 20U;

}  // namespace

YamlDocument::Index YamlDocument::add(YamlKind kind, YamlMark mark) {
  nodes_.push_back({kind, mark, {}, {}});
  return static_cast<Index>(nodes_.size() - 1);
}

YamlDocument::Index YamlDocument::add_scalar(std::string text, YamlMark mark) {
  nodes_.push_back({YamlKind::scalar, mark, std::move(text), {}});
  return static_cast<Index>(nodes_.size() - 1);
}

void YamlDocument::append_item(Index list, Index item) { nodes_[list].children.push_back(item); }

void YamlDocument::append_entry(Index map, Index key, Index value) {
  nodes_[map].children.push_back(key);
  nodes_[map].children.push_back(value);
}

void YamlDocument::assign(Index node, Index other) {
  if (node != other) nodes_[node] = nodes_[other];
}

void YamlDocument::assign_value(Index map, std::string_view key, Index value) {
  if (const auto found = find(map, key)) return assign(*found, value);
  append_entry(map, add_scalar(std::string(key)), value);
}

std::optional<YamlDocument::Index> YamlDocument::find(Index map, std::string_view key) const {
  const Data& data = nodes_[map];
  if (data.kind != YamlKind::map) return std::nullopt;
  for (std::size_t i = 0; i < data.children.size(); i += 2) {
    const Data& each = nodes_[data.children[i]];
    if (each.kind == YamlKind::scalar && each.scalar == key) return data.children[i + 1];
  }
  return std::nullopt;
}

std::size_t YamlNode::size() const { return is_map() ? data().children.size() / 2 : data().children.size(); }

std::vector<YamlNode> YamlNode::items() const {
  std::vector<YamlNode> items;
  if (!is_list()) return items;
  items.reserve(size());
  for (const YamlDocument::Index item : data().children) items.emplace_back(document_, item);
  return items;
}

std::vector<YamlPair> YamlNode::pairs() const {
  std::vector<YamlPair> pairs;
  if (!is_map()) return pairs;
  pairs.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) pairs.push_back({child(2 * i), child(2 * i + 1)});
  return pairs;
}

std::optional<YamlNode> YamlNode::find(std::string_view key) const {
  if (!is_map()) return std::nullopt;
  const auto value = document_->find(index_, key);
  return value ? std::optional(YamlNode(document_, *value)) : std::nullopt;
}

const YamlDocument::Data& YamlNode::data() const {
  static const YamlDocument::Data null;
  return document_ == nullptr ? null : document_->nodes_[index_];
}

SourceLocation locate(const std::string& file, const YamlNode& node) {
  return {file, node.mark().line, node.mark().column};
}

std::vector<YamlEntry> entries(const std::string& file, const YamlNode& map) {
  if (!map.is_map() && !map.is_null()) {
    throw InputError(locate(file, map), "this is not a map", "write `key: value` lines");
  }
  std::vector<YamlEntry> result;
  std::map<std::string, SourceLocation> seen;
  for (YamlPair& pair : map.pairs()) {
    const SourceLocation location = locate(file, pair.key);
    if (!pair.key.is_scalar()) throw InputError(location, "a key must be a single word");
    const std::string& key = pair.key.scalar();
    const auto [first, added] = seen.emplace(key, location);
    if (!added) {
      throw InputError(location, fmt::format("the key {} comes twice", key),
                       fmt::format("the first is in line {}; keep one", first->second.line));
    }
    result.push_back({key, location, std::move(pair.value)});
  }
  return result;
}

std::string list_text(const std::string& file, const YamlNode& list) {
  std::string text;
  for (const YamlNode& node : list.items()) {
    if (!node.is_scalar()) throw InputError(locate(file, node), "an item of the list is not a single value");
    if (!text.empty()) text += ", ";
    text += node.scalar();
    // With aliases, a short file gives a long text.
    if (text.size() > most_list_text) throw InputError(locate(file, node), "the list is too long");
  }
  return text;
}

}  // namespace reconverge
