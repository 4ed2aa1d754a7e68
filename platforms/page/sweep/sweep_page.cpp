// SPDX-License-Identifier: Apache-2.0
#include "platforms/page/sweep/sweep_page.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cmath>

#include "platforms/page/document.hpp"
#include "platforms/report/build_info.hpp"

namespace reconverge::page {

namespace json = boost::json;

namespace {

/// Whole numbers are shorter as such: JSON writes other numbers with an exponent.
json::value number_json(double value) {
  constexpr double most_exact = 9007199254740992;
  if (std::abs(value) < most_exact && value == std::floor(value)) return static_cast<std::int64_t>(value);
  return value;
}

template <typename Type>
json::array list_of(const std::vector<Type>& values) {
  json::array list;
  list.reserve(values.size());
  for (const Type& value : values) list.emplace_back(value);
  return list;
}

json::array numbers_of(const std::vector<double>& values) {
  json::array list;
  list.reserve(values.size());
  for (const double value : values) list.push_back(number_json(value));
  return list;
}

json::object axis_json(const SweepAxis& axis) {
  json::object object{{"path", axis.path}, {"levels", list_of(axis.levels)}, {"column", list_of(axis.column)}};
  if (!axis.numbers.empty()) object["numbers"] = numbers_of(axis.numbers);
  if (!axis.quantity.empty()) object["quantity"] = axis.quantity;
  return object;
}

json::object figure_json(const SweepFigure& figure, const FigureMeanings& meanings) {
  json::array column;
  column.reserve(figure.column.size());
  for (const auto& value : figure.column) column.push_back(value ? number_json(*value) : json::value());
  const auto known = meanings.find(figure.name);
  const FigureMeaning meaning = known == meanings.end() ? FigureMeaning() : known->second;
  return {{"name", figure.name}, {"unit", meaning.unit}, {"text", meaning.text}, {"column", std::move(column)}};
}

json::object names_json(const SweepNames& texts) {
  return {{"names", list_of(texts.names)}, {"column", list_of(texts.column)}};
}

}  // namespace

json::value sweep_data(const SweepResults& results, std::string_view title, const FigureMeanings& meanings) {
  json::array axes;
  for (const SweepAxis& axis : results.axes) axes.push_back(axis_json(axis));
  json::array figures;
  for (const SweepFigure& figure : results.figures) figures.push_back(figure_json(figure, meanings));
  json::array failures;
  for (const SweepFailure& failure : results.failures) failures.push_back(json::array{failure.row, failure.message});
  return {{"title", title},
          {"program_version", report::build_info().version},
          {"sweep",
           {{"points", results.points},
            {"positions", list_of(results.positions)},
            {"experiments", names_json(results.experiments)},
            {"statuses", names_json(results.statuses)},
            {"seconds", numbers_of(results.seconds)},
            {"axes", std::move(axes)},
            {"figures", std::move(figures)},
            {"failures", std::move(failures)},
            {"failed", results.failed}}}};
}

std::string sweep_page(const SweepResults& results, std::string_view title, const FigureMeanings& meanings) {
  return html_page(sweep_template(), title, sweep_data(results, title, meanings));
}

}  // namespace reconverge::page
