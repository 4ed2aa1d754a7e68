// SPDX-License-Identifier: Apache-2.0
#pragma once
/// What the launches of a plan leave for the report. docs/launch.md describes its files.

#include "platforms/launch/run_plan.hpp"
#include "platforms/report/format/report_format.hpp"
#include "platforms/report/outcome.hpp"

namespace reconverge::report {

class LaunchOutcome : public Outcome {
 public:
  LaunchOutcome(const ExperimentParameters& parameters, const launch::LaunchPlan& plan,
                const launch::PlanResult& result)
      : parameters_(parameters), plan_(plan), result_(result) {}

  const ExperimentParameters& parameters() const override { return parameters_; }
  ReportShape shape() const override { return {launch_report_format, "launches", {}, false}; }
  std::vector<Part> parts() const override;
  bool partial() const override { return !result_.completed; }
  /// `expected_agree`: every buffer has its expected contents; true for a stopped run.
  std::vector<Check> checks() const override;
  ReportedProgram program_of(std::size_t part, const ReportPlace& place) const override;

  void add_subject(boost::json::object& document, const MachineKind& machine) const override;
  void add_results(boost::json::object& document, const ReportPlace& place) const override;
  boost::json::object part_json(std::size_t part) const override;

  TableTexts texts() const override;
  std::string row(const Section& section) const override;

  std::optional<OutputFile> picture() const override { return std::nullopt; }
  /// Their tails refer to the result.
  std::vector<OutputFile> files() const override;
  std::optional<std::uint64_t> seed() const override { return std::nullopt; }

 private:
  std::string result_texts() const;

  const ExperimentParameters& parameters_;
  const launch::LaunchPlan& plan_;
  const launch::PlanResult& result_;
};

}  // namespace reconverge::report
