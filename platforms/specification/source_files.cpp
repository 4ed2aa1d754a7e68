// SPDX-License-Identifier: Apache-2.0
#include "platforms/specification/source_files.hpp"

#include <algorithm>

namespace reconverge::specification {

std::optional<std::string_view> source_text(std::string_view path) {
  const auto found = std::ranges::find(source_files(), path, &SourceFile::path);
  if (found == source_files().end()) return std::nullopt;
  return found->text;
}

}  // namespace reconverge::specification
