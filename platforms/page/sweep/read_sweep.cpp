// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>
#include <system_error>
#include <unordered_map>

#include "models/core/error.hpp"
#include "models/core/printable.hpp"
#include "platforms/page/sweep/sweep_results.hpp"
#include "platforms/page/sweep/sweep_size.hpp"
#include "platforms/sweep/quantity_text.hpp"
#include "platforms/sweep/store.hpp"

namespace reconverge::page {

namespace fs = std::filesystem;

namespace {

using sweep::Answer;
using sweep::Value;

constexpr double largest_number = 1e300;

/// SQLite keeps a value of any type in any column: every value is requested with its type.
class Checked {
 public:
  Checked(sweep::Database database, std::string file) : database_(std::move(database)), file_(std::move(file)) {
    database_.run("BEGIN");  // all queries see the same rows, also while a process writes
  }

  Answer ask(const std::string& statement, const std::vector<Value>& values = {}) const {
    return database_.ask(statement, values);
  }
  std::int64_t whole(const Value& value, std::string_view what) const {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
    refuse(value, what, "whole number");
  }
  /// Nothing for NULL and for numbers whose differences a plot cannot compute.
  std::optional<double> real(const Value& value, std::string_view what) const {
    if (std::holds_alternative<std::monostate>(value)) return std::nullopt;
    if (const auto* number = std::get_if<std::int64_t>(&value)) return static_cast<double>(*number);
    if (const auto* number = std::get_if<double>(&value))
      return std::abs(*number) < largest_number ? std::optional<double>(*number) : std::nullopt;
    refuse(value, what, "number");
  }
  std::string text(const Value& value, std::string_view what) const {
    if (const auto* text = std::get_if<std::string>(&value)) return printable(*text);
    refuse(value, what, "text");
  }

 private:
  [[noreturn]] void refuse(const Value& value, std::string_view what, std::string_view type) const {
    throw InputError({file_},
                     fmt::format("a value of {} is no {}: '{}'", what, type, shortened(sweep::text_of(value), 40)),
                     "make the store again with `reconverge sweep`");
  }

