// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Nodes of YAML documents, as immutable values.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/core/error.hpp"

namespace reconverge {

enum class YamlKind : std::uint8_t { null, scalar, list, map };

/// Where a node begins in its file, counted from one; zero for a node that is in no file.
struct YamlMark {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// The nodes of one document while it is built. With aliases, a node can be in several places, and can contain itself.
class YamlDocument {
 public:
  using Index = std::uint32_t;

  /// Adds a node that is in no place yet.
  Index add(YamlKind kind, YamlMark mark = {});
  Index add_scalar(std::string text, YamlMark mark = {});
  void append_item(Index list, Index item);
  void append_entry(Index map, Index key, Index value);
  /// The node becomes equal to another one, in all places where it is.
  void assign(Index node, Index other);
  /// The same for the value of the key, which is added if the map does not have it.
  void assign_value(Index map, std::string_view key, Index value);

 private:
  friend class YamlNode;

  struct Data {
    YamlKind kind = YamlKind::null;
    YamlMark mark;
    std::string scalar;
    std::vector<Index> children;  ///< items; of a map, each key and then its value
  };

  std::optional<Index> find(Index map, std::string_view key) const;

  std::vector<Data> nodes_;
};

struct YamlPair;

/// A node of an immutable document. Copies share the document.
class YamlNode {
 public:
  /// Null.
  YamlNode() = default;
  YamlNode(std::shared_ptr<const YamlDocument> document, YamlDocument::Index index)
      : document_(std::move(document)), index_(index) {}

  YamlKind kind() const { return data().kind; }
  bool is_null() const { return kind() == YamlKind::null; }
  bool is_scalar() const { return kind() == YamlKind::scalar; }
  bool is_list() const { return kind() == YamlKind::list; }
  bool is_map() const { return kind() == YamlKind::map; }

  /// The text of a scalar without its quotes; empty for other kinds.
  const std::string& scalar() const { return data().scalar; }
  /// Of an alias, the place of its anchor.
  YamlMark mark() const { return data().mark; }
  bool is_in_file() const { return mark().line != 0; }

  /// The number of items or entries.
  std::size_t size() const;
  /// An item of a list.
  YamlNode operator[](std::size_t index) const { return child(index); }
  /// The items of a list; none for other kinds.
  std::vector<YamlNode> items() const;
  /// The entries of a map in the order of the file; none for other kinds. A key can be of any kind and occur twice.
  std::vector<YamlPair> pairs() const;
  /// The value of the first key with this text.
  std::optional<YamlNode> find(std::string_view key) const;

  const std::shared_ptr<const YamlDocument>& document() const { return document_; }
  YamlDocument::Index index() const { return index_; }

 private:
  const YamlDocument::Data& data() const;
  YamlNode child(std::size_t place) const { return {document_, data().children[place]}; }

  std::shared_ptr<const YamlDocument> document_;
  YamlDocument::Index index_ = 0;
};

struct YamlPair {
  YamlNode key;
  YamlNode value;
};

/// Where a node begins, counted from one.
SourceLocation locate(const std::string& file, const YamlNode& node);

struct YamlEntry {
  std::string key;
  SourceLocation location;  ///< of the key
  YamlNode value;
};

/// The entries of a map in order; none for null. InputError: another kind, a key that is not a scalar, a repeated key.
std::vector<YamlEntry> entries(const std::string& file, const YamlNode& map);

/// A list of scalars as one text: `1, 2, 4`. Throws InputError if an item is not a scalar.
std::string list_text(const std::string& file, const YamlNode& list);

}  // namespace reconverge
