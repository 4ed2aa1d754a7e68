// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/launch_outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/value.hpp>
#include <filesystem>

#include "platforms/report/documents.hpp"
#include "platforms/report/json_section.hpp"
#include "platforms/report/table_parts.hpp"
#include "platforms/report/traffic.hpp"

namespace reconverge::report {

namespace {

namespace json = boost::json;

constexpr std::string_view launch_row = "{:<18}{:>12}{:>15}{:>16}{:>7}{:>8}{:>8}{:>8}{:>8}\n";
constexpr std::string_view timed_launch_row = "{:<18}{:>12}{:>15}{:>16}{:>7}{}\n";

json::array extents(const Dim3& extent) { return {extent.x, extent.y, extent.z}; }

/// A file relative to the experiment's, or how else the values were given.
std::string against(const launch::LaunchPlan& plan, const launch::PlannedCheck& check, const ReportPlace& place) {
  const std::vector<std::string>& files = plan.files;
  return std::ranges::find(files, check.against) == files.end() ? check.against : place.shown(check.against);
}

json::array buffers_of(const launch::LaunchPlan& plan) {
  json::array buffers;
  for (const launch::PlannedBuffer& buffer : plan.buffers) {
    buffers.push_back({{"name", buffer.name},
                       {"type", to_string(buffer.type)},
                       {"shape", json::array(buffer.shape.begin(), buffer.shape.end())}});
  }
  return buffers;
}

json::array expected_of(const launch::LaunchPlan& plan, const launch::PlanResult& result, const ReportPlace& place) {
  json::array checks;
  for (std::size_t i = 0; i < result.checks.size(); ++i) {
    const launch::Comparison& comparison = result.checks[i];
    const launch::PlannedCheck& planned = plan.checks[i];
    json::array first;
    for (const launch::Difference& difference : comparison.first) {
      first.push_back(
          {{"index", planned.first + difference.index}, {"got", difference.got}, {"expected", difference.expected}});
    }
    checks.push_back({{"buffer", plan.buffers[planned.buffer].name},
                      {"against", against(plan, planned, place)},
                      {"absolute", number(planned.tolerance.absolute)},
                      {"relative", number(planned.tolerance.relative)},
                      {"ulps", planned.tolerance.ulps},
                      {"values", comparison.values},
                      {"differing", comparison.differing},
                      {"largest_absolute", number(comparison.largest_absolute)},
                      {"largest_relative", number(comparison.largest_relative)},
                      {"first", std::move(first)}});
  }
  return checks;
}

json::array outputs_of(const launch::LaunchPlan& plan, const launch::PlanResult& result) {
  json::array outputs;
  for (std::size_t i = 0; i < result.outputs.size(); ++i) {
    const launch::PlannedOutput& output = plan.outputs[i];
    outputs.push_back({{"file", output.file}, {"buffer", plan.buffers[output.buffer].name}});
  }
  return outputs;
}

std::string within(const launch::Tolerance& tolerance) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? " within " : " or ") + part; };
  if (tolerance.absolute != 0) add(fmt::format("{}", tolerance.absolute));
  if (tolerance.relative != 0) add(fmt::format("{} of the value", tolerance.relative));
  if (tolerance.ulps != 0) add(fmt::format("{} ulps", tolerance.ulps));
  return text;
}

}  // namespace

std::vector<Part> LaunchOutcome::parts() const {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < result_.launches.size(); ++i) {
    const launch::PlannedLaunch& planned = plan_.launches[i];
    const launch::LaunchResult& cost = result_.launches[i];
    parts.push_back({planned.name, &cost, 0, planned.grid.count() * planned.block.count() * cost.runs, true});
  }
  return parts;
}

std::vector<Check> LaunchOutcome::checks() const {
  return {{"expected_agree", std::ranges::all_of(result_.checks, &launch::Comparison::agrees)}};
}

/// A transformed kernel is a file of the report; its sources are those of the original kernel.
ReportedProgram LaunchOutcome::program_of(std::size_t part, const ReportPlace& place) const {
  const kernel::Program& program = *plan_.launches[part].program;
  const auto made =
      std::ranges::find_if(plan_.transformed, [&](const auto& each) { return &each->program == &program; });
  if (made == plan_.transformed.end()) {
    return {place.shown(program.file), std::filesystem::path(program.file).parent_path()};
  }
  return {(*made)->file, std::filesystem::path((*made)->original).parent_path()};
}

void LaunchOutcome::add_subject(json::object& document, const MachineKind& machine) const {
  document["platform"] = platform_json(machine, parameters_, true);
}

