// SPDX-License-Identifier: Apache-2.0
#include "platforms/reproduction/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <functional>

#include "platforms/reproduction/chart.hpp"

namespace reconverge::reproduction {

namespace {

namespace json = boost::json;

/// `name: text; name: text`, or the text of the only figure.
std::string joined(const Claim& claim, const std::function<std::string(std::size_t)>& text) {
  if (claim.parts.size() == 1 && claim.parts.front().name.empty()) return text(0);
  std::string all;
  for (std::size_t i = 0; i < claim.parts.size(); ++i) {
    const std::string one = text(i);
    if (one.empty()) continue;
    all += fmt::format("{}{}: {}", all.empty() ? "" : "; ", claim.parts[i].name, one);
  }
  return all;
}

json::value json_of(const sweep::Value& value, const Accepted& accepted) {
  if (const auto* text = std::get_if<std::string>(&value)) return json::string(*text);
  double number = 0;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    number = static_cast<double>(*whole);
  } else if (const auto* real = std::get_if<double>(&value)) {
    number = *real;
  } else {
    return nullptr;
  }
  if (std::holds_alternative<bool>(accepted)) return number != 0;
  const auto whole = static_cast<std::int64_t>(number);
  if (static_cast<double>(whole) == number) return whole;
  return number;
}

std::string json_text(const Page& page, const std::vector<JudgedClaim>& claims) {
  std::string text = "[\n";
  for (const JudgedClaim& judged : claims) {
    const Claim& claim = *judged.claim;
    json::object measured;
    for (std::size_t i = 0; i < claim.parts.size(); ++i)
      measured[claim.parts[i].name] = json_of(judged.measured[i], claim.parts[i].accepted);
    const bool is_single = claim.parts.size() == 1 && claim.parts.front().name.empty();
    const json::object figure{
        {"id", claim.id},
        {"measured", is_single ? measured.begin()->value() : json::value(measured)},
        {"inside", judged.verdict == Verdict::not_measured ? json::value() : judged.verdict == Verdict::inside},
        {"workload", claim.workload},
        {"command", claim.command.empty() ? "reconverge reproduce " + page.name : claim.command}};
    text += json::serialize(figure) + (&judged == &claims.back() ? "\n" : ",\n");
  }
  return text + "]\n";
}

std::string claims_table(const std::vector<JudgedClaim>& claims) {
  std::vector<std::vector<std::string>> rows;
  for (const JudgedClaim& judged : claims) {
    const Claim& claim = *judged.claim;
    const std::string verdict = judged.verdict == Verdict::inside    ? "yes"
                                : judged.verdict == Verdict::outside ? "**no**"
                                                                     : "not measured";
    rows.push_back({fmt::format("`{}`", claim.id), claim.where, claim.says, published_text(claim), accepted_text(claim),
                    measured_text(judged), verdict});
  }
  return markdown_table({"claim", "where", "says", "published", "accepted", "measured", "inside"},
                        std::vector<std::string>(7, "text"), rows);
}

std::string counts_of(const std::vector<JudgedClaim>& claims) {
  const auto inside = std::ranges::count(claims, Verdict::inside, &JudgedClaim::verdict);
  const auto not_measured = std::ranges::count(claims, Verdict::not_measured, &JudgedClaim::verdict);
  std::string text = fmt::format("{} of {} claims are inside the accepted range", inside, claims.size());
  if (not_measured != 0) text += fmt::format("; not measured: {}", not_measured);
  return text + ".\n";
}

/// Writes blocks one after the other, with an empty line between them.
class Writer {
 public:
  Writer(const Page& page, const Figures& figures, const std::vector<JudgedClaim>& claims)
      : page_(page), figures_(figures), claims_(claims) {
    text_ = fmt::format("# {}\n", page.title);
    for (const Block& block : page.blocks) {
      text_ += '\n';
      std::visit([&](const auto& each) { add(each); }, block);
      if (!text_.ends_with('\n')) text_ += '\n';
    }
    documents_.insert(documents_.begin(), {{page.name + ".md", text_}, {page.name + ".json", json_text(page, claims)}});
  }

