// SPDX-License-Identifier: Apache-2.0
#include "platforms/specification/block_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "blocks/all_blocks.hpp"
#include "models/core/documentation.hpp"
#include "platforms/specification/module_diagram.hpp"
#include "platforms/specification/readme.hpp"
#include "platforms/specification/rtl_page.hpp"
#include "platforms/specification/source_files.hpp"

namespace reconverge::specification {

namespace {

/// Whether the README of the block's folder describes only this block.
bool has_own_folder(const BlockDescription& block) {
  return std::ranges::count_if(all_blocks(),
                               [&](const BlockDescription* other) { return other->folder == block.folder; }) == 1;
}

std::string diagram_text(const ModuleSurroundings& module, const BlockDescription& block) {
  std::string text = fmt::format("## Block diagram\n\n![{0} with its sockets]({0}.modules.svg)\n\n", block.name);
  if (module.neighbours.empty()) return text;
  text += "| socket | direction | payload | bound to |\n|---|---|---|---|\n";
  for (const Neighbour& one : module.neighbours) {
    text += fmt::format("| `{}` | {} | `{}` | `{}.{}` |\n", one.socket, one.calls ? "initiator" : "target", one.payload,
                        one.module, one.other);
  }
  return text + '\n';
}

/// A README's chapter; `Departures` comes later in the page.
std::string chapter(const ReadmeSection& section, std::string_view folder) {
  return fmt::format("## {}\n{}\n", section.title, for_page(section.text, folder));
}

}  // namespace

std::vector<PageFile> block_page(const BlockDescription& block, const inspection::ModuleTree& tree) {
  std::vector<PageFile> files;
  const std::string readme(source_text(fmt::format("{}/README.md", block.folder)).value_or(""));
  const std::vector<ReadmeSection> sections = sections_of(readme);
  const bool own = has_own_folder(block);

  std::string text = fmt::format("# {}\n\n{}\n\n## Purpose and theory of operation\n\n", block.name, block.summary);
  text += for_page(own ? sections.front().text : text_before_table(readme, block.name), block.folder) + '\n';
  if (own) {
    for (const ReadmeSection& section : sections) {
      if (!section.title.empty() && section.title != "Departures") text += chapter(section, block.folder);
    }
  }
  if (const auto module = surroundings_of(tree, block.name)) {
    text += diagram_text(*module, block);
    files.push_back({fmt::format("{}.modules.svg", block.name), module_svg(*module)});
  }
  text += "## Parameters and statistics\n\n" + markdown(block) + '\n';
  if (const auto rtl = rtl_page(block.name)) {
    text += *rtl;
    for (const TimingDiagram& diagram : timing_diagrams(block.name)) {
      files.push_back({fmt::format("{}.{}.svg", block.name, diagram.name), wave_svg(diagram)});
      files.push_back({fmt::format("{}.{}.json", block.name, diagram.name), wave_json(diagram)});
    }
  }
  for (const ReadmeSection& section : sections) {
    if (section.title == "Departures" || (!own && !section.title.empty())) text += chapter(section, block.folder);
  }
  files.insert(files.begin(), {fmt::format("{}.md", block.name), std::move(text)});
  return files;
}

}  // namespace reconverge::specification
