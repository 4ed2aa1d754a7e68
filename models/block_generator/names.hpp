// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Converts names in block files to names in C++.

#include <string>
#include <string_view>

namespace reconverge::block_generator {

/// A letter, then letters, digits and single underscores; no underscore at the end.
bool is_snake_case(std::string_view name);
/// The reason that `name` cannot name a block or a member; empty if it can.
std::string name_problem(std::string_view name);
/// `l1_cache` to `L1Cache`.
std::string camel_case(std::string_view name);
std::string parameters_type(std::string_view block);                     ///< `L1CacheParameters`
std::string statistics_type(std::string_view block);                     ///< `L1CacheStatistics`
std::string enum_type(std::string_view block, std::string_view member);  ///< `L1CachePolicy`
/// The constant that describes the block: `l1_cache_block`.
std::string description_name(std::string_view block);
/// The word, with a trailing underscore if it is a C++ keyword.
std::string enumerator(std::string_view word);
/// A C++ string literal with the same bytes.
std::string literal(std::string_view text);

}  // namespace reconverge::block_generator
