// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The results of a sweep in an SQLite file. One process writes; others can read while the file grows. docs/sweeps.md
/// describes the tables.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/sweep/database.hpp"
#include "platforms/sweep/point_record.hpp"

namespace reconverge::sweep {

inline constexpr const char* store_name = "sweep.sqlite";

/// How long a completed point took, and its memory.
struct Cost {
  std::string digest;
  double seconds = 0;
  double memory_bytes = 0;
};

struct PointEnd {
  std::string status;
  int exit_code = 0;
  std::string message;  ///< of a failure
};

/// A submission to a cluster.
struct Submission {
  std::string job;      ///< the number that the cluster gave it
  int generation = 0;   ///< counts submissions of this store
  bool is_open = true;  ///< the cluster may still run it
};

class Store {
 public:
  /// Opens the file, or creates it; upgrades nothing: a file of another schema version is refused. Throws InputError.
  explicit Store(const std::filesystem::path& file);

  /// Whether the point has a result. A point that a lost job or an interrupt left undone has none.
  bool has(const std::string& digest) const;
  /// How a point ended, if it has a result.
  std::optional<PointEnd> end_of(const std::string& digest) const;
  /// Adds a result in one transaction. Returns false, and changes nothing, if the point has one.
  bool add(const Point& point, const PointRecord& record, std::string_view engine);
  /// Removes the results of points that did not end with `ok`, so that they run again.
  void forget_failures(const std::vector<Point>& points);

  /// Of all points with status `ok`.
  std::vector<Cost> costs() const;

  /// Rows of the view `results` are those of these points, with a column for each axis.
  void show(const std::vector<Point>& points);

  void add_submission(const Submission& submission);
  void close_submission(const std::string& job);
  std::vector<Submission> submissions() const;

 private:
  std::vector<std::string> names_in(const std::string& table, const std::string& column) const;
  /// `results`: axes and figures as columns.
  void make_view();

  Database database_;
};

/// Opens a store for reading, with a message that says what to do if there is none. `place`: the file, or the folder of
/// the sweep. Throws InputError.
Database open_to_read(const std::filesystem::path& place);

}  // namespace reconverge::sweep
