// SPDX-License-Identifier: Apache-2.0
#include "platforms/sweep/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <utility>

#include "models/core/error.hpp"

namespace reconverge::sweep {

namespace {

constexpr int wait_for_readers = 60'000;  // milliseconds

void bind(sqlite3_stmt* statement, int index, const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    sqlite3_bind_int64(statement, index, *number);
  } else if (const auto* real = std::get_if<double>(&value)) {
    sqlite3_bind_double(statement, index, *real);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    sqlite3_bind_text64(statement, index, text->data(), text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  } else {
    sqlite3_bind_null(statement, index);
  }
}

Value value_of(sqlite3_value* value) {
  switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_value_int64(value)};
    case SQLITE_FLOAT:
      return sqlite3_value_double(value);
    case SQLITE_NULL:
      return {};
    default: {
      const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
      const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
      return bytes == nullptr ? std::string() : std::string(bytes, size);
    }
  }
}

void give(sqlite3_context* context, const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    sqlite3_result_int64(context, *number);
  } else if (const auto* real = std::get_if<double>(&value)) {
    sqlite3_result_double(context, *real);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    sqlite3_result_text64(context, text->data(), text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  } else {
    sqlite3_result_null(context);
  }
}

void call(sqlite3_context* context, int count, sqlite3_value** given) {
  const auto& function = *static_cast<const QueryFunction*>(sqlite3_user_data(context));
  try {
    std::vector<Value> arguments;
    for (sqlite3_value* each : std::span(given, static_cast<std::size_t>(count))) arguments.push_back(value_of(each));
    give(context, function(arguments));
  } catch (const InputError& error) {
    sqlite3_result_error(context, error.what(), -1);
  }
}

}  // namespace

std::string text_of(const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return {};
}

std::string sql_name(std::string_view name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"') text += '"';
    text += c;
  }
  return text + '"';
}

void Database::CloseDatabase::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

void Database::CloseStatement::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Database::Database(const std::string& file, int flags) : name_(file) {
  sqlite3* database = nullptr;
  const int status = sqlite3_open_v2(file.c_str(), &database, flags, nullptr);
  database_.reset(database);
  if (status != SQLITE_OK) fail();
  sqlite3_busy_timeout(database, wait_for_readers);
  sqlite3_extended_result_codes(database, 1);
}

Database::Database(const std::filesystem::path& file, Access access)
    : Database(file.generic_string(),
               access == Access::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) {
  if (access == Access::read) {
    ask("SELECT count(*) FROM sqlite_master");  // refuses a file of another kind
  } else {
    run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;");
  }
}

Database::Database() : Database(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) {}

void Database::fail() const {
  throw InputError({name_ == ":memory:" ? std::string() : name_}, sqlite3_errmsg(database_.get()));
}

void Database::run(const std::string& statements) {
  if (sqlite3_exec(database_.get(), statements.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

Database::Statement Database::prepared(const std::string& statement, const std::vector<Value>& values) const {
  sqlite3_stmt* made = nullptr;
  const char* rest = nullptr;
  const int length = static_cast<int>(statement.size());
  if (sqlite3_prepare_v2(database_.get(), statement.c_str(), length, &made, &rest) != SQLITE_OK) fail();
  Statement owner(made);
  const std::string_view more(rest);
  if (made == nullptr || more.find_first_not_of(" \t\n;") != std::string_view::npos)
    throw InputError({}, "this is not one SQL statement", "write for example SELECT * FROM results");
  for (std::size_t i = 0; i < values.size(); ++i) bind(made, static_cast<int>(i) + 1, values[i]);
  return owner;
}

void Database::run(const std::string& statement, const std::vector<Value>& values) {
  answer_of(prepared(statement, values));
}

Answer Database::answer_of(const Statement& statement) const {
  Answer answer;
  const int columns = sqlite3_column_count(statement.get());
  for (int i = 0; i < columns; ++i) answer.columns.emplace_back(sqlite3_column_name(statement.get(), i));
  while (true) {
    const int status = sqlite3_step(statement.get());
    if (status == SQLITE_DONE) return answer;
    if (status != SQLITE_ROW) fail();
    std::vector<Value>& row = answer.rows.emplace_back();
    for (int i = 0; i < columns; ++i) row.push_back(value_of(sqlite3_column_value(statement.get(), i)));
  }
}

Answer Database::ask(const std::string& statement, const std::vector<Value>& values) const {
  return answer_of(prepared(statement, values));
}

Answer Database::ask_read_only(const std::string& statement) const {
  const Statement made = prepared(statement, {});
  if (sqlite3_stmt_readonly(made.get()) == 0)
    throw InputError({}, "this statement would change the store", "only queries are possible: SELECT ...");
  return answer_of(made);
}

void Database::define(const std::string& name, int arguments, QueryFunction function) {
  QueryFunction& kept = *functions_.emplace_back(std::make_unique<QueryFunction>(std::move(function)));
  if (sqlite3_create_function_v2(database_.get(), name.c_str(), arguments, SQLITE_UTF8, &kept, call, nullptr, nullptr,
                                 nullptr) != SQLITE_OK)
    fail();
}

void Database::together(const std::function<void()>& action) {
  run("BEGIN IMMEDIATE");
  try {
    action();
  } catch (...) {
    run("ROLLBACK");
    throw;
  }
  run("COMMIT");
}

}  // namespace reconverge::sweep
