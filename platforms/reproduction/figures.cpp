// SPDX-License-Identifier: Apache-2.0
#include "platforms/reproduction/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "models/core/error.hpp"
#include "platforms/sweep/quantity_text.hpp"

namespace reconverge::reproduction {

namespace {

using sweep::sql_name;
using sweep::Value;

std::optional<double> number_in(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

/// As in the store: quantities as numbers in base units.
Value setting_value(const std::string& text) {
  const auto number = sweep::number_of(text);
  return number ? Value(number->value) : Value(text);
}

}  // namespace

std::optional<bool> lies_in(const Value& measured, const Accepted& accepted) {
  const auto number = number_in(measured);
  if (!number) return std::nullopt;
  if (const auto* truth = std::get_if<bool>(&accepted)) return (*number != 0) == *truth;
  if (const auto* range = std::get_if<std::pair<double, double>>(&accepted))
    return *number >= range->first && *number <= range->second;
  return true;
}

Figures::Figures(sweep::Database& store, const Page& page, const std::vector<GroupRun>& runs,
                 const std::vector<Measurement>& measurements)
    : store_(store), page_(page) {
  store_.run("CREATE TEMP TABLE measurements (source TEXT, name TEXT, value REAL)");
  for (const Measurement& each : measurements)
    store_.run("INSERT INTO temp.measurements VALUES (?, ?, ?)", {each.source, each.name, each.value});
  define_functions();
  for (const RunGroup& group : page.runs) make_group(group, runs);
  for (const PublishedTable& table : page.data) make_table(table.name, table.columns, table.rows);
  for (const View& view : page.views) {
    try {
      store_.run(fmt::format("CREATE TEMP VIEW {} AS {}", sql_name(view.name), view.query));
    } catch (const InputError& error) {
      throw InputError(view.location, error.what());
    }
  }
}

void Figures::define_functions() {
  const auto first = [](const sweep::Answer& answer) { return answer.rows.empty() ? Value() : answer.rows[0][0]; };
  const auto of_part = [this, first](const char* table) {
    return [this, first, table](std::span<const Value> values) {
      const Value& run = values[0];
      const Value& name = values.back();
      std::string part = "(SELECT main_part FROM runs WHERE run = ?1)";
      if (values.size() == 3) {
        part = sweep::text_of(values[1]) == "last"
                   ? "(SELECT part FROM parts WHERE run = ?1 AND NOT is_sum ORDER BY position DESC LIMIT 1)"
                   : "?3";
      }
      std::vector<Value> given{run, name};
      if (part == "?3") given.push_back(values[1]);
      return first(store_.ask(
          fmt::format("SELECT value FROM {} WHERE run = ?1 AND name = ?2 AND part = {}", table, part), given));
    };
  };
  for (const int arguments : {2, 3}) {
    store_.define("figure", arguments, of_part("figures"));
    store_.define("counter", arguments, of_part("counters"));
  }
  store_.define("setting", 2, [this, first](std::span<const Value> values) {
    return first(store_.ask("SELECT coalesce(number, value) FROM parameters WHERE run = ? AND path = ?",
                            {values[0], values[1]}));
  });
  store_.define("measured", 2, [this, first](std::span<const Value> values) {
    return first(
        store_.ask("SELECT value FROM temp.measurements WHERE source = ? AND name = ?", {values[0], values[1]}));
  });
}

void Figures::make_table(const std::string& name, const std::vector<std::string>& columns, const Rows& rows) {
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const std::string& column : columns) names.push_back(sql_name(column));
  store_.run(fmt::format("CREATE TEMP TABLE {} ({})", sql_name(name), fmt::join(names, ", ")));
  const std::vector<std::string> marks(columns.size(), "?");
  for (const std::vector<Value>& row : rows)
    store_.run(fmt::format("INSERT INTO temp.{} VALUES ({})", sql_name(name), fmt::join(marks, ", ")), row);
}

void Figures::make_group(const RunGroup& group, const std::vector<GroupRun>& runs) {
  std::vector<std::string> columns{"run", "name"};
  columns.insert(columns.end(), group.axes.begin(), group.axes.end());
  Rows rows;
  for (const GroupRun& each : runs) {
    if (each.group != group.name) continue;
    const sweep::Answer run =
        store_.ask("SELECT run, experiment FROM runs WHERE digest = ? AND status = 'ok'", {each.digest});
    if (run.rows.empty()) continue;
    std::vector<Value>& row = rows.emplace_back(run.rows.front());
    for (const std::string& axis : group.axes) {
      const auto swept = std::ranges::find(each.settings, axis, &sweep::Setting::path);
      row.push_back(swept == each.settings.end()
                        ? store_.ask("SELECT setting(?, ?)", {row.front(), axis}).rows.front().front()
                        : setting_value(swept->value));
    }
  }
  make_table(group.name, columns, rows);
}

sweep::Answer Figures::ask(const std::string& query, const SourceLocation& location) const {
  try {
    return store_.ask_read_only(query);
  } catch (const InputError& error) {
    throw InputError(location, fmt::format("{}, in the query: {}", error.what(), query));
  }
}

Ask Figures::asking() const {
  return [this](const std::string& query, const SourceLocation& location) { return ask(query, location); };
}

std::vector<JudgedClaim> Figures::judged() const {
  std::vector<JudgedClaim> all;
  for (const Claim& claim : page_.claims) {
    JudgedClaim judged{&claim, {}, Verdict::inside, {}};
    for (const ClaimPart& part : claim.parts) {
      const sweep::Answer answer = ask(part.query, part.location);
      judged.measured.push_back(answer.rows.empty() ? Value() : answer.rows.front().front());
      const auto inside = lies_in(judged.measured.back(), part.accepted);
      const bool is_judged = !std::holds_alternative<std::monostate>(part.accepted);
      if (!inside && is_judged) {
        judged.verdict = Verdict::not_measured;
      } else if (inside == false && judged.verdict == Verdict::inside) {
        judged.verdict = Verdict::outside;
      }
    }
    if (judged.verdict == Verdict::outside && !claim.because.empty())
      judged.because = filled(claim.because, claim.location, asking());
    all.push_back(std::move(judged));
  }
  return all;
}

}  // namespace reconverge::reproduction
