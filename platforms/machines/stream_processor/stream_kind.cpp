// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/stream_processor/stream_kind.hpp"

#include <fmt/format.h>

#include "models/core/quantity.hpp"
#include "platforms/figures/cycle_figures.hpp"
#include "platforms/figures/text.hpp"
#include "platforms/machines/stream_processor/stream_machine.hpp"

namespace reconverge {

namespace {

const StreamProcessorParameters& own(const Platform& platform) {
  return platform.machines.of<StreamProcessorParameters>();
}

std::unique_ptr<Machine> make(const Platform& platform, SchemeList /*schemes*/) {
  return std::make_unique<StreamMachine>(own(platform));
}

std::string describe(const Platform& platform) {
  return fmt::format("stream processor of {} lanes at {}", own(platform).lanes, format_frequency(own(platform).clock));
}

std::vector<MachineFact> facts(const Platform& platform) {
  return {{"lanes", own(platform).lanes}, {"clock_hz", own(platform).clock}};
}

Statistics zeros(SchemeList /*schemes*/) { return Statistics(stream_processor_block); }

MachineRate rate(const Platform& platform) { return {own(platform).clock, own(platform).lanes}; }

std::uint64_t cycles_of(const Statistics& totals) { return sum(totals.of<StreamProcessorStatistics>().cycles.values); }

Executed executed_by_lanes(const Measurement& m) {
  const auto& counts = m.totals.of<StreamProcessorStatistics>();
  return {counts.instructions, counts.lane_instructions, m.slots_per_cycle};
}

CycleCauses causes_of(const Measurement& m) {
  return {m.totals.view<StreamProcessorStatistics>(), "cycles", "stream_processor"};
}

void add_figures(const Measurement& m, std::vector<Figure>& list) {
  add_cycle_figures(m, causes_of(m), list);
  const auto& counts = m.totals.of<StreamProcessorStatistics>();
  const auto& registers = m.totals.of<StreamRegistersStatistics>();
  list.push_back({"records_a_pass", "records", "Records that a pass takes.", "records / passes of stream_processor",
                  ratio(real(counts.records), real(counts.passes))});
  list.push_back({"register_use", "words", "Words with records in stream registers, on average over passes.",
                  "stream_processor.registers.used / stream_processor.passes",
                  ratio(real(registers.used), real(counts.passes))});
  list.push_back({"spill_bandwidth", "bytes/s", "Between stream registers and stream buffers in memory.",
                  "stream_processor.registers.spill_bytes / time", ratio(real(registers.spill_bytes), seconds(m))});
}

std::string details(std::string_view subject, const Measurement& m) {
  const auto& counts = m.totals.of<StreamProcessorStatistics>();
  const auto& registers = m.totals.of<StreamRegistersStatistics>();
  return fmt::format("\n{} passes of {:.1f} records, {} kernel switches, {} registers spilled ({}: {} records)\n",
                     grouped(counts.passes), ratio(real(counts.records), real(counts.passes)), grouped(counts.switches),
                     grouped(registers.spills), subject, grouped(counts.records)) +
         cycle_bars(subject, m, causes_of(m));
}

}  // namespace

const MachineKind& stream_machine() {
  static const MachineKind kind{.name = "streams",
                                .traits = {.keeps_threads = true},
                                .part = machine_part<StreamProcessorParameters>(),
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
