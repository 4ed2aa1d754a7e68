// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Reads YAML files and the command line into the parameter structs of a tree of blocks, with the origin of every
/// value.
///
/// A file sets parameters of a root block and the blocks within it; `extends:` names a file, or a list of files, that
/// it starts from. Later values win: defaults, then the extended files, then the file, then the command line. A value
/// is a scalar (`capacity: 48 KiB`) or gives its source (`capacity: {value: 48 KiB, source: "DRS Table 1"}`).
/// Everything is checked before the first parameter is set; errors throw InputError with file, line, column, the full
/// path of the key and the nearest known name.
///
/// Sections hold what blocks cannot describe: lists, and maps with the user's own names. They are passed on unread.

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
#include "models/core/yaml_node.hpp"

namespace reconverge::configuration {

/// Where a value was set.
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
  std::string source;    ///< of a default as in the block file, otherwise as in the user's file; may be empty
  bool foreign = false;  ///< the default is from another machine than the other values (mark_foreign)
};

/// `platform=FILE` among the overrides: the file takes the place of the platform that the experiment extends. That is
/// the first file in its chain of first bases that sets nothing but parameters of machines.
inline constexpr std::string_view platform_key = "platform";
/// The file of such an override; empty for any other.
std::string_view platform_file(std::string_view text);

/// A section that files may have.
struct SectionKey {
  std::string_view name;
  std::span<const std::string_view> path_keys;  ///< keys within it whose values are files
};

/// A section as given by a file. If a file and the files that it extends give a section several times, the last one
/// replaces the others as a whole.
struct Section {
  SectionKey key;
  std::string file;         ///< relative paths in the section start from its folder
  SourceLocation location;  ///< of the key
  YamlNode value;
};

/// A value within a section, given on the command line.
struct SectionChange {
  std::string text;   ///< as given: `launches.x.block=64`
  std::string place;  ///< canonical path of the value: `launches[0].block`
  std::string file;   ///< the file, if the value is one, from the current folder; otherwise empty
};

/// All parameters of a tree of blocks, in the order of the block files: a block's own parameters, then its parts.
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
  /// Null if there is no such parameter.
  const Entry* find(std::string_view path) const;
  std::span<const Section> sections() const { return sections_; }
  /// Values within sections that the command line gives, in its order.
  std::span<const SectionChange> section_changes() const { return changes_; }
  /// Null if no file gives it.
  const Section* section(std::string_view name) const;
  /// Marks a default as that of another machine; `dump` shows it.
  void mark_foreign(std::string_view path);
  /// The same without the parameters of the root's part `block`.
  Configuration without(std::string_view block) const;

 private:
  BlockTree tree_;
  std::vector<Entry> entries_;
  std::vector<Section> sections_;
  std::vector<SectionChange> changes_;
};

/// Reads `file` and the files that it extends into `parameters`, the parameter struct of the root of `tree`.
/// `overrides` are `path=value` texts of the command line, for parameters or within sections (section_override.hpp), or
/// name a platform file; the later of two overrides of one path wins. Sets every parameter. `sections`: sections that
/// the files may have.
/// @throws InputError and leaves `parameters` unchanged.
Configuration load(const BlockTree& tree, void* parameters, const std::filesystem::path& file,
                   std::span<const std::string> overrides = {}, std::span<const SectionKey> sections = {});

struct NamedText {
  std::string text;
  std::string name;  ///< replaces the file's name in messages and relative paths
};

/// The same for a text.
Configuration load_text(const BlockTree& tree, void* parameters, const NamedText& text,
                        std::span<const std::string> overrides = {}, std::span<const SectionKey> sections = {});

/// The same without a file.
Configuration load_defaults(const BlockTree& tree, void* parameters, std::span<const std::string> overrides = {});

/// The canonical text of the value in `path=value`, given on the command line with `option`, for a parameter or within
/// one of `sections`. Throws InputError.
std::string canonical_value(const BlockTree& tree, std::string_view option, const std::string& text,
                            std::span<const SectionKey> sections = {});

/// The file relative to the folder; neither has to exist. Unchanged without a folder.
std::string path_from(const std::filesystem::path& folder, const std::filesystem::path& file);

/// YAML that loads to the same parameters; a comment on each line gives the value's origin. Paths to files are written
/// relative to `folder`, where the text will be stored, and files in comments relative to `origins`; empty means the
/// current folder.
std::string dump(const Configuration& configuration, const std::filesystem::path& folder = {},
                 const std::filesystem::path& origins = {});

}  // namespace reconverge::configuration
