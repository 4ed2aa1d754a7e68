#pragma once
/// Computes the figures of reports from raw counters: pure functions, all of them 0 if nothing was counted.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "blocks/experiment.hpp"
#include "models/core/figure.hpp"
#include "models/core/lane_mask.hpp"
#include "models/core/statistics_tree.hpp"
#include "platforms/machines/gpu/schemes.hpp"

namespace reconverge::report {

inline double real(std::uint64_t count) { return static_cast<double>(count); }

/// The inputs of figures: counters, and the few parameters needed to interpret them.
struct Measurement {
  Statistics totals;
  std::uint64_t rays = 0;  ///< traced to their end
  std::uint64_t clock_hz = 0;
  std::uint64_t slots_per_cycle = 0;        ///< issue slots of the whole device
  SchemeList schemes = built_in_schemes();  ///< the schemes whose figures are included, besides those of every platform
  ExperimentMachine machine = ExperimentMachine::timed;
};

/// The same platform's figures for other counters: `totals` of one stage or of several.
Measurement measure(const GpuParameters& gpu, const Statistics& totals, std::uint64_t rays,
                    SchemeList schemes = built_in_schemes());

/// The measurement of an experiment's machine.
Measurement measure(const ExperimentParameters& parameters, const Statistics& totals, std::uint64_t rays,
                    SchemeList schemes = built_in_schemes());

using reconverge::Figure;

/// Every figure, in report order. The names do not depend on the measurement.
std::vector<Figure> figures(const Measurement& measurement);
/// The same without the figures about rays.
std::vector<Figure> launch_figures(const Measurement& measurement);
/// Of the latter, the figures that need no timing.
std::vector<Figure> instruction_figures(std::uint64_t warp_instructions, std::uint64_t thread_instructions);

using reconverge::ratio;

/// How lanes work together. On machines without warps an issued instruction is one of all lanes.
struct Executed {
  std::uint64_t issued = 0;   ///< instructions
  std::uint64_t threads = 0;  ///< of these, instructions of single threads
  std::uint64_t lanes = 0;    ///< that issue together

  double simd_efficiency() const {
    return ratio(static_cast<double>(threads), static_cast<double>(lanes) * static_cast<double>(issued));
  }
};
Executed executed(const Measurement& measurement);

/// A row of a block's counters that accounts for all its cycles, by what they were spent on.
struct CycleCauses {
  StatisticsView view;
  std::string_view statistic;
  std::string_view block;  ///< in formulas
};
/// Of machines without warps; the GPU has issue slots.
CycleCauses cycle_causes(const Measurement& measurement);

double seconds(const Measurement& measurement);
double rays_per_second(const Measurement& measurement);
/// Thread instructions per cycle, over the whole device.
double thread_ipc(const Measurement& measurement);
/// Issued warp instructions per cycle, over the whole device.
double warp_ipc(const Measurement& measurement);

/// `active[n]`: warp instructions issued with n active lanes.
using ActiveLanes = std::array<std::uint64_t, warp_size + 1>;
std::uint64_t warp_instructions(const ActiveLanes& active);
std::uint64_t thread_instructions(const ActiveLanes& active);
/// Active lanes as a share of all lanes of issued instructions (Lü et al., MICRO 2017, section 4.4). An instruction
/// whose guard disabled every lane was issued, too, and counts with no active lane.
double simd_efficiency(const ActiveLanes& active);

/// A category of the paper's breakdown of warp instructions by active lanes.
struct LaneGroup {
  std::string_view name;  ///< `W1:4`
  std::string_view key;   ///< `lanes_1_to_4`
  std::size_t first = 0;
  std::size_t last = 0;  ///< included
};
/// W0, W1:4, W5:8 ... W29:32.
std::span<const LaneGroup> lane_groups();
std::uint64_t instructions_in(const LaneGroup& group, const ActiveLanes& active);

/// The share of reads that hit. A read that waits for a line already being fetched is a miss.
template <typename CacheStatistics>
double hit_rate(const CacheStatistics& cache) {
  return ratio(static_cast<double>(cache.hits), static_cast<double>(cache.hits + cache.misses + cache.merges));
}

/// The difference between the schedulers' issue slots and the slots with an outcome; anything but 0 is an error of the
/// model.
std::int64_t unaccounted_slots(const Measurement& measurement);

}  // namespace reconverge::report
