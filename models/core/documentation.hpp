// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Markdown from block descriptions: the tables in each block's README.md.

#include <optional>
#include <string>
#include <string_view>

#include "models/core/parameters.hpp"

namespace reconverge {

/// The tables of a block's parameters, parts and statistics. Ends with a newline.
std::string markdown(const BlockDescription& block);

/// The line before a block's tables in a README, `<!-- block l1_cache -->`, and the line after them.
std::string table_begin(std::string_view block);
std::string table_end(std::string_view block);

/// `readme` with the text between the two lines replaced by `table`; nothing if it lacks these lines.
std::optional<std::string> replace_table(std::string_view readme, std::string_view block, std::string_view table);

}  // namespace reconverge
