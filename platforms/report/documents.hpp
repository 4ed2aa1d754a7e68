#pragma once
/// A run as files and as text for the terminal. docs/report.md describes the files.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/configuration/configuration.hpp"
#include "platforms/report/output_folder.hpp"
#include "platforms/report/run_report.hpp"

namespace reconverge::report {

/// Raised when a reader of the files would have to change.
inline constexpr int schema_version = 1;

/// What a manifest says of itself.
inline constexpr std::string_view manifest_format = "reconverge manifest";

/// `report.json`: definitions of all figures and counters, and their values by stage, for tracing and in total.
std::string json_report(const RunReport& report);

/// `report.csv`: stage,path,figure,value,unit; counters with the path of their block, figures with an empty one.
std::string csv_report(const RunReport& report);

/// For the terminal, at most 100 columns wide.
std::string table(const RunReport& report);

/// A file that the run read, and what was in it.
struct InputFile {
  std::string path;
  std::string sha256;
};

/// What decided the result.
struct Provenance {
  std::string experiment;              ///< file; it and all others as seen from its folder
  std::vector<std::string> overrides;  ///< path=value of the command line
  std::vector<InputFile> inputs;
};

/// Every file whose contents decide the result: YAML files that give a value or a section, those that parameters name,
/// and `more`. Throws InputError when one cannot be read.
Provenance provenance(const std::filesystem::path& experiment, std::vector<std::string> overrides,
                      const configuration::Configuration& configuration, std::span<const std::string> more);

/// Files of a ray-tracing workload that are no parameters of the type path: those of its scene.
std::vector<std::string> scene_files(const WorkloadParameters& workload);

/// The path below the current folder where it lies there, otherwise as it is.
std::string shown_path(const std::filesystem::path& path);

/// What a manifest says of a run besides its files.
struct RunIdentity {
  std::string experiment;
  bool partial = false;
  std::optional<std::uint64_t> seed;  ///< of the workload
};

/// `manifest.json`: program, inputs and outputs. Nothing in it differs between two equal runs.
std::string manifest(const RunIdentity& run, const Provenance& provenance, const std::vector<OutputFile>& outputs);

/// Whether the folder holds the whole report of a run by this program that had just this provenance and passed its
/// checks, as it was written. A program made after the report is another.
bool holds_report(const std::filesystem::path& folder, const Provenance& provenance);

/// The names of all files that a report can have besides the outputs of launches, the manifest last.
std::vector<std::string> file_names();

/// All files of a report, the manifest last. `folder` is where they will lie.
std::vector<OutputFile> documents(const RunReport& report, const configuration::Configuration& configuration,
                                  const Provenance& provenance, const std::filesystem::path& folder);

}  // namespace reconverge::report
