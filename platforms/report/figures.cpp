#include "platforms/report/figures.hpp"

#include <fmt/format.h>

#include <numeric>

#include "platforms/launch/platform.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/report/pass_figures.hpp"
#include "platforms/report/stream_figures.hpp"

namespace reconverge::report {

namespace {

constexpr std::array<LaneGroup, 9> groups{{{"W0", "lanes_0", 0, 0},
                                           {"W1:4", "lanes_1_to_4", 1, 4},
                                           {"W5:8", "lanes_5_to_8", 5, 8},
                                           {"W9:12", "lanes_9_to_12", 9, 12},
                                           {"W13:16", "lanes_13_to_16", 13, 16},
                                           {"W17:20", "lanes_17_to_20", 17, 20},
                                           {"W21:24", "lanes_21_to_24", 21, 24},
                                           {"W25:28", "lanes_25_to_28", 25, 28},
                                           {"W29:32", "lanes_29_to_32", 29, 32}}};
static_assert(groups.back().last == warp_size);

std::uint64_t cycles(const Measurement& m) { return launch::cycles_of(m.totals); }

bool has_warps(const Measurement& m) { return m.machine == ExperimentMachine::timed; }

const ActiveLanes& active_lanes(const Measurement& m) { return m.totals.of<WarpSchedulerStatistics>().active_lanes; }

std::uint64_t dram_bytes(const Measurement& m) {
  const auto& l2 = m.totals.of<L2CacheStatistics>();
  return l2.bytes_from_memory + l2.bytes_to_memory;
}

enum class Subject : std::uint8_t { rays, launches };

void add_rates(const Measurement& m, Subject subject, std::vector<Figure>& list) {
  if (subject == Subject::rays) {
    list.push_back({"rays", "rays", "Rays traced to their end.", "counted by the workload", real(m.rays)});
  }
  list.push_back({"cycles", "cycles", "Clock cycles from the first launch to the end of the last.", "gpu.cycles",
                  real(cycles(m))});
  list.push_back({"time", "s", "The same at the platform's clock.", "cycles / gpu.clock", seconds(m)});
  if (subject == Subject::rays) {
    list.push_back({"ray_rate", "Mrays/s", "Million rays a second of simulated time.", "rays / time / 10^6",
                    rays_per_second(m) / 1e6});
  }
  if (!has_warps(m)) return;
  list.push_back({"thread_ipc", "thread instructions/cycle", "Instructions of single threads in a cycle, all SMs.",
                  "sum over n of n * gpu.sm.scheduler.active_lanes[n] / cycles", thread_ipc(m)});
  list.push_back({"warp_ipc", "warp instructions/cycle", "Warp instructions issued in a cycle, all SMs.",
                  "sum of gpu.sm.scheduler.active_lanes / cycles", warp_ipc(m)});
}

void add_lanes(const Measurement& m, std::vector<Figure>& list) {
  const ActiveLanes& active = active_lanes(m);
  for (Figure& figure : instruction_figures(warp_instructions(active), thread_instructions(active))) {
    list.push_back(std::move(figure));
  }
  for (const LaneGroup& group : groups) {
    const std::string lanes =
        group.first == group.last ? fmt::format("{}", group.first) : fmt::format("{} to {}", group.first, group.last);
    list.push_back({std::string(group.key), "share",
                    fmt::format("Issued warp instructions with {} active lanes ({}).", lanes, group.name),
                    "active_lanes of the group / sum of active_lanes; categories of Lü et al., MICRO 2017",
                    ratio(real(instructions_in(group, active)), real(warp_instructions(active)))});
  }
}

void add_slots(const Measurement& m, std::vector<Figure>& list) {
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
                  static_cast<double>(unaccounted_slots(m))});
}

