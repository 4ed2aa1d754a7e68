// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A point of a design space, and what running it gave. Records travel as JSON files from the process that ran the
/// point to the process that writes the store.

#include <boost/json/object.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reconverge::sweep {

/// A parameter of a point that is not a default.
struct Setting {
  std::string path;
  std::string value;   ///< canonical: `48 KiB`
  bool swept = false;  ///< an axis of the space
};

/// What a point runs. Its digest names it: a digest of the program, its configuration and all its input files.
struct Point {
  std::string digest;
  std::string experiment;  ///< name
  std::string file;
  std::vector<std::string> overrides;  ///< `path=value`, for --set
  std::vector<Setting> settings;       ///< swept ones first, in the order of the axes
};

/// A named number of a report.
struct NamedNumber {
  std::string name;
  double value = 0;
};

/// A stage, a launch, or a sum of them.
struct RecordedPart {
  std::string name;
  bool is_sum = false;
  std::vector<NamedNumber> figures;
  std::vector<NamedNumber> counters;  ///< `block.path.counter`, and `counter[bin]` of a histogram
};

struct PointRecord {
  std::string digest;
  std::string status;  ///< `ok`, `check failed` ... as in runs.csv
  int exit_code = 0;
  std::string message;  ///< the error of a run that failed
  std::string host;
  std::string started;             ///< 2026-01-31T12:00:00Z
  double seconds = 0;              ///< of host time
  std::uint64_t memory_bytes = 0;  ///< largest resident memory
  bool partial = false;
  std::string main_part;  ///< the sum that a table shows: `tracing` for rays, otherwise `total`; empty without a report
  std::vector<RecordedPart> parts;
  std::vector<std::pair<std::string, std::string>> provenance;  ///< version, compiler, command, inputs with digests
};

/// Adds parts, provenance and main part from `report.json` and `manifest.json`. Throws InputError for other documents.
void add_report(PointRecord& record, const boost::json::object& report, const boost::json::object& manifest);

/// As one line of JSON, and back. Throws InputError, with the name of the file.
std::string to_json(const PointRecord& record);
PointRecord record_from(std::string_view text, const std::string& file);

}  // namespace reconverge::sweep
