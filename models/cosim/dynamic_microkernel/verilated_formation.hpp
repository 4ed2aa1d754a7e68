// SPDX-License-Identifier: Apache-2.0
#pragma once
/// What Verilator made of rtl/dynamic_microkernel, at its pins.

#include "models/cosim/dynamic_microkernel/formation_rtl.hpp"
#include "models/cosim/twin/verilated.hpp"

namespace reconverge {

template <typename Class, std::uint32_t regions>
std::unique_ptr<FormationRtl> make_verilated_formation() {
  return std::make_unique<twin::Verilated<FormationPorts, Class>>(FormationPorts::Shape{regions});
}

}  // namespace reconverge
