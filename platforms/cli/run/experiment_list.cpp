// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/run/experiment_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "models/core/yaml_file.hpp"
#include "platforms/cli/run/sweep.hpp"
#include "platforms/report/documents.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* list_key = "experiments";
constexpr const char* sweep_key = "sweep";
constexpr const char* sweep_hint = "write `path: [value, value]` for each parameter";
constexpr std::array<std::string_view, 3> space_keys{"variants", "sample", "where"};
constexpr const char* list_hint = "write the paths of experiment files, one `- path` per line";

/// The entries of a file that has the key; nothing for any other file.
std::optional<std::vector<YamlEntry>> entries_of_list(const std::string& file) {
  // Unreadable files are refused by name when experiments are loaded.
  if (std::error_code error; !fs::is_regular_file(file, error)) return std::nullopt;
  std::vector<YamlEntry> keys = entries(file, read_yaml(file));
  const bool is_list = std::ranges::any_of(keys, [](const YamlEntry& entry) { return entry.key == list_key; });
  return is_list ? std::optional(std::move(keys)) : std::nullopt;
}

std::string named_file(const std::string& list, const YamlNode& item) {
  const SourceLocation location = locate(list, item);
  if (!item.is_scalar() || item.scalar().empty()) {
    throw InputError(location, "not the name of an experiment file", list_hint);
  }
  const std::string file = (fs::path(list).parent_path() / item.scalar()).lexically_normal().generic_string();
  if (std::error_code error; !fs::exists(file, error)) {
    throw InputError(location, fmt::format("there is no file '{}'", file),
                     "a path is relative to the file that names it");
  }
  if (entries_of_list(file)) {
    throw InputError(location, fmt::format("'{}' is a list of experiments itself", file), "name its experiments here");
  }
  return file;
}

/// A value as --set takes it.
std::string value_text(const std::string& list, const std::string& path, const YamlNode& value) {
  if (value.is_list()) return fmt::format("[{}]", list_text(list, value));
  if (!value.is_scalar()) throw InputError(locate(list, value), fmt::format("no value for {}", path), sweep_hint);
  const fs::path file = (fs::path(list).parent_path() / value.scalar()).lexically_normal();
  std::error_code error;
  return fs::is_regular_file(file, error) ? file.generic_string() : value.scalar();
}

/// `path=value,value`.
ListedSweep sweep_of(const std::string& list, const YamlEntry& entry) {
  if (entry.value.is_map()) {
    const ListedRange range = read_range(list, entry);
    if (range.values.empty()) return {entry.location, entry.key, {}, range.range};
    return {entry.location, entry.key, fmt::format("{}={}", entry.key, fmt::join(range.values, ","))};
  }
  if (!entry.value.is_list() || entry.value.size() == 0) {
    throw InputError(entry.location, fmt::format("{} has no list of values", entry.key), sweep_hint);
  }
  std::vector<std::string> values;
  for (const YamlNode& value : entry.value.items()) values.push_back(value_text(list, entry.key, value));
  return {entry.location, entry.key, fmt::format("{}={}", entry.key, fmt::join(values, ","))};
}

/// Whether one of the `path=...` texts sets this path.
bool gives(std::span<const std::string> settings, const std::string& path) {
  return std::ranges::any_of(settings, [&](const std::string& each) { return each.starts_with(path + '='); });
}

}  // namespace

std::string setting_text(const std::string& list, const std::string& path, const YamlNode& value) {
  return fmt::format("{}={}", path, value_text(list, path, value));
}

ExpandedFiles expand_lists(std::span<const std::string> files) {
  ExpandedFiles expanded;
  for (const std::string& each : files) {
    const std::string file = report::shown_path(each);
    const auto keys = entries_of_list(file);
    if (!keys) {
      expanded.files.push_back(each);
      continue;
    }
    for (const YamlEntry& entry : *keys) {
      if (entry.key == sweep_key) {
        if (files.size() != 1) {
          throw InputError(entry.location, "a list with its own `sweep:` cannot be combined with other files",
                           "give only this file");
        }
        for (const YamlEntry& axis : entries(file, entry.value)) expanded.sweeps.push_back(sweep_of(file, axis));
        continue;
      }
      if (std::ranges::find(space_keys, entry.key) != space_keys.end()) {
        if (files.size() != 1) {
          throw InputError(entry.location, "a design space cannot be combined with other files", "give only this file");
        }
        expanded.space.push_back({file, entry});
        continue;
      }
      if (entry.key != list_key) {
        throw InputError(entry.location, fmt::format("there is no key {} in a list of experiments", entry.key),
                         "give it in the experiments, or with --set to all of them");
      }
      if (!entry.value.is_list() || entry.value.size() == 0) {
        throw InputError(entry.location, "experiments is no list of files", list_hint);
      }
      for (const YamlNode& item : entry.value.items()) expanded.files.push_back(named_file(file, item));
    }
  }
  return expanded;
}

ExpandedFiles expand_plain_lists(std::span<const std::string> files) {
  ExpandedFiles expanded = expand_lists(files);
  const auto refuse = [](const SourceLocation& location, const std::string& key) {
    throw InputError(location,
                     fmt::format("`{}` describes a design space, and this command runs every combination", key),
                     "use `reconverge sweep`");
  };
  if (!expanded.space.empty()) refuse(expanded.space.front().entry.location, expanded.space.front().entry.key);
  for (const ListedSweep& sweep : expanded.sweeps)
    if (sweep.range) refuse(sweep.location, sweep.path);
  return expanded;
}

std::vector<std::string> joined_sweeps(std::span<const ListedSweep> listed, std::span<const std::string> options,
                                       std::span<const std::string> overrides, Kinds kinds) {
  std::vector<std::string> sweeps;
  for (const ListedSweep& sweep : listed) {
    if (sweep.range || gives(options, sweep.path) || gives(overrides, sweep.path)) continue;
    try {
      read_sweep(std::span(&sweep.option, 1), {}, kinds);
    } catch (const InputError& error) {
      throw InputError(sweep.location, error.what());
    }
    sweeps.push_back(sweep.option);
  }
  sweeps.insert(sweeps.end(), options.begin(), options.end());
  return sweeps;
}

}  // namespace reconverge::cli
