// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/lock_step_runs.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "VDrs.h"
#include "VDrsLarge.h"
#include "VDrsSmall.h"
#include "VDrsTiny.h"
#include "models/cosim/dynamic_ray_shuffling/bench/coverage.hpp"
#include "models/cosim/dynamic_ray_shuffling/bench/lock_step.hpp"
#include "models/cosim/dynamic_ray_shuffling/traffic/traffic.hpp"

namespace reconverge::tests {

namespace {

template <typename Rtl>
std::uint64_t run(const LockStepConfiguration& configuration, std::uint64_t seed, std::uint64_t cycles,
                  RayCoverage& coverage) {
  DynamicRayShufflingParameters parameters;
  parameters.backup_rows = configuration.backup_rows;
  parameters.swap_buffers = configuration.swap_buffers;
  parameters.ray_registers = configuration.ray_registers;
  // Long runs, and short ones that are mostly drain; rays that diverge at once, and rays that stay coherent; warps that
  // wait for a row, and warps that ask again; reports of whole rows and of parts.
  constexpr std::array<unsigned, 4> rays_of_a_lane{60, 100, 2, 30};
  constexpr std::array<double, 4> alike{1, 1, 0.5, 0};
  constexpr std::array<double, 4> impatient{0, 1, 0.02, 0};
  constexpr std::array<double, 3> split{0, 0.2, 0.8};
  const unsigned rays = rays_of_a_lane.at(seed % 4) * configuration.width;
  std::uint64_t compared = 0;
  for (std::uint64_t part = 0; compared < cycles; ++part) {
    const TrafficChances chances{.granted = 0.3 + 0.1 * static_cast<double>((3 * seed + 5 * part) % 8),
                                 .alike = alike.at(seed % 4),
                                 .impatient = impatient.at((seed + part) % 4),
                                 .split = split.at(part % 3)};
    Traffic<Covered<LockStep<Rtl>>> traffic(parameters, {configuration.warps, configuration.width}, rays,
                                            static_cast<std::uint32_t>(seed * 1000 + part), chances);
    traffic.shuffler.coverage = &coverage;
    coverage.reset();
    while (!traffic.done()) traffic.cycle();
    if (!traffic.sound) throw std::runtime_error("a ray is not where its state is, or not once");
    if (traffic.mixed_runs != 0) throw std::runtime_error("a warp got rays of more than one state");
    if (traffic.fetched != rays) throw std::runtime_error(fmt::format("{} of {} rays ran", traffic.fetched, rays));
    compared += traffic.shuffler.cycles();
  }
  return compared;
}

}  // namespace

std::uint64_t run_lock_step(std::size_t configuration, std::uint64_t seed, std::uint64_t cycles,
                            RayCoverage& coverage) {
  constexpr std::array runs{run<VDrs>, run<VDrsLarge>, run<VDrsSmall>, run<VDrsTiny>};
  return runs.at(configuration)(lock_step_configurations.at(configuration), seed, cycles, coverage);
}

}  // namespace reconverge::tests
