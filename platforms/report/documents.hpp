// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A run as files and as terminal text. docs/report.md and docs/launch.md describe the files.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/configuration/configuration.hpp"
#include "platforms/launch/plan.hpp"
#include "platforms/report/output_folder.hpp"
#include "platforms/report/run_report.hpp"

namespace reconverge::report {

/// `report.json`: definitions of all figures and counters, and their values by part and for the sums.
std::string json_report(const RunReport& report);

/// `report.csv`: stage,path,figure,value,unit; counters have the path of their block, figures an empty path.
std::string csv_report(const RunReport& report);

/// For the terminal, at most 100 columns wide.
std::string table(const RunReport& report);

/// A file that the run read, and its contents.
struct InputFile {
  std::string path;
  std::string sha256;
};

/// The inputs that determine the result.
struct Provenance {
  std::string experiment;              ///< file; it and all others relative to its folder
  std::vector<std::string> overrides;  ///< path=value of the command line
  std::vector<InputFile> inputs;
  std::vector<std::string> program{};  ///< a CUDA program and its arguments; empty: `experiment` says what runs
};

/// Every file whose contents affect the result: YAML files that give a value or a section, files named by parameters,
/// and `more`. Throws InputError if one cannot be read.
Provenance provenance(const std::filesystem::path& experiment, std::vector<std::string> overrides,
                      const configuration::Configuration& configuration, std::span<const std::string> more);

/// Program, command and inputs of a run, as a JSON object: equal for equal runs.
std::string identity(const Provenance& provenance);

/// Files of a ray-tracing workload that are no parameters of type path: those of its scene.
std::vector<std::string> scene_files(const WorkloadParameters& workload);

/// The path relative to the current folder if it is below it, otherwise unchanged.
std::string shown_path(const std::filesystem::path& path);

/// What a manifest says about a run in addition to its files.
struct RunIdentity {
  std::string experiment;
  bool partial = false;
  std::optional<std::uint64_t> seed;  ///< of the workload
};

/// `manifest.json`: program, inputs and outputs. Two equal runs give equal manifests.
std::string manifest(const RunIdentity& run, const Provenance& provenance, const std::vector<OutputFile>& outputs);

/// Whether the folder holds the complete, unchanged report of a run by this program with exactly this provenance, with
/// all checks passed. A program built after the report counts as another program.
bool holds_report(const std::filesystem::path& folder, const Provenance& provenance);

/// The names of all files that a report can have, except outputs of launches; the manifest is last.
std::vector<std::string> file_names();

/// The same for the report of a plan.
std::vector<std::string> file_names(const launch::LaunchPlan& plan);

/// All files of a report, the manifest last. `folder` is where they will be stored. They refer to the report's results.
std::vector<OutputFile> documents(const RunReport& report, const configuration::Configuration& configuration,
                                  const Provenance& provenance, const std::filesystem::path& folder);

}  // namespace reconverge::report
