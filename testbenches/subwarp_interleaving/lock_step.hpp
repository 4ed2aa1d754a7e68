// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A subwarp scheduler in lock step with any RTL, outside an SM.

#include <memory>

#include "models/cosim/subwarp_interleaving/subwarp_ports.hpp"
#include "models/cosim/twin/compared.hpp"
#include "models/cosim/twin/verilated.hpp"
// SystemC's headers must follow Verilator's.
#include "models/cosim/subwarp_interleaving/traffic/traffic.hpp"
#include "testbenches/subwarp_interleaving/coverage.hpp"

namespace reconverge {

/// `Rtl`: the class that Verilator made of rtl/subwarp_interleaving.
template <typename Rtl>
class ComparedSubwarpsWith : public twin::Compared<SubwarpPorts> {
 public:
  using Block = twin::Verilated<SubwarpPorts, Rtl>;

  explicit ComparedSubwarpsWith(const SubwarpPorts::Shape& shape) : Compared(std::make_unique<Block>(shape)) {}

  Rtl& verilated() { return static_cast<Block&>(rtl()).rtl(); }
};

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
