// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A subwarp scheduler in lock step with any RTL, outside an SM.

#include "models/cosim/subwarp_interleaving/subwarp_ports.hpp"
#include "models/cosim/twin/verilated_partners.hpp"
// SystemC's headers must follow Verilator's.
#include "models/cosim/subwarp_interleaving/bench/coverage.hpp"
#include "models/cosim/subwarp_interleaving/traffic/traffic.hpp"

namespace reconverge {

/// `Rtl`: the class that Verilator makes from rtl/subwarp_interleaving.
template <typename Rtl>
using ComparedSubwarpsWith = twin::ComparedWith<SubwarpPorts, Rtl>;

/// The same, recording the values at the pins for a coverage.
template <typename Rtl>
class SeenSubwarps {
 public:
  explicit SeenSubwarps(const SubwarpPorts::Shape& shape) : compared_(shape) {}

  void cycle(const SubwarpInputs& inputs, const SubwarpOutputs& outputs) {
    seen_inputs = inputs;
    seen_outputs = outputs;
    compared_.cycle(inputs, outputs);
  }

  SubwarpInputs seen_inputs;
  SubwarpOutputs seen_outputs;

 private:
  ComparedSubwarpsWith<Rtl> compared_;
};

}  // namespace reconverge
