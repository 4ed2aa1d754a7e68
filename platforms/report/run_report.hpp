// SPDX-License-Identifier: Apache-2.0
#pragma once
/// One finished or stopped run, the common input of all its documents.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/machines/machines.hpp"
#include "platforms/report/outcome.hpp"

namespace reconverge::report {

/// Refers to the outcome, which must outlive it.
class RunReport {
 public:
  /// `kinds`: what the experiment can name. With a profile, reads the sources of programs.
  explicit RunReport(const Outcome& outcome, Kinds kinds = {}, ReportPlace place = {});

  const Outcome& outcome() const { return *outcome_; }
  const ExperimentParameters& parameters() const { return outcome_->parameters(); }
  const MachineKind& machine() const { return *machine_; }
  bool partial() const { return outcome_->partial(); }

  /// The launches that began. One that was interrupted counts as having completed no ray.
  const std::vector<Part>& parts() const { return parts_; }
  /// Parallel to the parts.
  const std::vector<Section>& sections() const { return sections_; }
  const std::vector<std::optional<Profile>>& profiles() const { return profiles_; }
  /// The main sum - of rays, the stages that trace: what the papers measure - and the total, unless they are the same.
  const std::vector<Section>& sums() const { return sums_; }
  const Section& main_sum() const { return sums_.front(); }
  const Section& total() const { return sums_.back(); }

  const ReportPlace& place() const { return place_; }
  /// What is missing from the report.
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// The outcome's checks, then the issue slots: each must have one outcome.
  const std::vector<Check>& checks() const { return checks_; }
  bool passed(std::string_view check) const;
  bool ok() const;

 private:
  Section sum(std::string_view name, bool only_main, Kinds kinds) const;

  const Outcome* outcome_;
  const MachineKind* machine_;
  ReportPlace place_;
  std::vector<Part> parts_;
  std::vector<Section> sections_;
  std::vector<Section> sums_;
  std::vector<std::optional<Profile>> profiles_;
  std::vector<std::string> warnings_;
  std::vector<Check> checks_;
};

/// The name of the check that all runs have.
inline constexpr std::string_view issue_slots_check = "issue_slots_add_up";

}  // namespace reconverge::report
