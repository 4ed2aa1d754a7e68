// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/json_section.hpp"

#include <boost/json/array.hpp>
#include <cmath>
#include <variant>

#include "platforms/report/notes.hpp"

namespace reconverge::report {

namespace json = boost::json;

json::value number(double value) {
  if (!std::isfinite(value)) return nullptr;
  constexpr double exact = 9007199254740992.0;  // 2^53
  if (value == std::trunc(value) && std::abs(value) < exact) return static_cast<std::int64_t>(value);
  return value;
}

json::object define(std::span<const Figure> figures) {
  json::object definitions;
  for (const Figure& figure : figures) {
    definitions[figure.name] = {{"unit", figure.unit}, {"text", figure.text}, {"formula", figure.formula}};
  }
  return definitions;
}

json::object define_counters(const Statistics& totals) {
  json::object definitions;
  totals.visit([&](std::string_view path, const StatisticsView& view) {
    json::object block;
    view.visit([&](const StatisticDescription& statistic, std::span<const std::uint64_t> /*values*/) {
      json::object definition{{"unit", statistic.unit}, {"text", statistic.text}};
      if (statistic.bins != 0) {
        json::array bins;
        for (std::size_t bin = 0; bin < statistic.bins; ++bin) bins.emplace_back(bin_name(statistic, bin));
        definition["bins"] = std::move(bins);
      }
      block[statistic.name] = std::move(definition);
    });
    definitions[path] = std::move(block);
  });
  return definitions;
}

json::object platform_json(const MachineKind& machine, const ExperimentParameters& parameters, bool named) {
  json::object platform;
  if (named) platform["machine"] = machine.name;
  for (const MachineFact& fact : machine.facts(parameters)) {
    std::visit([&](const auto& value) { platform[fact.key] = value; }, fact.value);
  }
  return platform;
}

json::object notes_json(const ExperimentParameters& parameters, const Measurement& measurement) {
  json::object all;
  for (const Note& note : notes(parameters, measurement)) all[note.about] = note.text;
  return all;
}

json::object values_of(std::span<const Figure> figures) {
  json::object values;
  for (const Figure& figure : figures) values[figure.name] = number(figure.value);
  return values;
}

json::object values_of(const Statistics& totals) {
  json::object values;
  totals.visit([&](std::string_view path, const StatisticsView& view) {
    json::object block;
    view.visit([&](const StatisticDescription& statistic, std::span<const std::uint64_t> counters) {
      if (statistic.bins == 0) {
        block[statistic.name] = counters.front();
      } else {
        block[statistic.name] = json::array(counters.begin(), counters.end());
      }
    });
    values[path] = std::move(block);
  });
  return values;
}

}  // namespace reconverge::report
