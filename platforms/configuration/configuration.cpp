// SPDX-License-Identifier: Apache-2.0
#include "platforms/configuration/configuration.hpp"

#include <algorithm>
#include <map>

#include "platforms/configuration/assignment.hpp"
#include "platforms/configuration/section_override.hpp"
#include "platforms/configuration/tree.hpp"

namespace reconverge::configuration {

namespace {

/// Sets every parameter to its last assignment or its default. Cannot fail.
Configuration apply(const BlockTree& tree, void* parameters, std::span<const Assignment> assignments,
                    std::vector<Section> sections, std::vector<SectionChange> changes) {
  std::map<std::string_view, const Assignment*> last;
  for (const Assignment& assignment : assignments) last[assignment.path] = &assignment;
  std::vector<Entry> entries;
  for (Slot& slot : list_slots(tree.root(), parameters)) {
    const ParameterDescription& parameter = *slot.parameter;
    const auto found = last.find(slot.path);
    Entry& entry = entries.emplace_back();
    entry.parameter = &parameter;
    if (found == last.end()) {
      parameter.set(slot.owner, parse_value(parameter, parameter.default_text));
      entry.value = parameter.default_text;
      entry.source = parameter.source;
    } else {
      const Assignment& assignment = *found->second;
      parameter.set(slot.owner, assignment.value);
      entry.value = format_value(parameter, assignment.value);
      entry.origin = assignment.origin;
      entry.source = assignment.source;
    }
    entry.path = std::move(slot.path);
  }
  return {tree, std::move(entries), std::move(sections), std::move(changes)};
}

/// If several files give the section, the last one counts.
std::vector<Section> in_force(std::span<const Section> given) {
  std::map<std::string_view, Section> last;
  for (const Section& section : given) last.insert_or_assign(section.key.name, section);
  std::vector<Section> sections;
  for (const auto& [name, section] : last) sections.push_back(section);
  return sections;
}

Configuration finish(const BlockTree& tree, void* parameters, Contents contents, std::span<const std::string> overrides,
                     std::span<const SectionKey> keys) {
  std::vector<Section> sections = in_force(contents.sections);
  std::vector<SectionChange> changes;
  for (const std::string& text : overrides) {
    if (!platform_file(text).empty()) continue;
    if (is_within_section(text, keys)) {
      changes.push_back(change_section(sections, text));
    } else {
      contents.assignments.push_back(read_override(tree.root(), keys, text));
    }
  }
  return apply(tree, parameters, contents.assignments, std::move(sections), std::move(changes));
}

/// The last one counts; empty without one.
std::string_view platform_in(std::span<const std::string> overrides) {
  std::string_view file;
  for (const std::string& text : overrides)
    if (const std::string_view given = platform_file(text); !given.empty()) file = given;
  return file;
}

}  // namespace

std::string_view platform_file(std::string_view text) {
  if (!text.starts_with(platform_key)) return {};
  text.remove_prefix(platform_key.size());
  return text.starts_with('=') ? text.substr(1) : std::string_view();
}

std::string to_string(const Origin& origin) {
  switch (origin.kind) {
    case Origin::Kind::file:
      return reconverge::to_string(origin.location);
    case Origin::Kind::command_line:
      return "command line";
    default:
      return "default";
  }
}

const Entry* Configuration::find(std::string_view path) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.path == path; });
  return found == entries_.end() ? nullptr : &*found;
}

void Configuration::mark_foreign(std::string_view path) {
  for (Entry& entry : entries_) {
    if (entry.path == path) entry.foreign = true;
  }
}

const Section* Configuration::section(std::string_view name) const {
  const auto found = std::find_if(sections_.begin(), sections_.end(),
                                  [&](const Section& section) { return section.key.name == name; });
  return found == sections_.end() ? nullptr : &*found;
}

Configuration Configuration::without(std::string_view block) const {
  std::vector<Entry> kept;
  for (const Entry& entry : entries_) {
    const bool inside = entry.path.starts_with(block) && entry.path.substr(block.size()).starts_with('.');
    if (!inside) kept.push_back(entry);
  }
  return {tree_, std::move(kept), sections_, changes_};
}

Configuration load(const BlockTree& tree, void* parameters, const std::filesystem::path& file,
                   std::span<const std::string> overrides, std::span<const SectionKey> sections) {
  return finish(tree, parameters, read_file(tree.root(), sections, file, platform_in(overrides)), overrides, sections);
}

Configuration load_text(const BlockTree& tree, void* parameters, const NamedText& text,
                        std::span<const std::string> overrides, std::span<const SectionKey> sections) {
  return finish(tree, parameters, read_text(tree.root(), sections, text, platform_in(overrides)), overrides, sections);
}

Configuration load_defaults(const BlockTree& tree, void* parameters, std::span<const std::string> overrides) {
  const std::string_view platform = platform_in(overrides);
  return finish(tree, parameters, platform.empty() ? Contents{} : read_file(tree.root(), {}, platform), overrides, {});
}

}  // namespace reconverge::configuration
