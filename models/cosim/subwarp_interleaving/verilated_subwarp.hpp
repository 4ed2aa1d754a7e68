// SPDX-License-Identifier: Apache-2.0
#pragma once
/// What Verilator made of rtl/subwarp_interleaving, at its pins.

#include "models/cosim/subwarp_interleaving/subwarp_rtl.hpp"
#include "models/cosim/twin/verilated.hpp"

namespace reconverge {

template <typename Class, std::uint32_t warps, unsigned entries>
std::unique_ptr<SubwarpRtl> make_verilated_subwarp() {
  return std::make_unique<twin::Verilated<SubwarpPorts, Class>>(SubwarpPorts::Shape{warps, entries});
}

}  // namespace reconverge
