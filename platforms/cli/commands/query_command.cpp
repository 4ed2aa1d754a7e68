// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <memory>
#include <string>
#include <vector>

#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/cli/text_table.hpp"
#include "platforms/configuration/json_text.hpp"
#include "platforms/sweep/store.hpp"

namespace reconverge::cli {

namespace {

struct QueryOptions {
  std::string place;
  std::string statement = "SELECT * FROM results";
  bool csv = false;
  bool json = false;
};

/// A cell as spreadsheets read it (RFC 4180).
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

std::string csv_text(const sweep::Answer& answer) {
  std::string text;
  for (std::size_t i = 0; i < answer.columns.size(); ++i) text += (i == 0 ? "" : ",") + csv_cell(answer.columns[i]);
  text += '\n';
  for (const auto& row : answer.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : ",") + csv_cell(sweep::text_of(row[i]));
    text += '\n';
  }
  return text;
}

boost::json::value json_of(const sweep::Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* text = std::get_if<std::string>(&value)) return boost::json::value(*text);
  return nullptr;
}

std::string json_text(const sweep::Answer& answer) {
  boost::json::array rows;
  for (const auto& row : answer.rows) {
    boost::json::object object;
    for (std::size_t i = 0; i < row.size(); ++i) object[answer.columns[i]] = json_of(row[i]);
    rows.push_back(std::move(object));
  }
  return configuration::pretty(rows);
}

/// For the terminal: whole numbers whole, others with six digits.
std::string cell(const sweep::Value& value) {
  const auto* real = std::get_if<double>(&value);
  return real == nullptr ? sweep::text_of(value) : fmt::format("{:.6g}", *real);
}

std::string table_text(const sweep::Answer& answer) {
  std::vector<TextColumn> columns;
  for (std::size_t i = 0; i < answer.columns.size(); ++i) {
    TextColumn column{answer.columns[i], {}, true, {}};
    for (const auto& row : answer.rows) {
      column.cells.push_back(cell(row[i]));
      column.number = column.number && !std::holds_alternative<std::string>(row[i]);
    }
    columns.push_back(std::move(column));
  }
  return text_of(columns);
}

ExitCode query(const QueryOptions& options) {
  const sweep::Answer answer = sweep::open_to_read(options.place).ask_read_only(options.statement);
  print(options.csv ? csv_text(answer) : options.json ? json_text(answer) : table_text(answer));
  return ExitCode::success;
}

}  // namespace

void add_query(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("query", "Read the results of a sweep by an SQL query");
  const auto options = std::make_shared<QueryOptions>();
  command->add_option("STORE", options->place, "Folder of a sweep, or its sweep.sqlite")->required();
  command->add_option("SQL", options->statement, "A query; all results if not given. docs/sweeps.md has the tables")
      ->type_name("SELECT");
  CLI::Option* const csv_flag = command->add_flag("--csv", options->csv, "As comma-separated values");
  command->add_flag("--json", options->json, "As JSON: a list of objects")->excludes(csv_flag);
  command->footer(
      "Examples:\n"
      "  reconverge query out/collatz-space 'SELECT \"gpu.sms\", min(cycles) FROM results GROUP BY 1'\n"
      "  reconverge query out/collatz-space --csv >results.csv");
  command->callback([options, &chosen] { chosen = [options] { return query(*options); }; });
}

}  // namespace reconverge::cli
