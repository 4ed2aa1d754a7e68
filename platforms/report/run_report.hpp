// SPDX-License-Identifier: Apache-2.0
#pragma once
/// One finished or stopped run, the common input of all its documents.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "blocks/experiment.hpp"
#include "platforms/experiment/ray_tracing.hpp"
#include "platforms/figures/measurement.hpp"
#include "platforms/report/profile.hpp"
#include "platforms/report/report_place.hpp"

namespace reconverge::report {

/// A part of a run and its figures: one stage, or the sum of several.
struct Section {
  std::string name;
  Measurement measurement;
};

/// Summed over stages.
struct HitCounts {
  std::uint64_t checked = 0;
  std::uint64_t equal = 0;
  std::uint64_t ties = 0;
  std::uint64_t edges = 0;
  std::uint64_t mismatches = 0;
};

/// Checks that must pass for a run's figures to be valid.
struct Checks {
  bool hits = true;     ///< no hit differs from the oracle's without a proof that both are correct
  bool picture = true;  ///< the device's picture equals the host's; true for a run without picture
  bool slots = true;    ///< every issue slot has one outcome

  bool ok() const { return hits && picture && slots; }
};

/// Refers to parameters and result, which must outlive it.
class RunReport {
 public:
  /// `schemes`: all schemes that the platform can have. With a profile, reads the sources of programs.
  RunReport(const ExperimentParameters& parameters, const RayTracingResult& result,
            SchemeList schemes = built_in_schemes(), ReportPlace place = {});

  const ExperimentParameters& parameters() const { return *parameters_; }
  const RayTracingResult& result() const { return *result_; }
  bool partial() const { return !result_->completed && !result_->cut; }

  /// Parallel to the result's stages. An interrupted stage counts as having completed no ray.
  const std::vector<Section>& stages() const { return stages_; }
  /// The stages that trace rays: what the papers measure.
  const Section& tracing() const { return tracing_; }
  const Section& total() const { return total_; }
  /// Parallel to the stages.
  const std::vector<std::optional<Profile>>& profiles() const { return profiles_; }
  const ReportPlace& place() const { return place_; }
  /// What is missing from the report.
  const std::vector<std::string>& warnings() const { return warnings_; }

  const HitCounts& hits() const { return hits_; }
  const Checks& checks() const { return checks_; }

 private:
  const ExperimentParameters* parameters_;
  const RayTracingResult* result_;
  ReportPlace place_;
  std::vector<Section> stages_;
  std::vector<std::optional<Profile>> profiles_;
  std::vector<std::string> warnings_;
  Section tracing_;
  Section total_;
  HitCounts hits_;
  Checks checks_;
};

}  // namespace reconverge::report
