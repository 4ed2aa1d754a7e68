// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <system_error>
#include <utility>

#include "models/core/input_file.hpp"
#include "models/core/quantity.hpp"
#include "models/core/suggestion.hpp"
#include "models/core/yaml_file.hpp"
#include "platforms/configuration/assignment.hpp"
#include "platforms/configuration/tree.hpp"

namespace reconverge::configuration {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view extends_key = "extends";

/// A few files that extend each other twice would cause very many reads.
constexpr std::size_t most_files = 256;
constexpr std::uintmax_t most_bytes = 2 * input::yaml.most_bytes;

/// The amount read so far.
struct Extent {
  std::size_t files = 1;
  std::uintmax_t bytes = 0;
};

/// Keys of an experiment that no platform has; nor has it parameters of the root, except the machine's name.
constexpr std::array<std::string_view, 4> work_keys{"workload", "transform", "sample", "host_link"};
constexpr std::string_view machine_key = "machine";

/// The file that is read in the place of the experiment's platform.
struct Replacement {
  std::string_view file;  ///< empty: none
  bool is_done = false;
};

/// The files from the first one to the one that is read.
struct Chain {
  std::vector<fs::path> files;         ///< canonical, to find a file that extends itself
  Replacement* replacement = nullptr;  ///< null if one of the files is not the first base of the one before
};

/// The canonical path of a file. A path that the system refuses cannot be part of a cycle; reading it reports the
/// error.
fs::path canonical_path(const fs::path& path) {
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : canonical;
}

/// Reads one file; further readers read the files that it extends.
class DocumentReader {
 public:
  /// `chain`: without this file; `extent` counts all reads.
  DocumentReader(const BlockDescription& root, std::span<const SectionKey> sections, fs::path file, Chain chain,
                 Extent& extent)
      : root_(root),
        sections_(sections),
        path_(std::move(file)),
        file_(path_.generic_string()),
        chain_(std::move(chain)),
        extent_(extent) {
    chain_.files.push_back(canonical_path(path_));
  }

  Contents read(const YamlNode& document) {
    const std::vector<YamlEntry> keys = entries(file_, document);
    for (const YamlEntry& entry : keys) {
      if (entry.key == extends_key) read_bases(entry);
    }
    read_block(root_, keys, {});
    return std::move(contents_);
  }

 private:
  void read_bases(const YamlEntry& entry) {
    if (entry.value.is_scalar()) return read_base(entry.value, chain_.replacement);
    if (!entry.value.is_list() || entry.value.size() == 0) {
      throw InputError(entry.location, "extends is not the name of a file", "write a path, or a list of paths");
    }
    Replacement* replacement = chain_.replacement;
    for (const YamlNode& node : entry.value.items()) read_base(node, std::exchange(replacement, nullptr));
  }

  /// Whether a file says nothing but what a machine is.
  bool is_platform(const YamlNode& document) const {
    return std::ranges::all_of(document.pairs(), [&](const YamlPair& pair) {
      const std::string& key = pair.key.scalar();
      const bool is_part = find_child(root_, key) != nullptr && std::ranges::find(work_keys, key) == work_keys.end();
      return is_part || key == extends_key || key == machine_key;
    });
  }

  void read_base(const YamlNode& node, Replacement* replacement) {
    const SourceLocation location = locate(file_, node);
    if (!node.is_scalar() || node.scalar().empty()) {
      throw InputError(location, "extends is not the name of a file", "write a path, or a list of paths");
    }
    const fs::path base = (path_.parent_path() / node.scalar()).lexically_normal();
    if (++extent_.files > most_files) {
      throw InputError(location, fmt::format("more than {} files are extended in all", most_files),
                       "name each of them once");
    }
    std::error_code error;
    if (!fs::exists(base, error)) {
      throw InputError(location, fmt::format("extends: there is no file {}", base.generic_string()),
                       "a path is relative to the file that names it");
    }
    // Anything but a plain file has no size and is refused by name when it is read.
    const std::uintmax_t size = fs::file_size(base, error);
    if (!error && (extent_.bytes += size) > most_bytes) {
      throw InputError(location, fmt::format("the files that are extended have more than {} bytes in all", most_bytes),
                       "keep large arrays in separate files");
    }
    const fs::path canonical = canonical_path(base);
    const auto first = std::ranges::find(chain_.files, canonical);
    if (first != chain_.files.end()) {
      std::vector<std::string> names;
      for (auto file = first; file != chain_.files.end(); ++file) names.push_back(file->filename().generic_string());
      names.push_back(canonical.filename().generic_string());
      throw InputError(location, fmt::format("a file extends itself: {}", fmt::join(names, " > ")),
                       "take one extends out");
    }
    YamlNode document = read_yaml(base);
    fs::path file = base;
    if (replacement != nullptr && is_platform(document)) {
      replacement->is_done = true;
      file = std::exchange(replacement, nullptr)->file;
      document = read_yaml(file);
    }
    DocumentReader reader(root_, sections_, file, {chain_.files, replacement}, extent_);
    Contents inherited = reader.read(document);
    std::move(inherited.assignments.begin(), inherited.assignments.end(), std::back_inserter(contents_.assignments));
    std::move(inherited.sections.begin(), inherited.sections.end(), std::back_inserter(contents_.sections));
  }

  void read_block(const BlockDescription& block, const std::vector<YamlEntry>& keys, const std::string& path) {
    for (const YamlEntry& entry : keys) {
      if (path.empty() && (entry.key == extends_key || read_section(entry))) continue;
      const std::string key = join_path(path, entry.key);
      if (const ParameterDescription* parameter = find_parameter(block, entry.key)) {
        read_parameter(*parameter, entry, key);
      } else if (const ChildDescription* child = find_child(block, entry.key)) {
        if (!entry.value.is_map()) {
          throw InputError(entry.location, fmt::format("{} is a block, not a value", key),
                           "write its parameters below it, indented");
        }
        read_block(*child->block, entries(file_, entry.value), key);
      } else {
        throw InputError(entry.location, fmt::format("there is no key {}", key), suggestion(block, path, entry.key));
      }
    }
  }

