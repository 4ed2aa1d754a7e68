// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The part of a launch that can be resident in an SM. `registers`: the part of its register file for warps.

#include <cstdint>

#include "blocks/sm.hpp"
#include "models/execution/launch.hpp"
#include "models/protocols/scheme.hpp"

namespace reconverge {

/// Whether the kernel accesses shared memory, including the part that the system reserves.
bool uses_shared_memory(const Launch& launch);
std::uint64_t warps_that_fit(const Launch& launch, const SmParameters& parameters, std::uint64_t registers);
/// `warps`: slots that warps may use.
std::uint64_t blocks_that_fit(const Launch& launch, const SmParameters& parameters, std::uint64_t registers,
                              std::uint64_t warps);
/// Whether warps start one by one, under a path scheme with such traits.
bool starts_by_warp(const Launch& launch, const SmParameters& parameters, const SchemeTraits& paths);
/// Resident blocks; if warps start one by one, blocks with at least one warp here.
std::uint64_t blocks_at_once(const Launch& launch, const SmParameters& parameters, const SchemeTraits& paths,
                             std::uint64_t registers);

}  // namespace reconverge
