// SPDX-License-Identifier: Apache-2.0
#include "platforms/figures/warp_figures.hpp"

#include "models/core/statistics.hpp"
#include "platforms/figures/measurement.hpp"

namespace reconverge {

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

}  // namespace

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

std::vector<Figure> instruction_figures(std::uint64_t warp_instructions, std::uint64_t thread_instructions) {
  return {{"warp_instructions", "warp instructions", "Warp instructions issued.",
           "sum of gpu.sm.scheduler.active_lanes", real(warp_instructions)},
          {"thread_instructions", "thread instructions", "Instructions of single threads.",
           "sum over n of n * gpu.sm.scheduler.active_lanes[n]", real(thread_instructions)},
          {"simd_efficiency", "share", "Lanes that worked, of all lanes of the issued warp instructions.",
           "sum of n * active_lanes[n] / (32 * sum of active_lanes[n]); Lü et al., MICRO 2017, section 4.4",
           ratio(real(thread_instructions), real(warp_size) * real(warp_instructions))}};
}

}  // namespace reconverge
