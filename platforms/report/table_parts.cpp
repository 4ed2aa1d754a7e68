// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/table_parts.hpp"

#include <fmt/format.h>

#include "platforms/report/notes.hpp"

namespace reconverge::report {

namespace {

constexpr std::size_t line_length = 100;

}  // namespace

void add_sentences(std::string& out, std::string_view text) {
  while (text.size() > line_length) {
    const std::size_t end = text.rfind(' ', line_length);
    if (end == std::string_view::npos) break;
    out += fmt::format("{}\n", text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  out += fmt::format("{}\n", text);
}

std::string machine_text(const MachineKind& machine, const ExperimentParameters& parameters) {
  return machine.describe(parameters);
}

std::string lanes_and_caches(const Measurement& m) {
  constexpr std::string_view columns = "{:>8}{:>8}{:>8}{:>8}";
  const std::string efficiency = percent(executed(m).simd_efficiency());
  if (m.machine->hit_rates == nullptr) return fmt::format(columns, efficiency, "-", "-", "-");
  const HitRates hits = m.machine->hit_rates(m.totals);
  return fmt::format(columns, efficiency, percent(hits.l1), percent(hits.texture), percent(hits.l2));
}

void add_notes(std::string& out, const ExperimentParameters& parameters, const Measurement& measurement) {
  for (const Note& note : notes(parameters, measurement)) add_sentences(out, note.text);
}

void add_details(std::string& out, std::string_view name, const Measurement& measurement) {
  out += measurement.machine->details(name, measurement);
}

}  // namespace reconverge::report
