// SPDX-License-Identifier: Apache-2.0
#include "platforms/sweep/store.hpp"

#include <fmt/format.h>

#include <set>

#include "models/core/error.hpp"
#include "platforms/sweep/quantity_text.hpp"

namespace reconverge::sweep {

namespace {

/// Increased when a reader of the tables would have to change.
constexpr int schema_version = 1;

constexpr const char* tables = R"sql(
CREATE TABLE runs (
  run INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, experiment TEXT NOT NULL, file TEXT NOT NULL,
  status TEXT NOT NULL, exit_code INTEGER NOT NULL, message TEXT, partial INTEGER NOT NULL, main_part TEXT,
  engine TEXT NOT NULL, host TEXT NOT NULL, started TEXT NOT NULL, seconds REAL NOT NULL, memory_bytes INTEGER NOT NULL);
CREATE TABLE parameters (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, path TEXT NOT NULL, value TEXT NOT NULL, number REAL,
  swept INTEGER NOT NULL, PRIMARY KEY (run, path)) WITHOUT ROWID;
CREATE TABLE parts (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, part TEXT NOT NULL, position INTEGER NOT NULL,
  is_sum INTEGER NOT NULL, PRIMARY KEY (run, part)) WITHOUT ROWID;
CREATE TABLE figures (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, part TEXT NOT NULL, name TEXT NOT NULL, value REAL NOT NULL,
  PRIMARY KEY (run, part, name)) WITHOUT ROWID;
CREATE TABLE stalls (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, part TEXT NOT NULL, cause TEXT NOT NULL, share REAL NOT NULL,
  PRIMARY KEY (run, part, cause)) WITHOUT ROWID;
CREATE TABLE counters (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, part TEXT NOT NULL, name TEXT NOT NULL, value REAL NOT NULL,
  PRIMARY KEY (run, part, name)) WITHOUT ROWID;
CREATE TABLE provenance (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, key TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (run, key)) WITHOUT ROWID;
CREATE TABLE points (position INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE);
CREATE TABLE axes (position INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE figure_names (position INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE submissions (generation INTEGER PRIMARY KEY, job TEXT NOT NULL, is_open INTEGER NOT NULL);
)sql";

/// Shares of issue slots that waited, by cause.
constexpr std::string_view stall_prefix = "slots_";

std::int64_t whole(const Value& value) { return std::get<std::int64_t>(value); }

Value optional_text(const std::string& text) { return text.empty() ? Value() : Value(text); }

void check_version(const Database& database, const std::string& file) {
  const std::int64_t version = whole(database.ask("PRAGMA user_version").rows.at(0).at(0));
  if (version == schema_version) return;
  throw InputError({file},
                   version == 0 ? "this is no store of a sweep"
                                : fmt::format("this store has tables of version {}, and this program writes and reads "
                                              "version {}",
                                              version, schema_version),
                   "name the folder that `reconverge sweep --out` wrote");
}

std::string sql_text(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += '\'';
    result += c;
  }
  return result + "'";
}

/// Columns of the view.
std::string parameter_column(const std::string& path) {
  return fmt::format("(SELECT coalesce(number, value) FROM parameters p WHERE p.run = r.run AND p.path = {}) AS {}",
                     sql_text(path), sql_name(path));
}
std::string figure_column(const std::string& name) {
  return fmt::format("(SELECT value FROM figures f WHERE f.run = r.run AND f.part = r.main_part AND f.name = {}) AS {}",
                     sql_text(name), sql_name(name));
}

}  // namespace

Store::Store(const std::filesystem::path& file) : database_(file, Database::Access::write) {
  const bool is_new = database_.ask("SELECT count(*) FROM sqlite_master").rows.at(0).at(0) == Value(std::int64_t{0});
  if (!is_new) {
    check_version(database_, file.generic_string());
    return;
  }
  database_.together([&] {
    database_.run(tables);
    database_.run(fmt::format("PRAGMA user_version = {}", schema_version));
  });
  show({});
}

bool Store::has(const std::string& digest) const { return end_of(digest).has_value(); }

std::optional<PointEnd> Store::end_of(const std::string& digest) const {
  const Answer answer = database_.ask("SELECT status, exit_code, message FROM runs WHERE digest = ?", {digest});
  if (answer.rows.empty()) return std::nullopt;
  const auto& row = answer.rows.front();
  return PointEnd{text_of(row[0]), static_cast<int>(whole(row[1])), text_of(row[2])};
}

bool Store::add(const Point& point, const PointRecord& record, std::string_view engine) {
  if (has(point.digest)) return false;
  const std::size_t known = names_in("figure_names", "name").size();
  database_.together([&] {
    database_.run(
        "INSERT INTO runs (digest, experiment, file, status, exit_code, message, partial, main_part, engine, host, "
        "started, seconds, memory_bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        {point.digest, point.experiment, point.file, record.status, std::int64_t{record.exit_code},
         optional_text(record.message), std::int64_t{record.partial ? 1 : 0}, optional_text(record.main_part),
         std::string(engine), record.host, record.started, record.seconds,
         static_cast<std::int64_t>(record.memory_bytes)});
    const Value run = database_.ask("SELECT last_insert_rowid()").rows.at(0).at(0);
    for (const Setting& setting : point.settings) {
      const auto number = number_of(setting.value);
      database_.run("INSERT OR IGNORE INTO parameters VALUES (?, ?, ?, ?, ?)",
                    {run, setting.path, setting.value, number ? Value(number->value) : Value(),
                     std::int64_t{setting.swept ? 1 : 0}});
    }
    std::int64_t position = 0;
    for (const RecordedPart& part : record.parts) {
      database_.run("INSERT INTO parts VALUES (?, ?, ?, ?)",
                    {run, part.name, position++, std::int64_t{part.is_sum ? 1 : 0}});
      for (const NamedNumber& figure : part.figures) {
        database_.run("INSERT INTO figures VALUES (?, ?, ?, ?)", {run, part.name, figure.name, figure.value});
        if (part.name == record.main_part)
          database_.run("INSERT OR IGNORE INTO figure_names (name) VALUES (?)", {figure.name});
        if (!std::string_view(figure.name).starts_with(stall_prefix)) continue;
        database_.run("INSERT INTO stalls VALUES (?, ?, ?, ?)",
                      {run, part.name, figure.name.substr(stall_prefix.size()), figure.value});
      }
      for (const NamedNumber& counter : part.counters)
        database_.run("INSERT INTO counters VALUES (?, ?, ?, ?)", {run, part.name, counter.name, counter.value});
    }
    for (const auto& [key, value] : record.provenance)
      database_.run("INSERT INTO provenance VALUES (?, ?, ?)", {run, key, value});
    if (names_in("figure_names", "name").size() != known) make_view();
  });
  return true;
}

