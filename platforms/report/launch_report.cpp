// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/launch_report.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "platforms/figures/warp_figures.hpp"
#include "platforms/machines/machines.hpp"
#include "platforms/report/csv_section.hpp"
#include "platforms/report/divergence_plot.hpp"
#include "platforms/report/figures.hpp"
#include "platforms/report/traffic.hpp"

namespace reconverge::report {

namespace {

/// A transformed kernel is a file of the report; its sources are those of the original kernel.
ReportedProgram program_of(const launch::LaunchPlan& plan, const kernel::Program& program, const ReportPlace& place) {
  const auto made =
      std::ranges::find_if(plan.transformed, [&](const auto& each) { return &each->program == &program; });
  if (made == plan.transformed.end()) {
    return {place.shown(program.file), std::filesystem::path(program.file).parent_path()};
  }
  return {(*made)->file, std::filesystem::path((*made)->original).parent_path()};
}

}  // namespace

std::vector<Figure> LaunchSection::figures() const {
  if (measurement) return launch_figures(*measurement);
  return instruction_figures(instructions.warp_instructions, instructions.thread_instructions);
}

LaunchReport::LaunchReport(const ExperimentParameters& parameters, const launch::LaunchPlan& plan,
                           const launch::PlanResult& result, SchemeList schemes, ReportPlace place)
    : parameters_(&parameters), plan_(&plan), result_(&result), place_(std::move(place)) {
  SourceLines sources(place_.source_roots);
  const MachineKind& machine = machine_of(parameters);
  Statistics sum = machine.traits.timed ? machine.zeros(schemes) : Statistics();
  total_.name = "total";
  for (std::size_t i = 0; i < result.launches.size(); ++i) {
    const launch::LaunchResult& launch = result.launches[i];
    LaunchSection& section = launches_.emplace_back();
    section.name = plan.launches[i].name;
    section.instructions = launch.instructions;
    total_.instructions += launch.instructions;
    auto& profile = profiles_.emplace_back();
    if (launch.profile) {
      profile = profile_of(*launch.profile, launch.counters ? &*launch.counters : nullptr,
                           program_of(plan, *plan.launches[i].program, place_), sources);
    }
    if (!launch.counters) continue;
    section.measurement = measure(parameters, *launch.counters, 0, schemes);
    checks_.slots = checks_.slots && unaccounted_slots(*section.measurement) == 0;
    sum += *launch.counters;
  }
  warnings_ = sources.warnings();
  if (machine.traits.timed) total_.measurement = measure(parameters, sum, 0, schemes);
  checks_.expected = std::all_of(result.checks.begin(), result.checks.end(),
                                 [](const launch::Comparison& check) { return check.agrees(); });
}

std::string csv_report(const LaunchReport& report) {
  std::string out(csv_heading);
  const auto add = [&](const LaunchSection& section) {
    add_csv_figures(out, section.name, section.figures());
    if (section.measurement) add_csv_counters(out, section.name, section.measurement->totals);
  };
  for (const LaunchSection& launch : report.launches()) add(launch);
  add(report.total());
  return out;
}

std::vector<std::string> file_names(const launch::LaunchPlan& plan) {
  std::vector<std::string> names = file_names();
  for (const auto& kernel : plan.transformed) names.insert(names.end() - 1, kernel->file);
  for (const launch::PlannedOutput& output : plan.outputs) names.insert(names.end() - 1, output.file);
  return names;
}

std::vector<OutputFile> documents(const LaunchReport& report, const configuration::Configuration& configuration,
                                  const Provenance& provenance, const std::filesystem::path& folder) {
  std::vector<OutputFile> files{{"report.json", json_report(report)},
                                {"report.csv", csv_report(report)},
                                {"effective.yaml", configuration::dump(configuration, folder, report.place().folder)}};
  std::vector<PartedRun> parted;
  for (std::size_t i = 0; i < report.launches().size(); ++i) {
    parted.push_back({report.launches()[i].name, report.result().launches[i].traffic});
  }
  if (report.parameters().timeline != 0) {
    std::vector<PlottedRun> runs;
    for (std::size_t i = 0; i < report.launches().size(); ++i) {
      runs.push_back({report.launches()[i].name, &report.result().launches[i].history});
    }
    const DivergencePlot plot = divergence_plot(runs);
    files.push_back({"divergence.svg", svg_of(plot, report.parameters().name)});
    files.push_back({"divergence.csv", csv_of(plot)});
  }
  if (std::string dot = traffic_dot(parted); !dot.empty()) files.push_back({traffic_file, std::move(dot)});
  for (const auto& kernel : report.plan().transformed) files.push_back({kernel->file, kernel->text});
  for (std::size_t i = 0; i < report.result().outputs.size(); ++i) {
    const auto& [head, data] = report.result().outputs[i];
    files.push_back({report.plan().outputs[i].file, head, {reinterpret_cast<const char*>(data.data()), data.size()}});
  }
  files.push_back({"manifest.json", manifest({report.parameters().name, report.partial(), {}}, provenance, files)});
  return files;
}

}  // namespace reconverge::report
