// SPDX-License-Identifier: Apache-2.0
// The table of all papers.

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <fstream>
#include <sstream>

#include "platforms/report/format/json_place.hpp"
#include "platforms/report/format/report_format.hpp"
#include "platforms/reproduction/document.hpp"

namespace reconverge::reproduction {

namespace {

namespace fs = std::filesystem;
using report::JsonPlace;

/// The figures of a page as an earlier call wrote them.
struct WrittenFigures {
  boost::json::value document;
  std::string file;
};

std::optional<WrittenFigures> figures_in(const fs::path& folder, const Page& page) {
  const fs::path file = folder / (page.name + ".json");
  std::ifstream stream(file);
  if (!stream) return std::nullopt;
  std::ostringstream text;
  text << stream.rdbuf();
  return WrittenFigures{report::parse_json(text.str(), file.generic_string()), file.generic_string()};
}

sweep::Value measured_in(const WrittenFigures& figures, const SummaryRow& row) {
  for (const JsonPlace& figure : JsonPlace(figures.document, figures.file).items()) {
    if (figure.at("id").text() != row.claim) continue;
    std::optional<JsonPlace> measured = figure.find("measured");
    if (measured && !row.part.empty()) measured = measured->find(row.part);
    if (measured && measured->value().is_number()) return measured->value().to_number<double>();
    return {};
  }
  return {};
}

std::string published_in(const Page& page, const SummaryRow& row) {
  const auto claim = std::ranges::find(page.claims, row.claim, &Claim::id);
  const auto part = std::ranges::find(claim->parts, row.part, &ClaimPart::name);
  if (part == claim->parts.end() || part->published.empty()) return "-";
  return part->published_number ? formatted(*part->published_number, row.format) : part->published;
}

}  // namespace

std::string summary_of(const std::vector<Page>& pages, const fs::path& folder) {
  std::vector<std::vector<std::string>> rows;
  std::size_t all = 0;
  std::size_t all_inside = 0;
  for (const Page& page : pages) {
    const auto figures = figures_in(folder, page);
    if (!figures || page.summary.empty()) continue;
    std::size_t judged = 0;
    std::size_t inside = 0;
    for (const JsonPlace& figure : JsonPlace(figures->document, figures->file).items()) {
      const boost::json::value& verdict = figure.at("inside").value();
      if (verdict.is_null()) continue;
      ++judged;
      inside += verdict == boost::json::value(true) ? 1 : 0;
    }
    all += judged;
    all_inside += inside;
    bool is_first = true;
    for (const SummaryRow& row : page.summary) {
      rows.push_back({is_first ? page.paper : "", is_first ? fmt::format("{} of {}", inside, judged) : "", row.says,
                      published_in(page, row), formatted(measured_in(*figures, row), row.format)});
      is_first = false;
    }
  }
  return fmt::format(
             "Each claim of the papers is judged on the machine that its paper simulated, with an accepted range: {} "
             "of "
             "{} are inside.\nThe pages explain the others by experiments that change one thing.\n\n",
             all_inside, all) +
         markdown_table({"paper", "claims inside", "for example", "paper", "measured"},
                        {"text", "text", "text", "number", "number"}, rows);
}

}  // namespace reconverge::reproduction
