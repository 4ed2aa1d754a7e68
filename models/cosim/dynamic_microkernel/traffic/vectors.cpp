// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/dynamic_microkernel/traffic/vectors.hpp"

#include "cosim/dynamic_microkernel_pins.hpp"
#include "models/cosim/dynamic_microkernel/traffic/traffic.hpp"

namespace reconverge {

twin::GoldenVectors make_formation_vectors(const FormationVectorsOptions& options) {
  const FormationTrafficShape shape{.lut_lines = options.lut_lines,
                                    .fifo = options.fifo,
                                    .regions = options.regions,
                                    .micro_kernels = options.micro_kernels};
  using Lines = twin::VectorLines<FormationPorts, FormationRtlPins>;
  FormationTraffic<Lines> traffic(shape, options.seed, [&](std::uint32_t regions) {
    return std::make_unique<Lines>(FormationPorts::Shape{regions});
  });
  for (std::uint64_t cycle = 0; cycle < options.cycles; ++cycle) traffic.cycle();
  return traffic.pins().partner().vectors({{"Lines", options.lut_lines},
                                           {"Regions", options.regions},
                                           {"Fifo", options.fifo},
                                           {"Lanes", warp_size},
                                           {"PcWidth", FormationPorts::kernel_pc_bits}});
}

}  // namespace reconverge
