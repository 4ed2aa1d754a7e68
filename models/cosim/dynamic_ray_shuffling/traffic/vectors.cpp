// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/dynamic_ray_shuffling/traffic/vectors.hpp"

#include <fmt/format.h>

#include "cosim/dynamic_ray_shuffling_pins.hpp"
#include "models/core/error.hpp"
#include "models/cosim/dynamic_ray_shuffling/ray_ports.hpp"
#include "models/cosim/dynamic_ray_shuffling/traffic/pins_with_rays.hpp"
#include "models/cosim/dynamic_ray_shuffling/traffic/traffic.hpp"

namespace reconverge {

namespace {

using RayLines = RayPartner<twin::VectorLines<RayPorts, RayRtlPins>>;

}  // namespace

twin::GoldenVectors make_ray_vectors(const RayVectorsOptions& options) {
  const DynamicRayShufflingParameters& parameters = options.parameters;
  if (parameters.ideal) {
    throw InputError({}, "ideal shuffling has no RTL", "leave out ideal");
  }
  if (options.warps < 2 || options.warps > 64) {
    throw InputError({}, fmt::format("{} warps", options.warps), "an SM has 2 to 64");
  }
  // Rays for twice the cycles, so that no warp runs out before the vectors end; one run in four also covers the end.
  const auto rays = static_cast<unsigned>(options.seed % 4 == 0 ? options.cycles / 8 : options.cycles * 2);
  Traffic<PinsWithRays<RayLines>> traffic(parameters, {options.warps, options.width}, rays, options.seed,
                                          {.granted = 0.3 + 0.1 * (options.seed % 8), .impatient = 0.1, .split = 0.2});
  while (!traffic.done() && traffic.shuffler.cycles() < options.cycles) traffic.cycle();
  return traffic.shuffler.partner().vectors({{"Warps", options.warps},
                                             {"BackupRows", parameters.backup_rows},
                                             {"Lanes", options.width},
                                             {"SwapBuffers", parameters.swap_buffers},
                                             {"RayRegisters", parameters.ray_registers},
                                             {"WordWidth", 32}});
}

}  // namespace reconverge
