// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The RTL of dynamic warp formation, whatever its configuration, and the configurations that were built.

#include <memory>
#include <span>

#include "blocks/dynamic_microkernel.hpp"
#include "models/cosim/dynamic_microkernel/formation_ports.hpp"
#include "models/cosim/twin/rtl.hpp"

namespace reconverge {

using FormationRtl = twin::Rtl<FormationPorts>;

/// A configuration that was built, for warps of 32 lanes.
struct FormationConfiguration {
  std::size_t lut_lines;
  std::size_t fifo;
  std::uint32_t regions;                    ///< parts of the formation area, of which a launch may use fewer
  std::unique_ptr<FormationRtl> (*make)();  ///< after reset
};

/// All of them: RECONVERGE_FORMATION_RTL of CMake says which.
std::span<const FormationConfiguration> formation_configurations();

/// Throws ParameterError, which names those that there are, when none has these parameters.
void require_formation_rtl(const DynamicMicrokernelParameters& parameters);
/// The block after reset. Throws the same when none has these parameters and so many parts.
std::unique_ptr<FormationRtl> make_formation_rtl(const DynamicMicrokernelParameters& parameters, std::uint32_t regions);

}  // namespace reconverge
