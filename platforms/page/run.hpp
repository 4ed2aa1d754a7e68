// SPDX-License-Identifier: Apache-2.0
#pragma once
/// One run, as shown by the page.

#include <boost/json/object.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "platforms/trace/warp_timeline.hpp"

namespace reconverge::page {

/// A parameter of effective.yaml.
struct Setting {
  std::string key;     ///< path from the root: gpu.sm.l1.line
  std::string value;   ///< as written in the file
  std::string source;  ///< source of the machine's value; may be empty
  std::string origin;  ///< file, line and column, or command line, or default
};

struct Picture {
  std::string file;  ///< name in the folder
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::string png;  ///< its bytes
};

struct Run {
  std::string name;                    ///< of the experiment
  std::string folder;                  ///< as written by the user
  boost::json::object report;          ///< report.json, checked
  std::string sha256;                  ///< text of that file
  std::vector<Setting> configuration;  ///< empty without an effective.yaml
  std::vector<Picture> pictures;
  std::optional<trace::WarpTimeline> warps;  ///< of a trace, if one was read
};

/// Reads the folder of a report. Throws InputError for a report.json that is missing, broken, not a report of
/// Reconverge, or newer than this program, and for a broken effective.yaml or picture. Other files in the folder are
/// not read.
Run read_run(const std::filesystem::path& folder);

/// Reads a trace into its run, which is found by UUID. Throws InputError for a file that is not a trace, for the trace
/// of another run and for a second trace of a run.
void read_trace(std::span<Run> runs, const std::filesystem::path& file);

/// The report folders of `folder`: the folder itself or, if it contains the table of several runs, their folders in
/// table order. Throws InputError if it is neither.
std::vector<std::filesystem::path> report_folders(const std::filesystem::path& folder);

/// Whether a file or folder of that name exists; an inaccessible one counts as missing.
bool is_there(const std::filesystem::path& path);

/// The last name of a path that may end with a slash or a dot.
std::string last_name(const std::filesystem::path& path);

/// Names that distinguish the runs: their experiments, plus their folders if two runs have the same experiment.
std::vector<std::string> distinct_names(const std::vector<Run>& runs);

}  // namespace reconverge::page
