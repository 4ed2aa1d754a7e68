// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/gpu/gpu_figures.hpp"

#include <fmt/format.h>

#include "blocks/gpu.hpp"
#include "models/protocols/scheme_kind.hpp"
#include "platforms/figures/text.hpp"
#include "platforms/figures/warp_figures.hpp"

namespace reconverge {

namespace {

const ActiveLanes& active_lanes(const Measurement& m) { return m.totals.of<WarpSchedulerStatistics>().active_lanes; }

std::uint64_t dram_bytes(const Measurement& m) {
  const auto& l2 = m.totals.of<L2CacheStatistics>();
  return l2.bytes_from_memory + l2.bytes_to_memory;
}

/// The share of reads that hit. A read that waits for a line already being fetched is a miss.
template <typename CacheStatistics>
double hit_rate(const CacheStatistics& cache) {
  return ratio(real(cache.hits), real(cache.hits + cache.misses + cache.merges));
}

void add_rates(const Measurement& m, std::vector<Figure>& list) {
  list.push_back({"thread_ipc", "thread instructions/cycle", "Instructions of single threads in a cycle, all SMs.",
                  "sum over n of n * gpu.sm.scheduler.active_lanes[n] / cycles", thread_ipc(m)});
  list.push_back({"warp_ipc", "warp instructions/cycle", "Warp instructions issued in a cycle, all SMs.",
                  "sum of gpu.sm.scheduler.active_lanes / cycles",
                  ratio(real(warp_instructions(active_lanes(m))), real(cycles(m)))});
}

void add_lane_figures(const Measurement& m, std::vector<Figure>& list) {
  const ActiveLanes& active = active_lanes(m);
  for (Figure& figure : instruction_figures(warp_instructions(active), thread_instructions(active))) {
    list.push_back(std::move(figure));
  }
  for (const LaneGroup& group : lane_groups()) {
    const std::string lanes =
        group.first == group.last ? fmt::format("{}", group.first) : fmt::format("{} to {}", group.first, group.last);
    list.push_back({std::string(group.key), "share",
                    fmt::format("Issued warp instructions with {} active lanes ({}).", lanes, group.name),
                    "active_lanes of the group / sum of active_lanes; categories of Lü et al., MICRO 2017",
                    ratio(real(instructions_in(group, active)), real(warp_instructions(active)))});
  }
}

void add_slot_figures(const Measurement& m, std::vector<Figure>& list) {
  const StatisticsView view = m.totals.view<WarpSchedulerStatistics>();
  view.visit([&](const StatisticDescription& statistic, std::span<const std::uint64_t> values) {
    if (statistic.name != "slots") return;
    for (std::size_t bin = 0; bin < values.size(); ++bin) {
      const std::string name = bin_name(statistic, bin);
      list.push_back({"slots_" + name, "share", fmt::format("Issue slots with outcome '{}', of all issue slots.", name),
                      fmt::format("gpu.sm.scheduler.slots[{}] / sum of slots", name),
                      ratio(real(values[bin]), real(sum(values)))});
    }
  });
  list.push_back({"unaccounted_slots", "issue slots", "Issue slots without outcome; 0 unless the model is wrong.",
                  "cycles * gpu.sms * scheduler.count * scheduler.dispatch - sum of slots",
                  static_cast<double>(unaccounted_gpu_slots(m))});
}

void add_memory_figures(const Measurement& m, std::vector<Figure>& list) {
  list.push_back({"l1_hit_rate", "share", "Loads that found their line in a first-level data cache.",
                  "hits / (hits + misses + merges) of gpu.sm.l1", hit_rate(m.totals.of<L1CacheStatistics>())});
  list.push_back({"texture_hit_rate", "share", "Texture fetches and read-only loads that hit the texture cache.",
                  "hits / (hits + misses + merges) of gpu.sm.texture_cache",
                  hit_rate(m.totals.of<TextureCacheStatistics>())});
  list.push_back({"constant_hit_rate", "share", "Reads of constants and parameters that hit the constant cache.",
                  "hits / (hits + misses + merges) of gpu.sm.constant_cache",
                  hit_rate(m.totals.of<ConstantCacheStatistics>())});
  list.push_back({"l2_hit_rate", "share", "Reads that found their sectors in the second-level cache.",
                  "hits / (hits + misses + merges) of gpu.l2", hit_rate(m.totals.of<L2CacheStatistics>())});
  list.push_back({"dram_bytes", "bytes", "Bytes moved between the second-level cache and memory.",
                  "gpu.l2.bytes_from_memory + gpu.l2.bytes_to_memory", real(dram_bytes(m))});
  list.push_back({"dram_bandwidth", "bytes/s", "Memory traffic per second of simulated time.", "dram_bytes / time",
                  ratio(real(dram_bytes(m)), seconds(m))});
}

/// Figures of single schemes.
void add_scheme_figures(const Measurement& m, std::vector<Figure>& list) {
  for (const SchemeKind* kind : m.schemes) {
    if (kind->add_figures != nullptr) kind->add_figures(m.totals, list);
  }
}

void add_lane_bars(std::string& out, std::string_view subject, const Measurement& measurement) {
  const ActiveLanes& active = active_lanes(measurement);
  const auto all = static_cast<double>(warp_instructions(active));
  out += fmt::format("\nWarp instructions by active lanes ({}: {} instructions, SIMD efficiency {})\n", subject,
                     grouped(warp_instructions(active)), percent(simd_efficiency(active)));
  for (const LaneGroup& group : lane_groups()) {
    add_bar(out, group.name, ratio(static_cast<double>(instructions_in(group, active)), all));
  }
}

void add_slot_bars(std::string& out, std::string_view subject, const Measurement& measurement) {
  const auto& slots = measurement.totals.of<WarpSchedulerStatistics>().slots;
  const std::uint64_t all = sum(slots.values);
  out += fmt::format("\nIssue slots ({}: {} slots)\n", subject, grouped(all));
  add_bins(out, measurement.totals.view<WarpSchedulerStatistics>(), "slots");
}

}  // namespace

Executed executed_by_warps(const Measurement& m) {
  const ActiveLanes& active = active_lanes(m);
  return {warp_instructions(active), thread_instructions(active), warp_size};
}

void add_gpu_figures(const Measurement& m, std::vector<Figure>& list) {
  add_rates(m, list);
  add_lane_figures(m, list);
  add_slot_figures(m, list);
  add_memory_figures(m, list);
  add_scheme_figures(m, list);
}

std::string gpu_details(std::string_view subject, const Measurement& m) {
  std::string out;
  add_lane_bars(out, subject, m);
  add_slot_bars(out, subject, m);
  return out;
}

HitRates gpu_hit_rates(const Statistics& totals) {
  return {hit_rate(totals.of<L1CacheStatistics>()), hit_rate(totals.of<TextureCacheStatistics>()),
          hit_rate(totals.of<L2CacheStatistics>())};
}

std::int64_t unaccounted_gpu_slots(const Measurement& m) {
  // Estimates are rounded one by one.
  const Statistics& counted = m.counted ? *m.counted : m.totals;
  const std::uint64_t had = m.machine->cycles(counted) * m.slots_per_cycle;
  return static_cast<std::int64_t>(had - sum(counted.of<WarpSchedulerStatistics>().slots.values));
}

}  // namespace reconverge
