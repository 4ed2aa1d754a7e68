// SPDX-License-Identifier: Apache-2.0
#pragma once
/// What traced rays leave for the report. docs/report.md describes its files.

#include "platforms/experiment/ray_tracing.hpp"
#include "platforms/report/format/report_format.hpp"
#include "platforms/report/outcome.hpp"

namespace reconverge::report {

class RayOutcome : public Outcome {
 public:
  RayOutcome(const ExperimentParameters& parameters, const RayTracingResult& result)
      : parameters_(parameters), result_(result) {}

  const ExperimentParameters& parameters() const override { return parameters_; }
  ReportShape shape() const override { return {ray_report_format, "stages", "tracing", true}; }
  std::vector<Part> parts() const override;
  bool partial() const override { return !result_.completed && !result_.cut; }
  /// `hits_agree`: no hit differs from the oracle's without a proof that both are correct. `picture_agrees`: the
  /// device's picture equals the host's; true without a picture.
  std::vector<Check> checks() const override;
  ReportedProgram program_of(std::size_t part, const ReportPlace& place) const override;

  void add_subject(boost::json::object& document, const MachineKind& machine) const override;
  void add_results(boost::json::object& document, const ReportPlace& place) const override;
  boost::json::object part_json(std::size_t part) const override;

  TableTexts texts() const override;
  std::string row(const Section& section) const override;

  std::optional<OutputFile> picture() const override;
  std::vector<OutputFile> files() const override;
  std::optional<std::uint64_t> seed() const override { return parameters_.workload.seed; }

 private:
  bool picture_agrees() const;
  std::uint64_t rays_done() const;
  std::string result_texts() const;

  const ExperimentParameters& parameters_;
  const RayTracingResult& result_;
};

}  // namespace reconverge::report
