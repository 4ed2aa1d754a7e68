// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The RTL of a subwarp scheduler, whatever its configuration, and the configurations that were built.

#include <memory>
#include <span>

#include "models/cosim/subwarp_interleaving/subwarp_ports.hpp"
#include "models/cosim/twin/rtl.hpp"

namespace reconverge {

using SubwarpRtl = twin::Rtl<SubwarpPorts>;

/// A configuration that was built.
struct SubwarpConfiguration {
  std::uint32_t warps;  ///< of a processing block, which may use fewer
  unsigned entries;
  std::unique_ptr<SubwarpRtl> (*make)();  ///< after reset
};

/// All of them: RECONVERGE_SUBWARP_RTL of CMake says which.
std::span<const SubwarpConfiguration> subwarp_configurations();

/// Throws ParameterError, which names those that there are, when none has so many entries and warps enough.
void require_subwarp_rtl(std::uint32_t warps, unsigned entries);
/// The block after reset. Throws the same.
std::unique_ptr<SubwarpRtl> make_subwarp_rtl(std::uint32_t warps, unsigned entries);

}  // namespace reconverge
