#pragma once
/// From YAML files and the command line to the parameter structs of a tree of blocks, with the origin of every value.
///
/// A file gives some of the parameters of a root block and the blocks within it; `extends:` names a file, or a list
/// of files, that it starts from. Later values win: defaults, then the files extended, then the file, then the command
/// line. A value is a scalar (`capacity: 48 KiB`) or says where it comes from
/// (`capacity: {value: 48 KiB, source: "DRS Table 1"}`). Everything is checked before the first parameter is set;
/// what is wrong throws InputError with file, line, column, the full path of the key and the nearest known name.
///
/// Sections are what no block can describe: lists, and maps of the user's own names. They are handed on unread.

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/core/block_tree.hpp"
#include "models/core/error.hpp"
#include "models/core/parameters.hpp"

namespace reconverge::configuration {

/// Who said so.
struct Origin {
  enum class Kind : std::uint8_t { block_default, file, command_line };
  Kind kind = Kind::block_default;
  SourceLocation location;  ///< for a file

  bool operator==(const Origin&) const = default;
};

/// `default`, `file:line:column` or `command line`.
std::string to_string(const Origin& origin);

/// The effective value of one parameter.
struct Entry {
  std::string path;  ///< from the root, without its name: `sm.l1.capacity`
  const ParameterDescription* parameter = nullptr;
  std::string value;  ///< canonical: `48 KiB`
  Origin origin;
  std::string source;    ///< of a default as the block file gives it, otherwise as the user gave it; may be empty
  bool foreign = false;  ///< a default that is of another machine than the others (mark_foreign)
};

/// The name of a section that files may have.
struct SectionKey {
  std::string_view name;
  std::span<const std::string_view> path_keys;  ///< keys within, whose values are files
};

/// A section as a file gives it. Of a file and those that it extends the last one counts, as a whole.
struct Section {
  SectionKey key;
  std::string file;         ///< what the section names is relative to it
  SourceLocation location;  ///< of the key
  YAML::Node value;
};

/// A value within a section that the command line gives.
struct SectionChange {
  std::string text;   ///< as given: `launches.x.block=64`
  std::string place;  ///< of the value, the same for every path that leads there: `launches[0].block`
  std::string file;   ///< that is the value, from the current folder; empty for other values
};

/// All parameters of a tree of blocks, in the order of the block files: a block's own, then its parts.
class Configuration {
 public:
  Configuration(BlockTree tree, std::vector<Entry> entries, std::vector<Section> sections,
                std::vector<SectionChange> changes)
      : tree_(std::move(tree)),
        entries_(std::move(entries)),
        sections_(std::move(sections)),
        changes_(std::move(changes)) {}

  const BlockDescription& root() const { return tree_.root(); }
  std::span<const Entry> entries() const { return entries_; }
  /// Null when there is no such parameter.
  const Entry* find(std::string_view path) const;
  std::span<const Section> sections() const { return sections_; }
  /// Values within sections that the command line gives, in its order.
  std::span<const SectionChange> section_changes() const { return changes_; }
  /// Null when no file gives it.
  const Section* section(std::string_view name) const;
  /// Marks a default as that of another machine; `dump` shows it.
  void mark_foreign(std::string_view path);
  /// The same without the parameters of the part `block` of the root.
  Configuration without(std::string_view block) const;

 private:
  BlockTree tree_;
  std::vector<Entry> entries_;
  std::vector<Section> sections_;
  std::vector<SectionChange> changes_;
};

/// Reads `file` and what it extends into `parameters`, the parameter struct of the root of `tree`. `overrides` are
/// `path=value` texts of the command line, for parameters or within sections (section_override.hpp); of two for one
/// path the later wins. Every parameter is set. `sections` are those that the files may have.
/// @throws InputError and leaves `parameters` as they were.
Configuration load(const BlockTree& tree, void* parameters, const std::filesystem::path& file,
                   std::span<const std::string> overrides = {}, std::span<const SectionKey> sections = {});

/// The same from a text; `name` stands for its file in messages and for what is relative to it.
Configuration load_text(const BlockTree& tree, void* parameters, const std::string& text, const std::string& name,
                        std::span<const std::string> overrides = {}, std::span<const SectionKey> sections = {});

/// The same without any file.
Configuration load_defaults(const BlockTree& tree, void* parameters, std::span<const std::string> overrides = {});

/// The canonical text of the value in a `path=value` that the command line gives by `option`, for a parameter or
/// within one of `sections`. Throws InputError.
std::string canonical_value(const BlockTree& tree, std::string_view option, const std::string& text,
                            std::span<const SectionKey> sections = {});

/// The file relative to the folder, neither of which has to exist. Without a folder it stays as it is.
std::string path_from(const std::filesystem::path& folder, const std::filesystem::path& file);

/// YAML that loads to the same parameters, each line with a comment that says where its value comes from.
/// Paths to files are written relative to `folder`, where the text will lie, and files in comments relative to
/// `origins`; empty means the current folder.
std::string dump(const Configuration& configuration, const std::filesystem::path& folder = {},
                 const std::filesystem::path& origins = {});

}  // namespace reconverge::configuration
