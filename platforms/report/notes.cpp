// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/notes.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "blocks/load_store.hpp"
#include "blocks/sm.hpp"
#include "blocks/warp_scheduler.hpp"
#include "models/core/lane_mask.hpp"
#include "platforms/figures/text.hpp"
#include "platforms/machine_kind.hpp"
#include "platforms/machines/gpu/schemes.hpp"

namespace reconverge::report {

namespace {

double share_of(std::uint64_t part, std::uint64_t whole) { return ratio(real(part), real(whole)); }

/// How to read the SIMD efficiency if threads of a warp are not held together.
std::string note_of_lanes(const ExperimentParameters& parameters, const Measurement& measurement) {
  const SchemeKind& paths = *schemes_of(parameters.gpu.sm, measurement.schemes).front();
  const Executed all = executed(measurement);
  if (!paths.traits.lanes_alone || all.issued == 0) return {};
  return fmt::format(
      "Under {} each lane issues by itself and waits for no other lane's path. SIMD does not measure divergence then: "
      "on average, {:.1f} of {} lanes had a ready instruction in an issue slot, not necessarily the same one.",
      paths.part.name, share_of(all.threads, all.issued), warp_size);
}

/// The sum of the counters of that name over all blocks; 0 if no block has it.
std::uint64_t counter_of(const Statistics& totals, std::string_view name) {
  std::uint64_t count = 0;
  totals.visit([&](std::string_view /*block*/, const StatisticsView& view) {
    view.visit([&](const StatisticDescription& statistic, std::span<const std::uint64_t> values) {
      if (statistic.name == name) count += sum(values);
    });
  });
  return count;
}

/// The cost of created threads, if most memory instructions access their states and slots are lost to that.
std::string note_of_created_threads(const ExperimentParameters& parameters, const Measurement& measurement) {
  constexpr double most = 1.0 / 2, much = 1.0 / 3;
  const std::uint64_t created = counter_of(measurement.totals, "threads_spawned");
  const auto& memory = measurement.totals.of<LoadStoreStatistics>().instructions;
  const auto& slots = measurement.totals.of<WarpSchedulerStatistics>().slots;
  const std::uint64_t states = memory[LoadStoreInstructions::spawn];
  const double lost = share_of(slots[WarpSchedulerSlots::pipe] + slots[WarpSchedulerSlots::memory], sum(slots.values));
  if (created == 0 || share_of(states, sum(memory.values)) < most || lost < much) return {};
  // In a stopped run, some threads have been created but have not begun.
  const std::uint64_t begun =
      counter_of(measurement.totals, "full_warps") * warp_size + counter_of(measurement.totals, "partial_threads");
  const std::uint64_t of_launches = measurement.totals.of<SmStatistics>().threads_launched - begun;
  const bool spawns_always = parameters.transform.kind == KernelTransformKind::microkernels &&
                             parameters.transform.adaptive == KernelTransformAdaptive::nowhere;
  return fmt::format(
      "Creating threads costs much here: {:.1f} for each thread of the launches. {} of the memory instructions ({} of "
      "all) store and load their states, and {} of the issue slots are lost to pipes and memory. Create fewer{}, or "
      "keep "
      "more of their states on chip.",
      share_of(created, of_launches), percent(share_of(states, sum(memory.values))),
      percent(share_of(states, executed(measurement).issued)), percent(lost),
      spawns_always ? " (transform.adaptive: rounds)" : "");
}

std::string note_of_sampling(const ExperimentParameters& parameters, const Measurement& measurement) {
  if (!measurement.counted) return {};
  return fmt::format(
      "Figures are estimates from one part in {} of the large launches; the report has their confidence "
      "intervals.",
      parameters.sample.every);
}

}  // namespace

std::vector<Note> notes(const ExperimentParameters& parameters, const Measurement& measurement) {
  if (!measurement.machine->traits.sms) return {};
  std::vector<Note> all{{"simd", note_of_lanes(parameters, measurement)},
                        {"created_threads", note_of_created_threads(parameters, measurement)},
                        {"sampling", note_of_sampling(parameters, measurement)}};
  std::erase_if(all, [](const Note& note) { return note.text.empty(); });
  return all;
}

}  // namespace reconverge::report
