// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "platforms/report/documents.hpp"
#include "platforms/report/table_parts.hpp"

namespace reconverge::report {

std::string table(const RunReport& report) {
  const Outcome& outcome = report.outcome();
  const TableTexts texts = outcome.texts();
  std::string out = fmt::format("{}: {}; {}\n", report.parameters().name, texts.heading,
                                machine_text(report.machine(), report.parameters()));
  out += texts.remarks;
  out += sample_remarks(report.parameters().sample, report.parts());
  out += '\n' + texts.columns;
  for (const Section& section : report.sections()) out += outcome.row(section);
  for (const Section& sum : report.sums()) out += outcome.row(sum);
  out += texts.legend;
  add_intervals(out, report.main_sum());
  if (const Section& sum = report.main_sum(); sum.measurement) {
    add_notes(out, report.parameters(), *sum.measurement);
    add_details(out, sum.name, *sum.measurement);
  }
  out += texts.results;
  if (!report.passed(issue_slots_check)) out += "Issue slots do not add up: see unaccounted_slots in the report\n";
  return out;
}

}  // namespace reconverge::report
