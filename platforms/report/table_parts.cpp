// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/table_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

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

std::string sample_remarks(const SamplingParameters& sampling, std::span<const Part> parts) {
  if (sampling.every <= 1) return {};
  std::string out;
  std::size_t estimated = 0;
  for (const Part& part : parts) {
    if (part.cost->sample) ++estimated;
    if (!part.cost->in_full.empty()) out += fmt::format("  {} in full: {}\n", part.name, part.cost->in_full);
  }
  return fmt::format("SAMPLED: {} of {} launches are estimated from one part in {}\n", estimated, parts.size(),
                     sampling.every) +
         out;
}

void add_intervals(std::string& out, const Section& section) {
  const std::vector<double> half_widths = section.half_widths();
  if (half_widths.empty()) return;
  constexpr std::array<std::string_view, 8> shown{"cycles",          "ray_rate",    "thread_ipc",       "warp_ipc",
                                                  "simd_efficiency", "l1_hit_rate", "texture_hit_rate", "l2_hit_rate"};
  out += fmt::format("\nEstimates of {}, with {:.3g} % confidence\n", section.name, 100 * section.confidence);
  const std::vector<Figure> figures = section.figures();
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (std::ranges::find(shown, figures[i].name) == shown.end()) continue;
    const double value = figures[i].value;
    out += fmt::format("  {:<18}{:>16.6g} +- {:<10.3g}{:>7}  {}\n", figures[i].name, value, half_widths[i],
                       percent(ratio(half_widths[i], value)), figures[i].unit);
  }
}

void add_details(std::string& out, std::string_view name, const Measurement& measurement) {
  out += measurement.machine->details(name, measurement);
}

}  // namespace reconverge::report
