// SPDX-License-Identifier: Apache-2.0
#include "platforms/page/document.hpp"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <utility>

#include "platforms/configuration/configuration.hpp"
#include "platforms/page/base64.hpp"
#include "platforms/report/build_info.hpp"

namespace reconverge::page {

namespace json = boost::json;

namespace {

json::array configuration_of(const Run& run) {
  json::array settings;
  for (const Setting& setting : run.configuration) {
    settings.push_back(json::array{setting.key, setting.value, setting.source, setting.origin});
  }
  return settings;
}

/// Pictures in base64, each once.
class Images {
 public:
  std::size_t add(std::string_view png) {
    const auto [known, is_new] = places_.try_emplace(png, all_.size());
    if (is_new) all_.emplace_back(base64(png));
    return known->second;
  }
  json::array take() { return std::move(all_); }

 private:
  std::map<std::string_view, std::size_t> places_;
  json::array all_;
};

json::array pictures_of(const Run& run, Images& images) {
  json::array pictures;
  for (const Picture& picture : run.pictures) {
    pictures.push_back({{"file", picture.file},
                        {"width", picture.width},
                        {"height", picture.height},
                        {"image", images.add(picture.png)}});
  }
  return pictures;
}

json::object warps_of(const trace::WarpTimeline& timeline) {
  json::array rows;
  for (const trace::WarpRow& row : timeline.rows) {
    json::array spans;
    for (const trace::WarpSpan& span : row.spans)
      spans.push_back(json::array{span.begin, span.end, span.lanes, span.pc});
    rows.push_back({{"name", row.name}, {"spans", std::move(spans)}});
  }
  return {{"begin", timeline.begin}, {"end", timeline.end}, {"rows", std::move(rows)}};
}

/// Sums first: readers look at them before any part.
json::array sections_of(const json::object& report) {
  json::array sections;
  const auto add = [&sections](const json::value& section, std::string_view kind) {
    json::object entry = section.get_object();
    entry["kind"] = kind;
    sections.push_back(std::move(entry));
  };
  for (const char* const sum : {"tracing", "total"}) {
    if (const json::value* section = report.if_contains(sum)) add(*section, "sum");
  }
  for (const auto& [parts, kind] : {std::pair("stages", "stage"), std::pair("launches", "launch")}) {
    if (const json::value* list = report.if_contains(parts)) {
      for (const json::value& section : list->get_array()) add(section, kind);
    }
  }
  return sections;
}

/// The definitions of figures and counters from all runs; the first definition of a name is valid for all.
void add_definitions(json::object& all, const json::object& report) {
  const json::object& own = report.at("definitions").get_object();
  json::object& figures = all.at("figures").get_object();
  for (const auto& figure : own.at("figures").get_object()) figures.emplace(figure.key(), figure.value());
  json::object& blocks = all.at("counters").get_object();
  for (const auto& block : own.at("counters").get_object()) {
    json::value& there = blocks[block.key()];
    json::object& counters = there.is_null() ? there.emplace_object() : there.get_object();
    for (const auto& counter : block.value().get_object()) counters.emplace(counter.key(), counter.value());
  }
}

/// Relative to the page's folder if it is below that, otherwise its last name: other folders of the host are private.
std::string folder_of(const Run& run, const std::filesystem::path& folder) {
  const std::filesystem::path from = configuration::path_from(folder, run.folder);
  return from.empty() || *from.begin() != ".." ? from.generic_string() : last_name(run.folder);
}

json::object run_data(const Run& run, const std::string& name, const std::filesystem::path& folder, Images& images) {
  json::object data{{"name", name},
                    {"folder", folder_of(run, folder)},
                    {"sections", sections_of(run.report)},
                    {"configuration", configuration_of(run)},
                    {"pictures", pictures_of(run, images)}};
  for (const char* const key : {"experiment", "program_version", "partial", "stopped_after", "platform", "workload",
                                "checks", "hits", "expected"}) {
    if (const json::value* value = run.report.if_contains(key)) data[key] = *value;
  }
  if (run.warps) data["warps"] = warps_of(*run.warps);
  return data;
}

/// Text between tags.
std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      default:
        out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return out;
}

}  // namespace

json::value page_data(const std::vector<Run>& runs, std::string_view title, const std::filesystem::path& folder) {
  const std::vector<std::string> names = distinct_names(runs);
  json::object definitions{{"figures", json::object()}, {"counters", json::object()}};
  json::array data;
  Images images;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    add_definitions(definitions, runs[i].report);
    data.push_back(run_data(runs[i], names[i], folder, images));
  }
  return {{"title", title},
          {"program_version", report::build_info().version},
          {"definitions", std::move(definitions)},
          {"images", images.take()},
          {"runs", std::move(data)}};
}

std::string script_json(const json::value& value) {
  std::string out;
  for (const char c : json::serialize(value)) {
    switch (c) {
      case '<':
      case '>':
      case '&':
        out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string html_page(const PageTemplate& parts, std::string_view title, const json::value& data) {
  std::string page(parts.before_title);
  page += html_text(title);
  page += parts.before_data;
  page += script_json(data);
  page += parts.after_data;
  return page;
}

std::string html_page(const std::vector<Run>& runs, std::string_view title, const std::filesystem::path& folder) {
  return html_page(page_template(), title, page_data(runs, title, folder));
}

}  // namespace reconverge::page
