// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>

#include "models/block_generator/emitters.hpp"
#include "models/block_generator/names.hpp"

namespace reconverge::block_generator {

std::string emit_registry_header(const Style& style) {
  std::string out;
  const auto to = std::back_inserter(out);
  out += "#pragma once\n/// Made from the block files: change those, not this one.\n\n";
  out += "#include <span>\n\n#include \"models/core/parameters.hpp\"\n\n";
  fmt::format_to(to, "namespace {} {{\n\n/// Every block that has a block file, sorted by name.\n", style.name_space);
  fmt::format_to(to, "std::span<const ::reconverge::BlockDescription* const> all_blocks();\n\n}}  // namespace {}\n",
                 style.name_space);
  return out;
}

std::string emit_registry_source(const std::vector<Block>& blocks, const Style& style) {
  std::string out;
  const auto to = std::back_inserter(out);
  out += "// Made from the block files: change those, not this one.\n";
  fmt::format_to(to, "#include \"{}/all_blocks.hpp\"\n\n#include <array>\n\n", style.prefix);
  for (const Block& block : blocks) fmt::format_to(to, "#include \"{}/{}.hpp\"\n", style.prefix, block.name);
  fmt::format_to(to, "\nnamespace {} {{\n\nstd::span<const ::reconverge::BlockDescription* const> all_blocks() {{\n",
                 style.name_space);
  fmt::format_to(to, "  static constexpr std::array<const ::reconverge::BlockDescription*, {}> blocks{{\n",
                 blocks.size());
  for (const Block& block : blocks) fmt::format_to(to, "      &{},\n", description_name(block.name));
  fmt::format_to(to, "  }};\n  return blocks;\n}}\n\n}}  // namespace {}\n", style.name_space);
  return out;
}

}  // namespace reconverge::block_generator
