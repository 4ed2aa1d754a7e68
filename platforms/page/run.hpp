#pragma once
/// One run as the page shows it.

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
  std::string value;   ///< as it is written there
  std::string source;  ///< where the machine's value comes from; may be empty
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
  std::string folder;                  ///< as the user would write it
  boost::json::object report;          ///< report.json, checked
  std::string sha256;                  ///< of that file
  std::vector<Setting> configuration;  ///< empty where there is no effective.yaml
  std::vector<Picture> pictures;
  std::optional<trace::WarpTimeline> warps;  ///< of a trace, where one was read
};

/// Reads the folder of a report. Throws InputError for a report.json that is missing, broken, none of ours, or newer
/// than this program, and for an effective.yaml or a picture that is broken. Files beside these are not read.
Run read_run(const std::filesystem::path& folder);

/// Reads a trace into the run that it is of, by its UUID. Throws InputError for a file that is none, for the trace of
/// another run and for a second one of a run.
void read_trace(std::span<Run> runs, const std::filesystem::path& file);

/// The folders of reports that `folder` stands for: itself, or, where it holds the table of several runs, those in
/// their order. Throws InputError when it is neither.
std::vector<std::filesystem::path> report_folders(const std::filesystem::path& folder);

/// Whether something has that name; what cannot be looked at is not there.
bool is_there(const std::filesystem::path& path);

/// Of a path that may end with a slash or a dot.
std::string last_name(const std::filesystem::path& path);

/// Names that tell the runs apart: their experiments, and where two runs have the same, their folders as well.
std::vector<std::string> distinct_names(const std::vector<Run>& runs);

}  // namespace reconverge::page
