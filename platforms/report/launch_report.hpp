// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A finished or stopped run of launches, as files and as text for the terminal. docs/launch.md describes the files.

#include <optional>
#include <string>
#include <vector>

#include "blocks/experiment.hpp"
#include "models/core/figure.hpp"
#include "platforms/figures/measurement.hpp"
#include "platforms/launch/run_plan.hpp"
#include "platforms/report/documents.hpp"
#include "platforms/report/profile.hpp"
#include "platforms/report/report_place.hpp"

namespace reconverge::report {

/// A launch, or the sum of all launches.
struct LaunchSection {
  std::string name;
  InstructionCounts instructions;
  std::optional<Measurement> measurement;  ///< on machines with timing

  std::vector<Figure> figures() const;
};

/// Checks that must pass for a run's figures to be valid.
struct LaunchChecks {
  bool expected = true;  ///< every buffer has its expected contents; true for a stopped run
  bool slots = true;     ///< every issue slot has one outcome

  bool ok() const { return expected && slots; }
};

/// Refers to its inputs, which must outlive it.
class LaunchReport {
 public:
  /// `schemes`: all schemes that the platform can have. With a profile, reads the sources of programs.
  LaunchReport(const ExperimentParameters& parameters, const launch::LaunchPlan& plan, const launch::PlanResult& result,
               SchemeList schemes = built_in_schemes(), ReportPlace place = {});

  const ExperimentParameters& parameters() const { return *parameters_; }
  const launch::LaunchPlan& plan() const { return *plan_; }
  const launch::PlanResult& result() const { return *result_; }
  bool partial() const { return !result_->completed; }

  /// Parallel to the result's launches, which are the launches that began.
  const std::vector<LaunchSection>& launches() const { return launches_; }
  const LaunchSection& total() const { return total_; }
  /// Parallel to these launches.
  const std::vector<std::optional<Profile>>& profiles() const { return profiles_; }
  const ReportPlace& place() const { return place_; }
  /// What is missing from the report.
  const std::vector<std::string>& warnings() const { return warnings_; }
  const LaunchChecks& checks() const { return checks_; }

 private:
  const ExperimentParameters* parameters_;
  const launch::LaunchPlan* plan_;
  const launch::PlanResult* result_;
  ReportPlace place_;
  std::vector<LaunchSection> launches_;
  std::vector<std::optional<Profile>> profiles_;
  std::vector<std::string> warnings_;
  LaunchSection total_;
  LaunchChecks checks_;
};

std::string json_report(const LaunchReport& report);
std::string csv_report(const LaunchReport& report);
/// At most 100 columns wide.
std::string table(const LaunchReport& report);

/// The names of all files that a plan's report can have, the manifest last.
std::vector<std::string> file_names(const launch::LaunchPlan& plan);

/// All files of a report, the manifest last. `folder` is where they will be stored. They refer to the report's result.
std::vector<OutputFile> documents(const LaunchReport& report, const configuration::Configuration& configuration,
                                  const Provenance& provenance, const std::filesystem::path& folder);

}  // namespace reconverge::report
