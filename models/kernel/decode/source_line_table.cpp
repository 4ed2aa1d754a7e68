// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/source_line_table.hpp"

#include <algorithm>

namespace reconverge::kernel {

SourceLine SourceLineTable::line_of(std::uint32_t source) {
  if (source == no_source) return {};
  const SourcePlace& place = module_.sources[source];
  const auto file = module_.source_files.find(place.file);
  if (file == module_.source_files.end()) return {};
  std::vector<std::string>& files = program_.source_files;
  const auto known = std::find(files.begin(), files.end(), file->second);
  const auto index = static_cast<std::uint32_t>(known - files.begin());
  if (known == files.end()) files.emplace_back(file->second);
  return {index, place.line, inlined_at(place.inlined_at)};
}

std::uint32_t SourceLineTable::inlined_at(std::uint32_t source) {
  const auto known = calls_.find(source);
  if (known != calls_.end()) return known->second;
  const SourceLine call = line_of(source);
  if (call.line == 0) return not_inlined;
  const auto index = static_cast<std::uint32_t>(program_.inlined_at.size());
  program_.inlined_at.push_back(call);
  calls_.emplace(source, index);
  return index;
}

}  // namespace reconverge::kernel
