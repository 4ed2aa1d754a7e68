// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Files of the source tree that the program contains: the README of each block, the RTL with its properties, and what
/// a package of it needs.

#include <optional>
#include <span>
#include <string_view>

namespace reconverge::specification {

struct SourceFile {
  std::string_view path;  ///< from the top of the tree
  std::string_view text;
};

/// All of them.
std::span<const SourceFile> source_files();

/// The text of a file; nothing if there is none with this path.
std::optional<std::string_view> source_text(std::string_view path);

}  // namespace reconverge::specification
