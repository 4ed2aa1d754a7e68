// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A thin layer over SQLite: connections, statements, and errors as InputError.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace reconverge::sweep {

/// A value of a table; monostate is NULL.
using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

/// A NULL if there is no value.
template <typename Type>
Value value_or_null(const std::optional<Type>& value) {
  return value ? Value(*value) : Value();
}

/// As a table shows it; empty for NULL.
std::string text_of(const Value& value);

/// `name` as an SQL identifier, in double quotes.
std::string sql_name(std::string_view name);

/// The answer of a query.
struct Answer {
  std::vector<std::string> columns;
  std::vector<std::vector<Value>> rows;
};

/// A function for queries, of the values of its arguments.
using QueryFunction = std::function<Value(std::span<const Value> arguments)>;

class Database {
 public:
  enum class Access : std::uint8_t { read, write };

  /// A file that readers can use while one process writes (write-ahead log). `write` creates it. Throws InputError if
  /// it cannot be opened or is no SQLite file.
  Database(const std::filesystem::path& file, Access access);
  /// In memory.
  Database();

  /// Runs one or several statements without values. Throws InputError with SQLite's message.
  void run(const std::string& statements);
  /// Runs one statement with values for its `?`.
  void run(const std::string& statement, const std::vector<Value>& values);
  /// Throws InputError, also if the text has more than one statement.
  Answer ask(const std::string& statement, const std::vector<Value>& values = {}) const;
  /// The same for a statement of a user, which must only read.
  Answer ask_read_only(const std::string& statement) const;
  /// Adds a function for queries of this connection. If it throws InputError, the query fails with its message.
  void define(const std::string& name, int arguments, QueryFunction function);
  /// Runs `action` in one transaction; if it throws, nothing is changed.
  void together(const std::function<void()>& action);

 private:
  struct CloseDatabase {
    void operator()(sqlite3* database) const;
  };
  struct CloseStatement {
    void operator()(sqlite3_stmt* statement) const;
  };
  using Statement = std::unique_ptr<sqlite3_stmt, CloseStatement>;

  Database(const std::string& file, int flags);
  Statement prepared(const std::string& statement, const std::vector<Value>& values) const;
  Answer answer_of(const Statement& statement) const;
  [[noreturn]] void fail() const;

  std::string name_;
  std::vector<std::unique_ptr<QueryFunction>> functions_;  ///< until the database is closed
  std::unique_ptr<sqlite3, CloseDatabase> database_;
};

}  // namespace reconverge::sweep