  /// False if the key is not a section.
  bool read_section(const YamlEntry& entry) {
    const auto key = std::find_if(sections_.begin(), sections_.end(),
                                  [&](const SectionKey& section) { return section.name == entry.key; });
    if (key == sections_.end()) return false;
    std::size_t values = 0;
    check_extent(entry, entry.value, 0, values);
    contents_.sections.push_back({*key, file_, entry.location, entry.value});
    return true;
  }

  /// Aliases can make a value contain itself, or a few lines expand to millions of values. `values` counts them.
  static void check_extent(const YamlEntry& entry, const YamlNode& node, std::size_t depth, std::size_t& values) {
    constexpr std::size_t most_levels = 32;
    constexpr std::size_t most_values = 1'000'000;
    if (depth > most_levels) {
      throw InputError(entry.location, fmt::format("{} is nested too deeply, or holds itself", entry.key),
                       fmt::format("at most {} levels are possible", most_levels));
    }
    if (++values > most_values) {
      throw InputError(entry.location, fmt::format("{} has more than {} values", entry.key, most_values),
                       "keep large arrays in separate files");
    }
    for (const YamlNode& item : node.items()) check_extent(entry, item, depth + 1, values);
    for (const YamlPair& pair : node.pairs()) check_extent(entry, pair.value, depth + 1, values);
  }

  std::string suggestion(const BlockDescription& block, const std::string& path, const std::string& name) const {
    std::vector<std::string_view> sections;
    for (const SectionKey& section : sections_) sections.push_back(section.name);
    const std::string_view near = path.empty() ? nearest(name, sections) : std::string_view();
    return near.empty() ? suggest_key(root_, block, path, name) : fmt::format("did you mean {}?", near);
  }

  void read_parameter(const ParameterDescription& parameter, const YamlEntry& entry, const std::string& key) {
    if (!entry.value.is_map()) return assign(parameter, entry.value, entry.location, key, {});
    static constexpr std::array<std::string_view, 2> known{"value", "source"};
    const YamlNode* value = nullptr;
    std::string source;
    const std::vector<YamlEntry> parts = entries(file_, entry.value);
    for (const YamlEntry& part : parts) {
      if (part.key == "value") {
        value = &part.value;
      } else if (part.key != "source") {
        throw InputError(part.location, fmt::format("{} has no part {}", key, part.key), suggest(part.key, known));
      } else if (part.value.is_scalar()) {
        source = part.value.scalar();
      } else {
        throw InputError(part.location, fmt::format("source of {} is not a text", key));
      }
    }
    if (value == nullptr) {
      throw InputError(entry.location, fmt::format("{} has no value", key), "write {value: ..., source: ...}");
    }
    assign(parameter, *value, entry.location, key, source);
  }

  void assign(const ParameterDescription& parameter, const YamlNode& node, const SourceLocation& key_location,
              const std::string& key, const std::string& source) {
    if (node.is_null()) throw InputError(key_location, fmt::format("{} has no value", key), "write one, or remove it");
    const SourceLocation location = locate(file_, node);
    std::string text;
    if (node.is_scalar()) {
      text = node.scalar();
    } else if (node.is_list() && is_list(parameter.type)) {
      text = list_text(file_, node);
    } else {
      throw InputError(location, fmt::format("{} is not a single value", key),
                       fmt::format("write a value of the type {}", to_string(parameter.type)));
    }
    try {
      ParameterValue value = parse_value(parameter, text);
      if (parameter.type == ParameterType::path) value = resolve(std::get<std::string>(value));
      Assignment& assignment = contents_.assignments.emplace_back();
      assignment.path = key;
      assignment.value = std::move(value);
      assignment.origin = {Origin::Kind::file, location};
      assignment.source = source;
    } catch (const QuantityError& error) {
      throw InputError(location, fmt::format("{}: {}", key, error.what()), error.hint());
    }
  }

  /// A path is relative to the file that contains it.
  std::string resolve(const std::string& text) const {
    if (text.empty()) return text;
    return (path_.parent_path() / text).lexically_normal().generic_string();
  }

  const BlockDescription& root_;
  std::span<const SectionKey> sections_;
  fs::path path_;
  std::string file_;
  Chain chain_;
  Extent& extent_;
  Contents contents_;
};

/// The contents of a document whose platform may be replaced.
Contents read_document(const BlockDescription& root, std::span<const SectionKey> sections, const fs::path& file,
                       const YamlNode& document, std::string_view platform) {
  Extent extent;
  Replacement replacement{platform};
  Contents contents =
      DocumentReader(root, sections, file, {{}, platform.empty() ? nullptr : &replacement}, extent).read(document);
  if (!platform.empty() && !replacement.is_done) {
    throw InputError({file.generic_string()}, fmt::format("{} replaces no platform", platform),
                     "the first file that the experiment extends must be its platform");
  }
  return contents;
}

}  // namespace

Contents read_file(const BlockDescription& root, std::span<const SectionKey> sections, const fs::path& file,
                   std::string_view platform) {
  return read_document(root, sections, file, read_yaml(file), platform);
}

Contents read_text(const BlockDescription& root, std::span<const SectionKey> sections, const NamedText& text,
                   std::string_view platform) {
  return read_document(root, sections, text.name, parse_yaml(text.text, text.name), platform);
}

}  // namespace reconverge::configuration
