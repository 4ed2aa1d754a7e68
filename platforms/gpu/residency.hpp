#pragma once
/// How much of a launch an SM holds at once. `registers`: of its register file, those that warps may have.

#include <cstdint>

#include "blocks/sm.hpp"
#include "models/execution/launch.hpp"
#include "models/protocols/scheme.hpp"

namespace reconverge {

/// Whether the kernel accesses shared memory: its own, or what the system reserves.
bool uses_shared_memory(const Launch& launch);
std::uint64_t warps_that_fit(const Launch& launch, const SmParameters& parameters, std::uint64_t registers);
/// `warps`: slots that warps may use.
std::uint64_t blocks_that_fit(const Launch& launch, const SmParameters& parameters, std::uint64_t registers,
                              std::uint64_t warps);
/// Whether warps start one by one, under a scheme of paths with such traits.
bool starts_by_warp(const Launch& launch, const SmParameters& parameters, const SchemeTraits& paths);
/// Blocks; where warps start one by one, as many as have a warp here.
std::uint64_t blocks_at_once(const Launch& launch, const SmParameters& parameters, const SchemeTraits& paths,
                             std::uint64_t registers);

}  // namespace reconverge
