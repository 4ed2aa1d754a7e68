// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Dynamic warp formation in lock step with any RTL, outside an SM.

#include "models/cosim/dynamic_microkernel/formation_ports.hpp"
#include "models/cosim/twin/verilated_partners.hpp"
// SystemC's headers must follow Verilator's.
#include "models/cosim/dynamic_microkernel/bench/coverage.hpp"
#include "models/cosim/dynamic_microkernel/traffic/traffic.hpp"

namespace reconverge {

/// `Rtl`: the class that Verilator makes from rtl/dynamic_microkernel.
template <typename Rtl>
using ComparedFormationWith = twin::ComparedWith<FormationPorts, Rtl>;

/// The same, with coverage.
template <typename Rtl>
class CoveredFormation {
 public:
  CoveredFormation(const FormationPorts::Shape& shape, FormationCoverage& coverage)
      : compared_(shape), coverage_(coverage) {}

  void cycle(const FormationInputs& inputs, const FormationOutputs& outputs) {
    coverage_.cycle(inputs, outputs);
    compared_.cycle(inputs, outputs);
  }
  void within(const FormationInputs& inputs, const FormationOutputs& outputs) {
    coverage_.within(inputs, outputs);
    compared_.within(inputs, outputs);
  }

 private:
  ComparedFormationWith<Rtl> compared_;
  FormationCoverage& coverage_;
};

}  // namespace reconverge
