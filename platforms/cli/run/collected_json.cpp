// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/run/collected_json.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "platforms/configuration/json_text.hpp"

namespace reconverge::cli {

namespace {

namespace json = boost::json;

/// The value as in report.csv; null if that is empty or not a number.
json::value number_of(const std::string& text) {
  boost::system::error_code error;
  json::value value = json::parse(text, error);
  return error ? json::value(nullptr) : value;
}

}  // namespace

std::string collected_json(const SeveralPlan& plan, std::span<const ExitCode> codes) {
  const CollectedTable& table = plan.table;
  json::array runs;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const CollectedRow& row = table.rows[i];
    json::object settings;
    for (std::size_t axis = 0; axis < table.axes.size(); ++axis) settings[table.axes[axis].path] = row.settings[axis];
    json::object figures;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      figures[table.columns[column].name] = row.figures.empty() ? nullptr : number_of(row.figures[column]);
    }
    json::object notes;
    for (const report::Note& note : row.notes) notes[note.about] = note.text;
    runs.push_back({{"folder", row.folder},
                    {"experiment", row.experiment},
                    {"settings", std::move(settings)},
                    {"status", row.status},
                    {"exit_code", static_cast<int>(codes[i])},
                    {"figures", std::move(figures)},
                    {"notes", std::move(notes)}});
  }
  const json::value comparison =
      plan.is_comparison() ? json::value(plan.comparison_file().generic_string()) : json::value(nullptr);
  return configuration::pretty({{"format", "reconverge runs"},
                                {"folder", plan.folder.generic_string()},
                                {"table", plan.table_file().generic_string()},
                                {"comparison", comparison},
                                {"runs", std::move(runs)}});
}

}  // namespace reconverge::cli