  std::vector<Document> documents() && { return std::move(documents_); }

 private:
  void add(const TextBlock& block) { text_ += filled(unwrapped(block.text), block.location, figures_.asking()); }

  void add(const TableBlock& block) {
    const sweep::Answer answer = figures_.ask(block.query, block.location);
    if (answer.columns.size() != block.columns.size())
      throw InputError(block.location, fmt::format("the query has {} columns, and the table {}", answer.columns.size(),
                                                   block.columns.size()));
    if (answer.rows.empty()) {
      text_ += "Not measured at this scale.\n";
      return;
    }
    std::vector<std::string> heads;
    std::vector<std::string> formats;
    for (const Column& column : block.columns) {
      heads.push_back(column.head);
      formats.push_back(column.format);
    }
    std::vector<std::vector<std::string>> rows;
    for (const auto& row : answer.rows) {
      std::vector<std::string>& cells = rows.emplace_back();
      for (std::size_t i = 0; i < row.size(); ++i) cells.push_back(formatted(row[i], formats[i]));
    }
    text_ += markdown_table(heads, formats, rows);
  }

  void add(const ChartBlock& block) {
    const sweep::Answer answer = figures_.ask(block.query, block.location);
    if (answer.columns.size() != 3)
      throw InputError(block.location, "the query of a chart has the columns x, series and y");
    Chart chart{block.title, block.x, block.y, block.bars, series_of(answer)};
    add_picture(block.name, block.title, block.scatter ? scatter_svg(chart) : svg_of(chart));
  }

  void add(const ClaimsBlock& /*block*/) {
    text_ += counts_of(claims_) + '\n' + claims_table(claims_) + '\n';
    add_picture("claims", "Accepted ranges (green), published figures (line) and measured ones (dot)",
                svg_of(page_.title, claims_));
  }

  void add_picture(const std::string& name, const std::string& title, std::string svg) {
    const std::string file = fmt::format("{}_{}.svg", page_.name, name);
    text_ += fmt::format("![{}]({})\n", title, file);
    documents_.push_back({file, std::move(svg)});
  }

  const Page& page_;
  const Figures& figures_;
  const std::vector<JudgedClaim>& claims_;
  std::string text_;
  std::vector<Document> documents_;
};

}  // namespace

std::string measured_text(const JudgedClaim& judged, std::size_t part) {
  const bool is_truth = std::holds_alternative<bool>(judged.claim->parts[part].accepted);
  return formatted(judged.measured[part], is_truth ? "holds" : judged.claim->format);
}

std::string accepted_text(const Claim& claim, std::size_t part) {
  const Accepted& accepted = claim.parts[part].accepted;
  if (const auto* truth = std::get_if<bool>(&accepted)) return *truth ? "holds" : "does not hold";
  const auto* range = std::get_if<std::pair<double, double>>(&accepted);
  if (range == nullptr) return {};
  if (range->first == range->second) return formatted(range->first, claim.format);
  return fmt::format("{} to {}", formatted(range->first, claim.format), formatted(range->second, claim.format));
}

std::string measured_text(const JudgedClaim& judged) {
  return joined(*judged.claim, [&](std::size_t part) { return measured_text(judged, part); });
}

std::string published_text(const Claim& claim) {
  const std::string text = joined(claim, [&](std::size_t part) { return claim.parts[part].published; });
  return text.empty() ? "-" : text;
}

std::string accepted_text(const Claim& claim) {
  return joined(claim, [&](std::size_t part) { return accepted_text(claim, part); });
}

std::vector<Document> documents_of(const Page& page, const Figures& figures, const std::vector<JudgedClaim>& claims) {
  return Writer(page, figures, claims).documents();
}

}  // namespace reconverge::reproduction