void add_memory(const Measurement& m, std::vector<Figure>& list) {
  list.push_back({"l1_hit_rate", "share", "Loads that found their line in a first-level data cache.",
                  "hits / (hits + misses + merges) of gpu.sm.l1", hit_rate(m.totals.of<L1CacheStatistics>())});
  list.push_back({"texture_hit_rate", "share", "Texture fetches and read-only loads that found theirs.",
                  "hits / (hits + misses + merges) of gpu.sm.texture_cache",
                  hit_rate(m.totals.of<TextureCacheStatistics>())});
  list.push_back({"constant_hit_rate", "share", "Reads of constants and parameters that found theirs.",
                  "hits / (hits + misses + merges) of gpu.sm.constant_cache",
                  hit_rate(m.totals.of<ConstantCacheStatistics>())});
  list.push_back({"l2_hit_rate", "share", "Reads that found their sectors in the second-level cache.",
                  "hits / (hits + misses + merges) of gpu.l2", hit_rate(m.totals.of<L2CacheStatistics>())});
  list.push_back({"dram_bytes", "bytes", "Moved between the second-level cache and memory.",
                  "gpu.l2.bytes_from_memory + gpu.l2.bytes_to_memory", real(dram_bytes(m))});
  list.push_back({"dram_bandwidth", "bytes/s", "The same a second of simulated time.", "dram_bytes / time",
                  ratio(real(dram_bytes(m)), seconds(m))});
}

/// Figures of single schemes.
void add_schemes(const Measurement& m, std::vector<Figure>& list) {
  for (const SchemeKind* kind : m.schemes) {
    if (kind->add_figures != nullptr) kind->add_figures(m.totals, list);
  }
}

/// What machines without warps executed, and what their cycles were spent on.
void add_cycles(const Measurement& m, std::vector<Figure>& list) {
  const Executed all = executed(m);
  const CycleCauses causes = cycle_causes(m);
  list.push_back({"warp_instructions", "SIMD instructions", "Instructions that lanes issued together.",
                  fmt::format("{}.instructions", causes.block), real(all.issued)});
  list.push_back({"thread_instructions", "thread instructions", "Instructions of single threads.",
                  fmt::format("{}.lane_instructions", causes.block), real(all.threads)});
  list.push_back({"simd_efficiency", "share", "Lanes that worked, of all lanes of the issued instructions.",
                  fmt::format("lane_instructions / ({}.lanes * instructions)", causes.block), all.simd_efficiency()});
  list.push_back({"thread_ipc", "thread instructions/cycle", "Instructions of single threads in a cycle.",
                  "lane_instructions / cycles", thread_ipc(m)});
  causes.view.visit([&](const StatisticDescription& statistic, std::span<const std::uint64_t> values) {
    if (statistic.name != causes.statistic) return;
    for (std::size_t bin = 0; bin < values.size(); ++bin) {
      const std::string name = bin_name(statistic, bin);
      list.push_back({"cycles_" + name, "share", fmt::format("Cycles that went to '{}', of all.", name),
                      fmt::format("{}.cycles[{}] / sum of cycles", causes.block, name),
                      ratio(real(values[bin]), real(sum(values)))});
    }
  });
}

std::vector<Figure> figures_about(Subject subject, const Measurement& measurement) {
  std::vector<Figure> list;
  add_rates(measurement, subject, list);
  if (!has_warps(measurement)) {
    add_cycles(measurement, list);
    if (measurement.machine == ExperimentMachine::multi_pass) {
      add_pass_figures(measurement, list);
    } else {
      add_stream_figures(measurement, list);
    }
    return list;
  }
  add_lanes(measurement, list);
  add_slots(measurement, list);
  add_memory(measurement, list);
  add_schemes(measurement, list);
  return list;
}

}  // namespace

Measurement measure(const GpuParameters& gpu, const Statistics& totals, std::uint64_t rays, SchemeList schemes) {
  return {totals, rays, gpu.clock, gpu.sms * gpu.sm.scheduler.count * gpu.sm.scheduler.dispatch, schemes};
}

