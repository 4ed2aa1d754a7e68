// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Changes to a PTX text that leave everything else unchanged.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace reconverge::kernel {

class TextEdits {
 public:
  /// `source` must outlive it; all parts that are passed later are views into it.
  explicit TextEdits(std::string_view source) : source_(source) {}

  /// Inserts whole lines before the line on which `part` begins, if only blanks precede it there; otherwise directly
  /// before `part`. Several insertions at one position are in the order of the calls.
  void insert_before(std::string_view part, std::string lines);
  /// Inserts whole lines after the semicolon that ends the instruction `text`, and after a comment that follows it on
  /// its line.
  void insert_after(std::string_view text, std::string lines);
  /// Inserts whole lines after the character at `offset`.
  void insert_behind(std::size_t offset, std::string lines);
  void replace(std::string_view part, std::string text);
  /// Replaces the text from the beginning of `part` to the next `end`, which is kept.
  void replace_until(std::string_view part, char end, std::string text);

  /// The text with all changes.
  std::string apply() const;

  /// The blanks that the line of `part` begins with.
  std::string indentation_of(std::string_view part) const;

 private:
  struct Edit {
    std::size_t offset = 0;
    std::size_t length = 0;
    std::string text;
  };

  std::size_t offset_of(std::string_view part) const { return static_cast<std::size_t>(part.data() - source_.data()); }
  std::size_t start_of_line(std::size_t offset) const;

  std::string_view source_;
  std::vector<Edit> edits_;
};

}  // namespace reconverge::kernel