void Store::forget_failures(const std::vector<Point>& points) {
  database_.together([&] {
    for (const Point& point : points)
      database_.run("DELETE FROM runs WHERE digest = ? AND status <> 'ok'", {point.digest});
  });
}

std::vector<Cost> Store::costs() const {
  std::vector<Cost> costs;
  for (const auto& row : database_.ask("SELECT digest, seconds, memory_bytes FROM runs WHERE status = 'ok'").rows)
    costs.push_back({text_of(row[0]), std::get<double>(row[1]), static_cast<double>(whole(row[2]))});
  return costs;
}

void Store::show(const std::vector<Point>& points) {
  database_.together([&] {
    database_.run("DELETE FROM points; DELETE FROM axes;");
    for (const Point& point : points) {
      database_.run("INSERT OR IGNORE INTO points (digest) VALUES (?)", {point.digest});
      for (const Setting& setting : point.settings)
        if (setting.swept) database_.run("INSERT OR IGNORE INTO axes (path) VALUES (?)", {setting.path});
    }
    make_view();
  });
}

std::vector<std::string> Store::names_in(const std::string& table, const std::string& column) const {
  std::vector<std::string> names;
  for (const auto& row : database_.ask(fmt::format("SELECT {} FROM {} ORDER BY position", column, table)).rows)
    names.push_back(text_of(row.front()));
  return names;
}

void Store::make_view() {
  std::string view = "CREATE VIEW results AS SELECT r.run, r.experiment";
  std::set<std::string> names{"run", "experiment", "status", "seconds", "memory_bytes", "digest"};
  for (const std::string& path : names_in("axes", "path"))
    if (names.insert(path).second) view += ", " + parameter_column(path);
  view += ", r.status";
  for (const std::string& name : names_in("figure_names", "name"))
    if (names.insert(name).second) view += ", " + figure_column(name);
  view += ", r.seconds, r.memory_bytes, r.digest FROM points JOIN runs r USING (digest) ORDER BY points.position";
  database_.run("DROP VIEW IF EXISTS results");
  database_.run(view);
}

void Store::add_submission(const Submission& submission) {
  database_.run("INSERT INTO submissions VALUES (?, ?, ?)",
                {std::int64_t{submission.generation}, submission.job, std::int64_t{submission.is_open ? 1 : 0}});
}

void Store::close_submission(const std::string& job) {
  database_.run("UPDATE submissions SET is_open = 0 WHERE job = ?", {job});
}

std::vector<Submission> Store::submissions() const {
  std::vector<Submission> submissions;
  for (const auto& row : database_.ask("SELECT generation, job, is_open FROM submissions ORDER BY 1").rows)
    submissions.push_back({text_of(row[1]), static_cast<int>(whole(row[0])), whole(row[2]) != 0});
  return submissions;
}

Database open_to_read(const std::filesystem::path& place) {
  std::error_code error;
  const std::filesystem::path file = std::filesystem::is_directory(place, error) ? place / store_name : place;
  if (!std::filesystem::exists(file, error))
    throw InputError({place.generic_string()}, "there is no store of a sweep",
                     "name the folder that `reconverge sweep --out` wrote");
  Database database(file, Database::Access::read);
  check_version(database, file.generic_string());
  return database;
}

}  // namespace reconverge::sweep
