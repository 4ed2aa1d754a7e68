// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/multi_pass/multi_pass_kind.hpp"

#include <fmt/format.h>

#include "models/core/quantity.hpp"
#include "platforms/figures/cycle_figures.hpp"
#include "platforms/figures/text.hpp"
#include "platforms/machines/multi_pass/multi_pass_machine.hpp"

namespace reconverge {

namespace {

const MultiPassParameters& own(const Platform& platform) { return platform.machines.of<MultiPassParameters>(); }

std::unique_ptr<Machine> make(const Platform& platform, SchemeList /*schemes*/) {
  return std::make_unique<MultiPassMachine>(own(platform));
}

std::string describe(const Platform& platform) {
  return fmt::format("{} processors of {} lanes with guards at {}", own(platform).processors, own(platform).lanes,
                     format_frequency(own(platform).clock));
}

std::vector<MachineFact> facts(const Platform& platform) {
  return {{"processors", own(platform).processors}, {"lanes", own(platform).lanes}, {"clock_hz", own(platform).clock}};
}

Statistics zeros(SchemeList /*schemes*/) { return Statistics(multi_pass_block); }

MachineRate rate(const Platform& platform) { return {own(platform).clock, own(platform).lanes}; }

std::uint64_t cycles_of(const Statistics& totals) { return sum(totals.of<MultiPassStatistics>().cycles.values); }

Executed executed_by_lanes(const Measurement& m) {
  const auto& counts = m.totals.of<MultiPassStatistics>();
  return {counts.instructions, counts.lane_instructions, m.slots_per_cycle};
}

CycleCauses causes_of(const Measurement& m) { return {m.totals.view<MultiPassStatistics>(), "cycles", "multi_pass"}; }

double all_tiles(const MultiPassStatistics& counts) {
  return real(counts.tiles) + real(counts.aborted_tiles) + real(counts.skipped_tiles);
}

void add_figures(const Measurement& m, std::vector<Figure>& list) {
  add_cycle_figures(m, causes_of(m), list);
  const auto& counts = m.totals.of<MultiPassStatistics>();
  list.push_back({"passes", "passes", "Passes over all threads.", "multi_pass.passes", real(counts.passes)});
  list.push_back({"empty_passes", "share", "Passes in which no guard passed.",
                  "multi_pass.empty_passes / multi_pass.passes",
                  ratio(real(counts.empty_passes), real(counts.passes))});
  list.push_back({"threads_a_pass", "threads", "Threads whose guard passes in a pass, on average.",
                  "multi_pass.completed / multi_pass.passes", ratio(real(counts.completed), real(counts.passes))});
  list.push_back({"aborted_tiles", "share", "Tiles in which no guard passed, of all.",
                  "aborted_tiles / (tiles + aborted_tiles + skipped_tiles) of multi_pass",
                  ratio(real(counts.aborted_tiles), all_tiles(counts))});
  list.push_back({"skipped_tiles", "share", "Tiles that were skipped, of all.",
                  "skipped_tiles / (tiles + aborted_tiles + skipped_tiles) of multi_pass",
                  ratio(real(counts.skipped_tiles), all_tiles(counts))});
}

std::string details(std::string_view subject, const Measurement& m) {
  const auto& counts = m.totals.of<MultiPassStatistics>();
  return fmt::format("\n{} passes, {} of them for no thread; {} tiles aborted, {} skipped ({}: {} guards passed)\n",
                     grouped(counts.passes), percent(ratio(real(counts.empty_passes), real(counts.passes))),
                     percent(ratio(real(counts.aborted_tiles), all_tiles(counts))),
                     percent(ratio(real(counts.skipped_tiles), all_tiles(counts))), subject,
                     grouped(counts.completed)) +
         cycle_bars(subject, m, causes_of(m));
}

}  // namespace

const MachineKind& multi_pass_machine() {
  static const MachineKind kind{.name = "multi_pass",
                                .traits = {.keeps_threads = true},
                                .part = machine_part<MultiPassParameters>(),
                                .make = make,
                                .describe = describe,
                                .facts = facts,
                                .zeros = zeros,
                                .rate = rate,
                                .cycles = cycles_of,
                                .executed = executed_by_lanes,
                                .add_figures = add_figures,
                                .details = details};
  return kind;
}

}  // namespace reconverge
