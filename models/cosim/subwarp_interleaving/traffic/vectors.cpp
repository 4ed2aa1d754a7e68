// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/subwarp_interleaving/traffic/vectors.hpp"

#include "cosim/subwarp_interleaving_pins.hpp"
#include "models/cosim/subwarp_interleaving/subwarp_ports.hpp"
#include "models/cosim/subwarp_interleaving/traffic/traffic.hpp"

namespace reconverge {

twin::GoldenVectors make_subwarp_vectors(const SubwarpVectorsOptions& options) {
  const SubwarpTrafficShape shape{.warps = options.warps, .entries = options.entries, .trigger = options.trigger};
  using Lines = twin::VectorLines<SubwarpPorts, SubwarpRtlPins>;
  SubwarpTraffic<Lines> traffic(shape, options.seed, [&] {
    return std::make_unique<Lines>(SubwarpPorts::Shape{options.warps, options.entries});
  });
  for (std::uint64_t cycle = 0; cycle < options.cycles; ++cycle) traffic.cycle();
  return traffic.pins().partner().vectors({{"Warps", options.warps},
                                           {"Entries", options.entries},
                                           {"ScoreboardBits", scoreboard_bits},
                                           {"CountBits", count_bits}});
}

}  // namespace reconverge
