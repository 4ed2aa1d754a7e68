// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/run_report.hpp"

#include <algorithm>
#include <utility>

#include "platforms/figures/warp_figures.hpp"
#include "platforms/machines/machines.hpp"
#include "platforms/report/figures.hpp"
#include "platforms/sampling/confidence.hpp"

namespace reconverge::report {

std::vector<Figure> Section::figures() const {
  if (measurement) return report::figures(*measurement);
  return instruction_figures(instructions.warp_instructions, instructions.thread_instructions);
}

std::vector<double> Section::half_widths() const {
  if (!measurement || estimates.empty()) return {};
  Measurement varied = *measurement;
  return sampling::half_widths(measurement->totals, estimates, confidence, [&varied](const Statistics& counters) {
    varied.totals = counters;
    std::vector<double> values;
    for (const Figure& figure : report::figures(varied)) values.push_back(figure.value);
    return values;
  });
}

namespace {

void add_estimates(Section& section, const launch::LaunchResult& cost) {
  if (!cost.sample) return;
  for (const sampling::Estimate& estimate : cost.sample->estimates) section.estimates.push_back(&estimate);
}

/// What a launch counted, without estimates.
const Statistics& counted(const launch::LaunchResult& cost) {
  return cost.sample ? cost.sample->counted : *cost.counters;
}

}  // namespace

RunReport::RunReport(const Outcome& outcome, Kinds kinds, ReportPlace place)
    : outcome_(&outcome),
      machine_(&machine_of(outcome.parameters(), kinds)),
      place_(std::move(place)),
      parts_(outcome.parts()),
      checks_(outcome.checks()) {
  SourceLines sources(place_.source_roots);
  const ReportShape shape = outcome.shape();
  bool slots_add_up = true;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto& [name, cost, rays, threads, is_main] = parts_[i];
    const Statistics* const counters = cost->counters ? &*cost->counters : nullptr;
    Section& section =
        sections_.emplace_back(Section{std::string(name), threads, cost->instructions, std::nullopt, is_main});
    auto& profile = profiles_.emplace_back();
    if (cost->profile) profile = profile_of(*cost->profile, counters, outcome.program_of(i, place_), sources);
    if (counters == nullptr) continue;
    section.measurement = measure(parameters(), *counters, shape.traces ? std::optional(rays) : std::nullopt, kinds);
    section.confidence = parameters().sample.confidence;
    add_estimates(section, *cost);
    if (cost->sample) section.measurement->counted = cost->sample->counted;
    slots_add_up = slots_add_up && unaccounted_slots(*section.measurement) == 0;
  }
  if (!shape.main_sum.empty()) sums_.push_back(sum(shape.main_sum, true, kinds));
  sums_.push_back(sum("total", false, kinds));
  checks_.push_back({issue_slots_check, slots_add_up});
  warnings_ = sources.warnings();
}

Section RunReport::sum(std::string_view name, bool only_main, Kinds kinds) const {
  Section all{std::string(name), 0, {}, std::nullopt, true};
  all.confidence = parameters().sample.confidence;
  Statistics counters = machine_->traits.timed ? machine_->zeros(kinds.schemes) : Statistics();
  Statistics without_estimates = counters;
  std::uint64_t rays = 0;
  for (const Part& part : parts_) {
    if (only_main && !part.is_main) continue;
    all.threads += part.threads;
    all.instructions += part.cost->instructions;
    if (part.cost->counters) {
      counters += *part.cost->counters;
      without_estimates += counted(*part.cost);
    }
    add_estimates(all, *part.cost);
    rays += part.rays;
  }
  if (!machine_->traits.timed) return all;
  all.measurement =
      measure(parameters(), std::move(counters), outcome_->shape().traces ? std::optional(rays) : std::nullopt, kinds);
  if (!all.estimates.empty()) all.measurement->counted = std::move(without_estimates);
  return all;
}

bool RunReport::passed(std::string_view check) const {
  const auto found = std::ranges::find(checks_, check, &Check::name);
  return found != checks_.end() && found->passed;
}

bool RunReport::ok() const { return std::ranges::all_of(checks_, &Check::passed); }

}  // namespace reconverge::report
