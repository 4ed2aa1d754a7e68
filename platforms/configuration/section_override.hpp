#pragma once
/// `launches[0].block=128` of the command line: a value within a section that a file gives.

#include <span>
#include <string>
#include <string_view>

#include "platforms/configuration/configuration.hpp"

namespace reconverge::configuration {

/// Whether a `path=value` begins with one of these.
bool is_within_section(std::string_view text, std::span<const SectionKey> sections);

/// Changes what `text` names in the sections in force. Steps are keys, `[i]` of a list from zero, or in the place of
/// that the name of an item: its `name`, `kernel` or `buffer`. All but the last key exist already; that one may be new
/// below the section's own names. Files in the value are relative to the current folder. A value has no place in the
/// file from then on, which tells it from others. Throws InputError, which begins with `--set`.
SectionChange change_section(std::span<Section> in_force, const std::string& text);

/// The value of such a text in one way of writing. Throws InputError, which begins with `option`.
std::string canonical_section_value(std::string_view option, const std::string& text);

}  // namespace reconverge::configuration
