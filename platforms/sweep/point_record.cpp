// SPDX-License-Identifier: Apache-2.0
#include "platforms/sweep/point_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "platforms/report/format/json_place.hpp"
#include "platforms/report/format/report_format.hpp"

namespace reconverge::sweep {

namespace {

namespace json = boost::json;
using report::JsonPlace;

constexpr std::string_view record_format = "reconverge point";
constexpr int record_version = 1;

/// Objects of a report whose numbers are figures of a part with the same name.
constexpr std::array<std::string_view, 5> numbered{"platform", "workload", "hits", "picture", "sampling"};

/// Adds numbers, objects and lists of numbers, each with its path.
void add_numbers(std::vector<NamedNumber>& numbers, const json::value& value, const std::string& path) {
  if (value.is_object()) {
    for (const auto& [key, member] : value.as_object())
      add_numbers(numbers, member, path.empty() ? std::string(key) : fmt::format("{}.{}", path, std::string_view(key)));
  } else if (value.is_array()) {
    std::size_t bin = 0;
    for (const json::value& item : value.as_array()) add_numbers(numbers, item, fmt::format("{}[{}]", path, bin++));
  } else if (value.is_number()) {
    numbers.push_back({path, value.to_number<double>()});
  }
}

/// Only the numbers of the object itself: the examples of hits belong to single rays.
void add_counts(std::vector<NamedNumber>& numbers, const json::object& object, std::string_view path) {
  for (const auto& [key, value] : object)
    if (value.is_number())
      numbers.push_back({fmt::format("{}.{}", path, std::string_view(key)), value.to_number<double>()});
}

RecordedPart part_of(const json::object& object, std::string name, bool is_sum) {
  RecordedPart part{std::move(name), is_sum, {}, {}};
  add_numbers(part.figures, object.at("figures"), {});
  // Some of them are also figures.
  for (const char* key : {"rays", "rays_done", "runs"}) {
    const json::value* value = object.if_contains(key);
    if (value != nullptr && std::ranges::find(part.figures, key, &NamedNumber::name) == part.figures.end())
      add_numbers(part.figures, *value, key);
  }
  if (const json::value* hits = object.if_contains("hits")) add_counts(part.figures, hits->as_object(), "hits");
  if (const json::value* counters = object.if_contains("counters")) add_numbers(part.counters, *counters, {});
  return part;
}

/// Of two launches with one name, the second is `name#2`.
std::string unique_name(const PointRecord& record, const std::string& name) {
  std::string unique = name;
  for (int number = 2; std::ranges::find(record.parts, unique, &RecordedPart::name) != record.parts.end(); ++number)
    unique = fmt::format("{}#{}", name, number);
  return unique;
}

/// Kernels into which a machine cut that of a launch: `launch/kernel`.
void add_kernels(PointRecord& record, const json::object& launch, const std::string& name) {
  const json::value* kernels = launch.if_contains("parts");
  if (kernels == nullptr || !kernels->is_array()) return;
  for (const json::value& kernel : kernels->as_array()) {
    const std::string_view own(kernel.as_object().at("name").as_string());
    RecordedPart part{unique_name(record, fmt::format("{}/{}", name, own)), false, {}, {}};
    add_numbers(part.figures, kernel, {});
    record.parts.push_back(std::move(part));
  }
}

bool is_part(const json::value& value) { return value.is_object() && value.as_object().contains("figures"); }

json::object numbers_json(const std::vector<NamedNumber>& numbers) {
  json::object object;
  for (const NamedNumber& number : numbers) object[number.name] = number.value;
  return object;
}

std::vector<NamedNumber> numbers_from(const JsonPlace& place) {
  std::vector<NamedNumber> numbers;
  for (const auto& [key, value] : place.object()) {
    if (!value.is_number()) place.at(key).refuse("is no number");
    numbers.push_back({std::string(key), value.to_number<double>()});
  }
  return numbers;
}

double real(const JsonPlace& place) {
  if (!place.value().is_number()) place.refuse("is no number");
  return place.value().to_number<double>();
}

}  // namespace

void add_report(PointRecord& record, const json::object& report, const json::object& manifest) {
  const std::string file = "report.json";
  const json::value document = report;
  record.main_part = report::is_ray_report(JsonPlace(document, file)) ? "tracing" : "total";
  for (const auto& [key, value] : report) {
    if (key == "definitions") continue;
    if (is_part(value)) {
      record.parts.push_back(part_of(value.as_object(), std::string(key), true));
    } else if (value.is_array()) {
      for (const json::value& item : value.as_array()) {
        if (!is_part(item)) continue;
        const std::string name = unique_name(record, std::string(item.as_object().at("name").as_string()));
        add_kernels(record, item.as_object(), name);
        record.parts.push_back(part_of(item.as_object(), name, false));
      }
    } else if (value.is_object() && std::ranges::find(numbered, std::string_view(key)) != numbered.end()) {
      RecordedPart part{std::string(key), true, {}, {}};
      add_numbers(part.figures, value, {});
      record.parts.push_back(std::move(part));
    }
  }
  for (const char* key : {"program", "command", "inputs", "seed"}) {
    if (const json::value* value = manifest.if_contains(key))
      record.provenance.emplace_back(key, json::serialize(*value));
  }
  if (const json::value* partial = manifest.if_contains("partial")) record.partial = *partial == json::value(true);
}

std::string to_json(const PointRecord& record) {
  json::array parts;
  for (const RecordedPart& part : record.parts) {
    parts.push_back({{"name", part.name},
                     {"sum", part.is_sum},
                     {"figures", numbers_json(part.figures)},
                     {"counters", numbers_json(part.counters)}});
  }
  json::object provenance;
  for (const auto& [key, value] : record.provenance) provenance[key] = value;
  return json::serialize(json::object{{"format", record_format},
                                      {"version", record_version},
                                      {"digest", record.digest},
                                      {"status", record.status},
                                      {"exit_code", record.exit_code},
                                      {"message", record.message},
                                      {"host", record.host},
                                      {"started", record.started},
                                      {"seconds", record.seconds},
                                      {"memory_bytes", record.memory_bytes},
                                      {"partial", record.partial},
                                      {"main_part", record.main_part},
                                      {"parts", std::move(parts)},
                                      {"provenance", std::move(provenance)}});
}

PointRecord record_from(std::string_view text, const std::string& file) {
  const json::value document = report::parse_json(text, file);
  const JsonPlace place(document, file);
  if (place.at("format").text() != record_format || place.at("version").count() != record_version)
    place.at("format").refuse("is no record of a point of this version");
  PointRecord record;
  record.digest = place.at("digest").text();
  record.status = place.at("status").text();
  record.exit_code = static_cast<int>(place.at("exit_code").count());
  record.message = place.at("message").text();
  record.host = place.at("host").text();
  record.started = place.at("started").text();
  record.seconds = real(place.at("seconds"));
  record.memory_bytes = place.at("memory_bytes").count();
  record.partial = place.at("partial").flag();
  record.main_part = place.at("main_part").text();
  for (const JsonPlace& part : place.at("parts").items()) {
    record.parts.push_back({part.at("name").text(), part.at("sum").flag(), numbers_from(part.at("figures")),
                            numbers_from(part.at("counters"))});
  }
  for (const auto& [key, value] : place.at("provenance").object()) {
    record.provenance.emplace_back(key, place.at("provenance").at(key).text());
  }
  return record;
}

}  // namespace reconverge::sweep
