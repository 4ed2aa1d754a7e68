// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/reproduce/page_result.hpp"

#include <fmt/format.h>

#include "platforms/cli/text_table.hpp"

namespace reconverge::cli {

namespace {

using reproduction::JudgedClaim;
using reproduction::Verdict;

/// A line for each figure; the verdict is of the whole claim.
void add_rows(std::vector<std::vector<std::string>>& rows, const JudgedClaim& judged) {
  const reproduction::Claim& claim = *judged.claim;
  const std::string verdict = judged.verdict == Verdict::inside    ? "inside"
                              : judged.verdict == Verdict::outside ? "outside"
                                                                   : "not measured";
  if (claim.parts.size() > 1) rows.push_back({claim.id, "", "", "", verdict});
  for (std::size_t i = 0; i < claim.parts.size(); ++i) {
    const reproduction::ClaimPart& part = claim.parts[i];
    const bool is_single = claim.parts.size() == 1;
    rows.push_back({is_single ? claim.id : "  " + part.name, part.published, reproduction::accepted_text(claim, i),
                    reproduction::measured_text(judged, i), is_single ? verdict : ""});
  }
}

std::string table_of(const PageResult& result) {
  const std::vector<std::string> heads{"claim", "published", "accepted", "measured", ""};
  std::vector<TextColumn> columns;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    TextColumn& column = columns.emplace_back();
    column.head = heads[i];
    for (const auto& row : result.rows) column.cells.push_back(row[i]);
  }
  return text_of(columns);
}

std::string counts_text(std::string_view of, VerdictCounts counts, std::string_view scale) {
  return fmt::format("{}: {} claims inside, {} outside, {} not measured at the scale `{}`\n", of,
                     counts[Verdict::inside], counts[Verdict::outside], counts[Verdict::not_measured], scale);
}

}  // namespace

PageResult result_of(const reproduction::Page& page, const reproduction::Figures& figures, reproduction::Scale scale) {
  using reproduction::Scale;
  const std::vector<JudgedClaim> claims = figures.judged();
  PageResult result{page.name, reproduction::documents_of(page, figures, claims), {}, {}, {}, false};
  for (const JudgedClaim& judged : claims) {
    const reproduction::Claim& claim = *judged.claim;
    if (scale == Scale::exact && claim.scale != Scale::exact) continue;
    ++result.verdicts[judged.verdict];
    add_rows(result.rows, judged);
    if (judged.verdict != Verdict::outside) continue;
    if (claim.scale == Scale::exact && judged.because.empty()) result.exact_outside = true;
    result.causes.push_back(
        fmt::format("{}: {}", claim.id, judged.because.empty() ? "the cause is not known" : judged.because));
  }
  return result;
}

std::string text_of(std::span<const PageResult> results, std::string_view scale) {
  std::string text;
  VerdictCounts all;
  for (const PageResult& result : results) {
    if (!result.rows.empty()) text += table_of(result);
    text += counts_text(result.name, result.verdicts, scale);
    for (const std::string& cause : result.causes) text += fmt::format("  outside: {}\n", cause);
    text += '\n';
    for (const auto& [verdict, count] : result.verdicts) all[verdict] += count;
  }
  if (results.size() > 1) text += counts_text("all pages", all, scale);
  return text;
}

}  // namespace reconverge::cli
