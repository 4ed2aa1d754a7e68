// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/transform/text_edits.hpp"

#include <algorithm>

namespace reconverge::kernel {

namespace {

constexpr std::string_view blanks = " \t\r";

}  // namespace

std::size_t TextEdits::start_of_line(std::size_t offset) const {
  const std::size_t before = offset == 0 ? std::string_view::npos : source_.rfind('\n', offset - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

std::string TextEdits::indentation_of(std::string_view part) const {
  const std::size_t start = start_of_line(offset_of(part));
  const std::size_t end = std::min(source_.find_first_not_of(blanks, start), source_.size());
  return std::string(source_.substr(start, end - start));
}

void TextEdits::insert_before(std::string_view part, std::string lines) {
  const std::size_t offset = offset_of(part);
  const std::size_t start = start_of_line(offset);
  const bool at_line_start = source_.substr(start, offset - start).find_first_not_of(blanks) == std::string_view::npos;
  edits_.push_back({at_line_start ? start : offset, 0, at_line_start ? std::move(lines) : '\n' + std::move(lines)});
}

void TextEdits::insert_after(std::string_view text, std::string lines) {
  // Only blanks and comments can be between an instruction and its semicolon.
  std::size_t at = offset_of(text) + text.size();
  while (source_[at] != ';') {
    if (source_.substr(at, 2) == "//")
      at = source_.find('\n', at);
    else if (source_.substr(at, 2) == "/*")
      at = source_.find("*/", at) + 2;
    else
      ++at;
  }
  insert_behind(at, std::move(lines));
}

void TextEdits::insert_behind(std::size_t offset, std::string lines) {
  std::size_t at = source_.find_first_not_of(blanks, offset + 1);
  if (at != std::string_view::npos && source_.substr(at, 2) == "//") at = source_.find('\n', at);
  const bool ends_line = at != std::string_view::npos && source_[at] == '\n';
  edits_.push_back({ends_line ? at + 1 : offset + 1, 0, ends_line ? std::move(lines) : '\n' + std::move(lines)});
}

void TextEdits::replace(std::string_view part, std::string text) {
  edits_.push_back({offset_of(part), part.size(), std::move(text)});
}

void TextEdits::replace_until(std::string_view part, char end, std::string text) {
  const std::size_t offset = offset_of(part);
  replace(source_.substr(offset, source_.find(end, offset) - offset), std::move(text));
}

std::string TextEdits::apply() const {
  std::vector<Edit> edits = edits_;
  // Text that is inserted at a position precedes text that replaces something there.
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
    return std::pair(a.offset, a.length != 0) < std::pair(b.offset, b.length != 0);
  });
  std::string result;
  std::size_t done = 0;
  for (const Edit& edit : edits) {
    result.append(source_.substr(done, edit.offset - done)).append(edit.text);
    done = edit.offset + edit.length;
  }
  return result.append(source_.substr(done));
}

}  // namespace reconverge::kernel
