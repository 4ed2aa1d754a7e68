// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "platforms/report/launch_report.hpp"
#include "platforms/report/table_parts.hpp"

namespace reconverge::report {

namespace {

constexpr std::string_view row_format = "{:<18}{:>12}{:>15}{:>16}{:>7}{:>8}{:>8}{:>8}{:>8}\n";
constexpr std::string_view timed_format = "{:<18}{:>12}{:>15}{:>16}{:>7}{}\n";

std::string row_of(const LaunchSection& section, std::uint64_t threads) {
  const InstructionCounts& counts = section.instructions;
  const double simd =
      ratio(static_cast<double>(counts.thread_instructions), warp_size * static_cast<double>(counts.warp_instructions));
  const std::string instructions = grouped(counts.thread_instructions);
  if (!section.measurement) {
    return fmt::format(row_format, section.name, grouped(threads), "-", instructions, "-", percent(simd), "-", "-",
                       "-");
  }
  const Measurement& m = *section.measurement;
  return fmt::format(timed_format, section.name, grouped(threads), grouped(cycles(m)), instructions,
                     fmt::format("{:.1f}", thread_ipc(m)), lanes_and_caches(m));
}

std::string within(const launch::Tolerance& tolerance) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? " within " : " or ") + part; };
  if (tolerance.absolute != 0) add(fmt::format("{}", tolerance.absolute));
  if (tolerance.relative != 0) add(fmt::format("{} of the value", tolerance.relative));
  if (tolerance.ulps != 0) add(fmt::format("{} ulps", tolerance.ulps));
  return text;
}

void add_checks(std::string& out, const LaunchReport& report) {
  const auto& checks = report.result().checks;
  if (!checks.empty()) out += "\nExpected\n";
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const launch::Comparison& comparison = checks[i];
    const launch::PlannedCheck& planned = report.plan().checks[i];
    const std::string& buffer = report.plan().buffers[planned.buffer].name;
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
  if (!report.checks().slots) out += "Issue slots do not add up: see unaccounted_slots in the report\n";
}

}  // namespace

std::string table(const LaunchReport& report) {
  const std::size_t launches = report.plan().order.size();
  std::string out =
      fmt::format("{}: {} {}; ", report.parameters().name, grouped(launches), launches == 1 ? "launch" : "launches");
  out += machine_text(report.parameters()) + '\n';
  if (report.partial())
    out += "PARTIAL: the run was stopped; the last launch is incomplete, and nothing was compared\n";
  out += '\n';
  out += fmt::format(row_format, "launch", "threads", "cycles", "instructions", "IPC", "SIMD", "L1 hit", "Tex hit",
                     "L2 hit");
  std::uint64_t threads = 0;
  for (std::size_t i = 0; i < report.launches().size(); ++i) {
    const launch::PlannedLaunch& planned = report.plan().launches[i];
    const std::uint64_t of_launch = planned.grid.count() * planned.block.count() * report.result().launches[i].runs;
    out += row_of(report.launches()[i], of_launch);
    threads += of_launch;
  }
  out += row_of(report.total(), threads);
  out += "Instructions of threads; IPC: a cycle. SIMD: active lanes of the lanes of issued instructions.\n";
  if (report.total().measurement) {
    add_notes(out, report.parameters(), *report.total().measurement);
    add_details(out, report.total().name, *report.total().measurement);
  }
  add_checks(out, report);
  return out;
}

}  // namespace reconverge::report
