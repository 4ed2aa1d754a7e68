// SPDX-License-Identifier: Apache-2.0
#pragma once
/// What a run leaves for its report: launches with their costs, and results that depend on what ran. Rays (RayOutcome)
/// and launches of a plan (LaunchOutcome) implement it; everything else about a report is common to both.

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "blocks/experiment.hpp"
#include "models/core/figure.hpp"
#include "platforms/figures/measurement.hpp"
#include "platforms/launch/session.hpp"
#include "platforms/profile/profile.hpp"
#include "platforms/report/output_folder.hpp"
#include "platforms/report/report_place.hpp"

namespace reconverge::report {

/// A launch that began; several runs of one launch count as one.
struct Part {
  std::string_view name;
  const launch::LaunchResult* cost = nullptr;
  std::uint64_t rays = 0;     ///< traced to their end
  std::uint64_t threads = 0;  ///< of all its runs
  bool is_main = true;        ///< it belongs to the main sum
};

/// A part and its figures, or the sum of several.
struct Section {
  std::string name;
  std::uint64_t threads = 0;
  InstructionCounts instructions;
  std::optional<Measurement> measurement;              ///< on machines with timing
  bool is_main = true;                                 ///< as in Part; true for sums
  std::vector<const sampling::Estimate*> estimates{};  ///< that are terms of the measurement's totals
  double confidence = 0;                               ///< level of the intervals, if there are estimates

  std::vector<Figure> figures() const;
  /// Parallel to the figures, of their confidence intervals; empty if nothing is estimated.
  std::vector<double> half_widths() const;
};

/// A check that must pass for a run's figures to be valid.
struct Check {
  std::string_view name;  ///< its key in `report.json`
  bool passed = true;
};

/// How a kind of run is presented.
struct ReportShape {
  std::string_view format;    ///< of `report.json`
  std::string_view parts;     ///< the key of its list of parts
  std::string_view main_sum;  ///< the sum that notes and details are about; empty: the total
  bool traces = false;        ///< figures include rays
};

/// The table for the terminal, except its rows and the details of machines. All but the heading are whole lines.
struct TableTexts {
  std::string heading;  ///< what ran
  std::string remarks;
  std::string columns;
  std::string legend;
  std::string results;
};

/// Refers to parameters and results, which must outlive it.
class Outcome {
 public:
  virtual ~Outcome() = default;

  virtual const ExperimentParameters& parameters() const = 0;
  virtual ReportShape shape() const = 0;
  virtual std::vector<Part> parts() const = 0;
  /// Stopped by the user or a limit, before its end.
  virtual bool partial() const = 0;
  /// In addition to the issue slots, which are checked on all machines that have them.
  virtual std::vector<Check> checks() const = 0;
  virtual ReportedProgram program_of(std::size_t part, const ReportPlace& place) const = 0;

  /// Adds the machine and what ran on it to `report.json`.
  virtual void add_subject(boost::json::object& document, const MachineKind& machine) const = 0;
  virtual void add_results(boost::json::object& document, const ReportPlace& place) const = 0;
  /// A part without its figures and records.
  virtual boost::json::object part_json(std::size_t part) const = 0;

  virtual TableTexts texts() const = 0;
  virtual std::string row(const Section& section) const = 0;

  /// Files of results; the picture comes earlier in the manifest.
  virtual std::optional<OutputFile> picture() const = 0;
  virtual std::vector<OutputFile> files() const = 0;
  /// Of the workload's random numbers.
  virtual std::optional<std::uint64_t> seed() const = 0;
};

}  // namespace reconverge::report
