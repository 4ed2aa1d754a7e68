// SPDX-License-Identifier: Apache-2.0
#pragma once
/// READMEs, cut into the parts of which specification pages consist.

#include <string>
#include <string_view>
#include <vector>

namespace reconverge::specification {

struct ReadmeSection {
  std::string title;  ///< empty: before the first heading of the second level
  std::string text;   ///< without the heading
};

/// The sections of a README without its title. The tables of blocks are replaced by the lines that begin them.
std::vector<ReadmeSection> sections_of(std::string_view readme);

/// The paragraphs about a block in a README of several blocks: from the end of the table before, or from the last
/// heading, to the block's own table.
std::string text_before_table(std::string_view readme, std::string_view block);

/// Markdown of the README of `folder` for a page in another folder. Links to a block's folder become links to its page,
/// `<block>.md`; other relative links become their text. The lines that begin tables are removed.
std::string for_page(std::string_view markdown, std::string_view folder);

}  // namespace reconverge::specification