  sweep::Database database_;
  std::string file_;
};

/// From positions in the space to rows of the page.
using Rows = std::unordered_map<std::int64_t, std::size_t>;

void add_name(SweepNames& texts, std::map<std::string, std::int64_t>& known, const std::string& text) {
  const auto [place, is_new] = known.try_emplace(text, static_cast<std::int64_t>(texts.names.size()));
  if (is_new) texts.names.push_back(text);
  texts.column.push_back(place->second);
}

/// One row for each point with a result.
void read_points(const Checked& store, SweepResults& results) {
  std::map<std::string, std::int64_t> experiments;
  std::map<std::string, std::int64_t> statuses;
  const Answer answer = store.ask(
      fmt::format("SELECT points.position, r.experiment, r.status, r.partial, substr(r.message, 1, {}), r.seconds "
                  "FROM points JOIN runs r USING (digest) ORDER BY points.position",
                  most_message));
  for (const auto& row : answer.rows) {
    const std::string status = store.text(row[2], "runs.status");
    const bool is_partial = status == "ok" && store.whole(row[3], "runs.partial") != 0;
    results.positions.push_back(store.whole(row[0], "points.position"));
    add_name(results.experiments, experiments, store.text(row[1], "runs.experiment"));
    add_name(results.statuses, statuses, is_partial ? "partial" : status);
    results.seconds.push_back(store.real(row[5], "runs.seconds").value_or(0));
    if (status == "ok") continue;
    ++results.failed;
    if (results.failures.size() == most_failures) continue;
    const bool has_message = !std::holds_alternative<std::monostate>(row[4]);
    results.failures.push_back(
        {results.positions.size() - 1, has_message ? store.text(row[4], "runs.message") : std::string()});
  }
}

std::size_t row_of(const Rows& rows, std::int64_t position) {
  const auto found = rows.find(position);
  if (found == rows.end()) throw InputError({}, fmt::format("point {} of the store has no result", position));
  return found->second;
}

/// Numbers ascending; words stay as they are.
void sort_levels(SweepAxis& axis) {
  std::vector<std::size_t> order(axis.levels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t level) { return axis.numbers[level]; });
  std::vector<std::int64_t> place(order.size());
  std::vector<std::string> levels;
  std::vector<double> numbers;
  for (const std::size_t level : order) {
    place[level] = static_cast<std::int64_t>(levels.size());
    levels.push_back(axis.levels[level]);
    numbers.push_back(axis.numbers[level]);
  }
  for (std::int64_t& level : axis.column) {
    if (level >= 0) level = place[static_cast<std::size_t>(level)];
  }
  axis.levels = std::move(levels);
  axis.numbers = std::move(numbers);
}

/// What the levels measure, if all measure the same.
std::string quantity_of(const std::vector<std::string>& levels) {
  const auto all_are = [&](sweep::QuantityKind kind) {
    return std::ranges::all_of(levels, [kind](const std::string& level) {
      const auto number = sweep::number_of(level);
      return number && number->kind == kind;
    });
  };
  if (levels.empty()) return {};
  if (all_are(sweep::QuantityKind::bytes)) return "bytes";
  return all_are(sweep::QuantityKind::frequency) ? "frequency" : "";
}

SweepAxis read_axis(const Checked& store, const std::string& path, const Rows& rows) {
  SweepAxis axis;
  axis.path = printable(path);
  axis.column.assign(rows.size(), -1);
  std::map<std::string, std::int64_t> known;
  bool has_numbers = true;
  const Answer answer = store.ask(
      "SELECT points.position, p.value, p.number FROM points JOIN runs r USING (digest) JOIN parameters p "
      "ON p.run = r.run AND p.path = ? ORDER BY points.position",
      {path});
  for (const auto& row : answer.rows) {
    const std::string value = store.text(row[1], "parameters.value");
    const auto [place, is_new] = known.try_emplace(value, static_cast<std::int64_t>(axis.levels.size()));
    if (is_new) {
      const std::optional<double> number = store.real(row[2], "parameters.number");
      has_numbers = has_numbers && number.has_value();
      axis.levels.push_back(value);
      axis.numbers.push_back(number.value_or(0));
    }
    axis.column[row_of(rows, store.whole(row[0], "points.position"))] = place->second;
  }
  if (has_numbers) {
    sort_levels(axis);
    axis.quantity = quantity_of(axis.levels);
  } else {
    axis.numbers.clear();
  }
  return axis;
}

SweepFigure read_figure(const Checked& store, const std::string& name, const Rows& rows) {
  SweepFigure figure{printable(name), std::vector<std::optional<double>>(rows.size())};
  const Answer answer = store.ask(
      "SELECT points.position, f.value FROM points JOIN runs r USING (digest) JOIN figures f "
      "ON f.run = r.run AND f.part = r.main_part AND f.name = ?",
      {name});
  for (const auto& row : answer.rows)
    figure.column[row_of(rows, store.whole(row[0], "points.position"))] = store.real(row[1], "figures.value");
  return figure;
}

std::vector<std::string> names_in(const Checked& store, const std::string& statement, std::string_view what) {
  std::vector<std::string> names;
  for (const auto& row : store.ask(statement).rows) {
    static_cast<void>(store.text(row[0], what));
    names.push_back(std::get<std::string>(row[0]));
  }
  return names;
}

}  // namespace

bool is_sweep(const fs::path& place) {
  std::error_code error;
  return fs::is_directory(place, error) ? fs::exists(place / sweep::store_name, error) : place.extension() == ".sqlite";
}

SweepResults read_sweep(const fs::path& place) {
  std::error_code error;
  const fs::path file = fs::is_directory(place, error) ? place / sweep::store_name : place;
  const Checked store(sweep::open_to_read(place), file.generic_string());
  const auto axes = names_in(store, "SELECT path FROM axes ORDER BY position", "axes.path");
  const auto figures = names_in(store, "SELECT name FROM figure_names ORDER BY position", "figure_names.name");
  const auto count = [&](const std::string& statement) {
    return static_cast<std::uint64_t>(store.whole(store.ask(statement).rows.at(0).at(0), "count"));
  };
  SweepResults results;
  results.points = count("SELECT count(*) FROM points");
  check_sweep_size(count("SELECT count(*) FROM points JOIN runs USING (digest)"), axes.size() + figures.size());
  read_points(store, results);
  if (results.rows() == 0)
    throw InputError({file.generic_string()}, "no point of the sweep has a result yet",
                     "wait until `reconverge sweep` has run one, or run it again");
  Rows rows;
  for (std::size_t row = 0; row < results.rows(); ++row) rows.emplace(results.positions[row], row);
  for (const std::string& path : axes) results.axes.push_back(read_axis(store, path, rows));
  for (const std::string& name : figures) {
    SweepFigure figure = read_figure(store, name, rows);
    if (std::ranges::any_of(figure.column, [](const auto& value) { return value.value_or(0) != 0; }))
      results.figures.push_back(std::move(figure));
  }
  return results;
}

}  // namespace reconverge::page
