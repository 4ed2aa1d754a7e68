// SPDX-License-Identifier: Apache-2.0
#include "platforms/specification/readme.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <regex>

#include "blocks/all_blocks.hpp"
#include "models/core/documentation.hpp"

namespace reconverge::specification {

namespace {

/// The README with each block's table replaced by the line that begins it.
std::string without_tables(std::string_view readme) {
  std::string text(readme);
  for (const BlockDescription* block : all_blocks()) {
    if (auto shorter = replace_table(text, block->name, "")) {
      const std::string end = table_end(block->name);
      text = std::move(*shorter);
      text.erase(text.find(end), end.size());
    }
  }
  return text;
}

/// The page to which a link from `folder` leads; empty: none.
std::string page_of(std::string_view folder, const std::string& link) {
  const std::string path = link.substr(0, link.find('#'));
  auto target = (std::filesystem::path(folder) / path).lexically_normal();
  if (target.filename() == "README.md") target = target.parent_path();
  if (target.filename().empty()) target = target.parent_path();
  for (const BlockDescription* block : all_blocks()) {
    if (target == block->folder || target.generic_string() == fmt::format("rtl/{}", block->name))
      return fmt::format("{}.md", block->name);
  }
  return {};
}

}  // namespace

std::vector<ReadmeSection> sections_of(std::string_view readme) {
  const std::string text = without_tables(readme);
  std::vector<ReadmeSection> sections(1);
  bool code = false;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
    const std::string_view line = std::string_view(text).substr(at, end + 1 - at);
    at = end + 1;
    if (line.starts_with("```")) code = !code;
    if (!code && line.starts_with("# ")) continue;
    if (!code && line.starts_with("## ")) {
      sections.push_back({std::string(line.substr(3, line.size() - 4)), {}});
    } else {
      sections.back().text += line;
    }
  }
  return sections;
}

std::string text_before_table(std::string_view readme, std::string_view block) {
  const std::string text = without_tables(readme);
  const std::size_t end = text.find(table_begin(block));
  if (end == std::string::npos) return {};
  std::size_t begin = 0;
  for (const std::string_view mark : {"\n## ", "\n# ", "<!-- block "}) {
    const std::size_t at = end == 0 ? std::string::npos : text.rfind(mark, end - 1);
    if (at != std::string::npos) begin = std::max(begin, text.find('\n', at + 1) + 1);
  }
  if (text.starts_with("# ") && begin == 0) begin = text.find('\n') + 1;
  return begin < end ? text.substr(begin, end - begin) : std::string();
}

std::string for_page(std::string_view markdown, std::string_view folder) {
  static const std::regex form(R"(!?\[([^\]]*)\]\(([^)\s]*)\)|<!-- block \w+ -->\n)");
  const std::string text(markdown);
  std::string result;
  std::size_t at = 0;
  for (std::sregex_iterator one(text.begin(), text.end(), form), none; one != none; ++one) {
    result.append(text, at, static_cast<std::size_t>(one->position()) - at);
    at = static_cast<std::size_t>(one->position() + one->length());
    const std::string link = (*one)[2];
    if (link.empty() || one->str().starts_with("!")) continue;
    if (link.starts_with("http")) {
      result += one->str();
      continue;
    }
    const std::string page = link.starts_with("#") ? std::string() : page_of(folder, link);
    result += page.empty() ? (*one)[1].str() : fmt::format("[{}]({})", (*one)[1].str(), page);
  }
  return result + text.substr(at);
}

}  // namespace reconverge::specification
