// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Numbers of queries as text. A text contains a query as `{{FORMAT: EXPRESSION FROM ...}}`, which is replaced by its
/// answer; several rows are separated by commas, and a missing value is `-`. Formats:
///
///     count     a whole number: 1234
///     number    up to two decimals: 1.79; so do places0, places1, places3 with others
///     percent   a share in percent: 0.81 is 81 %
///     in_percent   a share that is in percent already: 81 is 81 %
///     text      as it is
///     holds     of a truth value: `holds` or `does not hold`

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/error.hpp"
#include "platforms/sweep/database.hpp"

namespace reconverge::reproduction {

bool is_format(std::string_view name);

/// As Markdown; `-` for NULL.
std::string formatted(const sweep::Value& value, std::string_view format);

/// Answers a query of a page, at a place in its file.
using Ask = std::function<sweep::Answer(const std::string& query, const SourceLocation& location)>;

/// A query in a text.
struct TextQuery {
  std::size_t begin = 0;  ///< of `{{`
  std::size_t end = 0;    ///< after `}}`
  std::string format;
  std::string query;
};

/// Throws InputError for an unknown format and a query without end.
std::vector<TextQuery> queries_in(const std::string& text, const SourceLocation& location);

/// The text with the answers of its queries.
std::string filled(const std::string& text, const SourceLocation& location, const Ask& ask);

/// Markdown with a sentence on each line: a line that does not end a sentence is joined with the next one. Headings,
/// tables, pictures and code (four spaces) stay as they are.
std::string unwrapped(std::string_view text);

/// A table of Markdown; columns of the format `text` are left-aligned.
std::string markdown_table(const std::vector<std::string>& heads, const std::vector<std::string>& formats,
                           const std::vector<std::vector<std::string>>& rows);

}  // namespace reconverge::reproduction
