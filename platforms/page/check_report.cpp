// SPDX-License-Identifier: Apache-2.0
#include "platforms/page/check_report.hpp"

#include <fmt/format.h>

#include "models/core/error.hpp"
#include "platforms/profile/profile_reader.hpp"
#include "platforms/report/format/report_format.hpp"

namespace reconverge::page {

namespace {

void check_values(const JsonPlace& section) {
  for (const JsonPlace& figure : section.at("figures").members()) figure.check_number();
  for (const JsonPlace& block : section.at("counters").members()) {
    for (const JsonPlace& counter : block.members()) {
      if (counter.value().is_array()) {
        counter.check_counts(counter.array().size());
      } else {
        static_cast<void>(counter.count());
      }
    }
  }
}

/// Rows of numbers, one for each interval, and the names of their columns.
std::size_t check_rows(const JsonPlace& timeline, const char* names, const char* rows) {
  timeline.at(names).check_texts();
  const std::size_t columns = timeline.at(names).array().size();
  for (const JsonPlace& row : timeline.at(rows).items()) row.check_counts(columns);
  return timeline.at(rows).array().size();
}

void check_timeline(const JsonPlace& timeline) {
  if (timeline.at("interval").count() == 0) timeline.at("interval").refuse("is 0 cycles");
  static_cast<void>(timeline.at("cycles").count());
  const std::size_t intervals = check_rows(timeline, "lane_classes", "lanes");
  if (const std::size_t rows = check_rows(timeline, "outcomes", "slots"); rows != intervals) {
    timeline.at("slots").refuse(fmt::format("has {} intervals, and lanes has {}", rows, intervals));
  }
  if (const auto begin = timeline.find("begin")) begin->check_counts(intervals);
  if (const auto caches = timeline.find("caches")) {
    for (const JsonPlace& cache : caches->members()) {
      cache.at("accesses").check_counts(intervals);
      cache.at("hits").check_counts(intervals);
    }
  }
  if (const auto bytes = timeline.find("dram_bytes")) bytes->check_counts(intervals);
}

void check_section(const JsonPlace& section) {
  static_cast<void>(section.at("name").text());
  check_values(section);
  if (const auto profile = section.find("profile")) static_cast<void>(read_profile(*profile));
  if (const auto timeline = section.find("timeline")) check_timeline(*timeline);
}

void check_part(const JsonPlace& part) {
  check_section(part);
  static_cast<void>(part.at("kernel").text());
  static_cast<void>(part.at("completed").flag());
}

void check_definitions(const JsonPlace& definitions) {
  for (const JsonPlace& figure : definitions.at("figures").members()) {
    for (const char* const key : {"unit", "text", "formula"}) static_cast<void>(figure.at(key).text());
  }
  for (const JsonPlace& block : definitions.at("counters").members()) {
    for (const JsonPlace& counter : block.members()) {
      for (const char* const key : {"unit", "text"}) static_cast<void>(counter.at(key).text());
      if (const auto bins = counter.find("bins")) bins->check_texts();
    }
  }
}

/// Checks that all members are single values: texts, numbers, flags.
void check_plain(const JsonPlace& object) {
  for (const JsonPlace& member : object.members()) {
    if (member.value().is_structured()) member.refuse("is no single value");
  }
}

void check_rays(const JsonPlace& document) {
  static_cast<void>(document.at("workload").object());
  check_plain(document.at("hits"));
  for (const JsonPlace& stage : document.at("stages").items()) check_part(stage);
  check_section(document.at("tracing"));
  if (const auto picture = document.find("picture")) static_cast<void>(picture->at("file").text());
}

void check_launches(const JsonPlace& document) {
  for (const JsonPlace& launch : document.at("launches").items()) check_part(launch);
  for (const JsonPlace& output : document.at("outputs").items()) static_cast<void>(output.at("file").text());
  for (const JsonPlace& expected : document.at("expected").items()) {
    for (const char* const key : {"buffer", "against"}) static_cast<void>(expected.at(key).text());
    for (const char* const key : {"values", "differing"}) static_cast<void>(expected.at(key).count());
  }
}

}  // namespace

void check_report(const JsonPlace& document) {
  const bool rays = report::is_ray_report(document);
  static_cast<void>(document.at("program_version").text());
  static_cast<void>(document.at("experiment").text());
  static_cast<void>(document.at("partial").flag());
  check_plain(document.at("platform"));
  for (const JsonPlace& check : document.at("checks").members()) static_cast<void>(check.flag());
  check_definitions(document.at("definitions"));
  check_section(document.at("total"));
  if (rays) {
    check_rays(document);
  } else {
    check_launches(document);
  }
}

}  // namespace reconverge::page
