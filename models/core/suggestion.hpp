// SPDX-License-Identifier: Apache-2.0
#pragma once
/// "Did you mean": the known name that is most similar to an unknown one.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace reconverge {

/// Fewest insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`
/// (optimal string alignment distance).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate that is most similar to `name` (the first if several are equal), or an empty string if more than a
/// third of the longer word would have to change.
std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates);

/// `did you mean X?` or, without a similar name, `known: A, B, C`; empty without candidates.
std::string suggest(std::string_view name, std::span<const std::string_view> candidates);
/// The same for names that a plugin can bring.
std::string suggest_or_plugin(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace reconverge
