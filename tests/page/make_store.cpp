// SPDX-License-Identifier: Apache-2.0
/// make_store FILE: writes a store of a sweep. Standard input has its points as a JSON list of objects: `experiment`,
/// `settings` (lists of path and value), and, unless the point has no result, `status`, `message`, `seconds` and
/// `figures`.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <iostream>
#include <iterator>
#include <string>

#include "platforms/sweep/store.hpp"

namespace {

namespace json = boost::json;
using namespace reconverge::sweep;

std::string text(const json::value& value) { return std::string(value.as_string()); }

Point point_of(const json::object& given, std::size_t number) {
  Point point;
  point.digest = "digest " + std::to_string(number);
  point.experiment = text(given.at("experiment"));
  point.file = "experiment.yaml";
  for (const json::value& setting : given.at("settings").as_array())
    point.settings.push_back({text(setting.at(0)), text(setting.at(1)), true});
  return point;
}

PointRecord record_of(const json::object& given, const Point& point) {
  PointRecord record;
  record.digest = point.digest;
  record.status = text(given.at("status"));
  record.exit_code = record.status == "ok" ? 0 : 1;
  record.message = text(given.at("message"));
  record.host = "host";
  record.started = "2026-01-31T12:00:00Z";
  record.seconds = given.at("seconds").to_number<double>();
  record.main_part = "total";
  RecordedPart part;
  part.name = record.main_part;
  part.is_sum = true;
  for (const auto& [name, value] : given.at("figures").as_object())
    part.figures.push_back({std::string(name), value.to_number<double>()});
  record.parts.push_back(part);
  return record;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string input{std::istreambuf_iterator<char>(std::cin), {}};
  const json::value list = json::parse(input);
  std::vector<Point> points;
  for (const json::value& given : list.as_array()) points.push_back(point_of(given.as_object(), points.size()));
  Store store(argv[1]);
  store.show(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const json::object& given = list.at(i).as_object();
    if (given.contains("status")) store.add(points[i], record_of(given, points[i]), "local");
  }
}