void LaunchOutcome::add_results(json::object& document, const ReportPlace& place) const {
  document["buffers"] = buffers_of(plan_);
  document["expected"] = expected_of(plan_, result_, place);
  document["outputs"] = outputs_of(plan_, result_);
}

json::object LaunchOutcome::part_json(std::size_t part) const {
  const launch::PlannedLaunch& planned = plan_.launches[part];
  const launch::LaunchResult& cost = result_.launches[part];
  const kernel::Program& program = *planned.program;
  json::object launch{{"name", planned.name},
                      {"kernel", program.name},
                      {"grid", extents(planned.grid)},
                      {"block", extents(planned.block)},
                      {"registers", program.registers},
                      {"shared_bytes", program.shared_bytes + planned.dynamic_shared_bytes},
                      {"runs", cost.runs},
                      {"completed", cost.completed}};
  if (!cost.traffic.empty()) {
    launch["parts"] = parts_json(cost.parts);
    launch["traffic"] = traffic_json(cost.traffic);
  }
  return launch;
}

TableTexts LaunchOutcome::texts() const {
  const std::size_t launches = plan_.order.size();
  TableTexts texts;
  texts.heading = fmt::format("{} {}", grouped(launches), launches == 1 ? "launch" : "launches");
  if (partial())
    texts.remarks = "PARTIAL: the run was stopped; the last launch is incomplete, and nothing was compared\n";
  texts.columns = fmt::format(launch_row, "launch", "threads", "cycles", "instructions", "IPC", "SIMD", "L1 hit",
                              "Tex hit", "L2 hit");
  texts.legend = "Instructions of threads; IPC: a cycle. SIMD: active lanes of the lanes of issued instructions.\n";
  texts.results = result_texts();
  return texts;
}

std::string LaunchOutcome::row(const Section& section) const {
  const InstructionCounts& counts = section.instructions;
  const double simd =
      ratio(static_cast<double>(counts.thread_instructions), warp_size * static_cast<double>(counts.warp_instructions));
  const std::string instructions = grouped(counts.thread_instructions);
  if (!section.measurement) {
    return fmt::format(launch_row, section.name, grouped(section.threads), "-", instructions, "-", percent(simd), "-",
                       "-", "-");
  }
  const Measurement& m = *section.measurement;
  return fmt::format(timed_launch_row, section.name, grouped(section.threads), grouped(cycles(m)), instructions,
                     fmt::format("{:.1f}", thread_ipc(m)), lanes_and_caches(m));
}

std::string LaunchOutcome::result_texts() const {
  std::string out = result_.checks.empty() ? "" : "\nExpected\n";
  for (std::size_t i = 0; i < result_.checks.size(); ++i) {
    const launch::Comparison& comparison = result_.checks[i];
    const launch::PlannedCheck& planned = plan_.checks[i];
    const std::string& buffer = plan_.buffers[planned.buffer].name;
    out += fmt::format("  {} against {}: ", buffer, shown_path(planned.against));
    if (comparison.agrees()) {
      out += fmt::format("{} {}{}\n", grouped(comparison.values),
                         comparison.values == 1 ? "value agrees" : "values agree", within(planned.tolerance));
      continue;
    }
    out += fmt::format("{} of {} values DIFFER, largest difference {:.6g}\n", grouped(comparison.differing),
                       grouped(comparison.values), comparison.largest_absolute);
    for (const launch::Difference& difference : comparison.first) {
      out += fmt::format("    {}[{}] is {}, expected {}\n", buffer, planned.first + difference.index, difference.got,
                         difference.expected);
    }
  }
  return out;
}

std::vector<OutputFile> LaunchOutcome::files() const {
  std::vector<OutputFile> files;
  for (const auto& kernel : plan_.transformed) files.push_back({kernel->file, kernel->text});
  for (std::size_t i = 0; i < result_.outputs.size(); ++i) {
    const auto& [head, data] = result_.outputs[i];
    files.push_back({plan_.outputs[i].file, head, {reinterpret_cast<const char*>(data.data()), data.size()}});
  }
  return files;
}

std::vector<std::string> file_names(const launch::LaunchPlan& plan) {
  std::vector<std::string> names = file_names();
  for (const auto& kernel : plan.transformed) names.insert(names.end() - 1, kernel->file);
  for (const launch::PlannedOutput& output : plan.outputs) names.insert(names.end() - 1, output.file);
  return names;
}

}  // namespace reconverge::report
