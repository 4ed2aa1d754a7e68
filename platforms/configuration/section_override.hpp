// SPDX-License-Identifier: Apache-2.0
#pragma once
/// `launches[0].block=128` of the command line: a value within a section that a file gives.

#include <span>
#include <string>
#include <string_view>

#include "platforms/configuration/configuration.hpp"

namespace reconverge::configuration {

/// Whether a `path=value` begins with one of these sections.
bool is_within_section(std::string_view text, std::span<const SectionKey> sections);

/// Changes the value that `text` names in the sections in force. Steps are keys, or `[i]` of a list, from zero; instead
/// of an index, a step may be the name of an item: its `name`, `kernel` or `buffer`. All keys but the last exist
/// already; the last one may be new below the section's own names. Files in the value are relative to the current
/// folder. The changed value has no location in a file, which distinguishes it from others. Throws InputError, which
/// begins with `--set`.
SectionChange change_section(std::span<Section> in_force, const std::string& text);

/// The canonical text of the value in such a text. Throws InputError, which begins with `option`.
std::string canonical_section_value(std::string_view option, const std::string& text);

}  // namespace reconverge::configuration