Measurement measure(const ExperimentParameters& parameters, const Statistics& totals, std::uint64_t rays,
                    SchemeList schemes) {
  const auto without_warps = [&](std::uint64_t clock, std::uint64_t lanes) {
    return Measurement{totals, rays, clock, lanes, schemes, parameters.machine};
  };
  switch (parameters.machine) {
    case ExperimentMachine::streams:
      return without_warps(parameters.stream_processor.clock, parameters.stream_processor.lanes);
    case ExperimentMachine::multi_pass:
      return without_warps(parameters.multi_pass.clock, parameters.multi_pass.lanes);
    case ExperimentMachine::functional:
    case ExperimentMachine::timed:
      break;
  }
  return measure(parameters.gpu, totals, rays, schemes);
}

Executed executed(const Measurement& m) {
  const auto of_lanes = [&](const auto& counts) {
    return Executed{counts.instructions, counts.lane_instructions, m.slots_per_cycle};
  };
  if (m.machine == ExperimentMachine::streams) return of_lanes(m.totals.of<StreamProcessorStatistics>());
  if (m.machine == ExperimentMachine::multi_pass) return of_lanes(m.totals.of<MultiPassStatistics>());
  const ActiveLanes& active = active_lanes(m);
  return {warp_instructions(active), thread_instructions(active), warp_size};
}

CycleCauses cycle_causes(const Measurement& m) {
  if (m.machine == ExperimentMachine::multi_pass) {
    return {m.totals.view<MultiPassStatistics>(), "cycles", "multi_pass"};
  }
  return {m.totals.view<StreamProcessorStatistics>(), "cycles", "stream_processor"};
}

double seconds(const Measurement& m) { return ratio(real(cycles(m)), real(m.clock_hz)); }

double rays_per_second(const Measurement& m) { return ratio(real(m.rays), seconds(m)); }

double thread_ipc(const Measurement& m) { return ratio(real(executed(m).threads), real(cycles(m))); }

double warp_ipc(const Measurement& m) { return ratio(real(warp_instructions(active_lanes(m))), real(cycles(m))); }

std::uint64_t warp_instructions(const ActiveLanes& active) { return sum(active); }

std::uint64_t thread_instructions(const ActiveLanes& active) {
  std::uint64_t threads = 0;
  for (std::size_t lanes = 0; lanes < active.size(); ++lanes) threads += lanes * active[lanes];
  return threads;
}

double simd_efficiency(const ActiveLanes& active) {
  return ratio(real(thread_instructions(active)), real(warp_size) * real(warp_instructions(active)));
}

std::span<const LaneGroup> lane_groups() { return groups; }

std::uint64_t instructions_in(const LaneGroup& group, const ActiveLanes& active) {
  return sum(std::span(active).subspan(group.first, group.last - group.first + 1));
}

std::int64_t unaccounted_slots(const Measurement& m) {
  if (!has_warps(m)) return 0;  // its cycles are the sum of what they were spent on
  const std::uint64_t had = cycles(m) * m.slots_per_cycle;
  return static_cast<std::int64_t>(had - sum(m.totals.of<WarpSchedulerStatistics>().slots.values));
}

std::vector<Figure> instruction_figures(std::uint64_t warp_instructions, std::uint64_t thread_instructions) {
  return {{"warp_instructions", "warp instructions", "Warp instructions issued.",
           "sum of gpu.sm.scheduler.active_lanes", real(warp_instructions)},
          {"thread_instructions", "thread instructions", "Instructions of single threads.",
           "sum over n of n * gpu.sm.scheduler.active_lanes[n]", real(thread_instructions)},
          {"simd_efficiency", "share", "Lanes that worked, of all lanes of the issued warp instructions.",
           "sum of n * active_lanes[n] / (32 * sum of active_lanes[n]); Lü et al., MICRO 2017, section 4.4",
           ratio(real(thread_instructions), real(warp_size) * real(warp_instructions))}};
}

std::vector<Figure> figures(const Measurement& measurement) { return figures_about(Subject::rays, measurement); }

std::vector<Figure> launch_figures(const Measurement& measurement) {
  return figures_about(Subject::launches, measurement);
}

}  // namespace reconverge::report
