#pragma once
/// What a program may tell a scheme with convergence barriers, by instructions of its own:
///
///     subwarp_yield;          the subwarp makes way for another of its warp that is READY
///     subwarp_first LABEL;    where lanes part, and some go to LABEL, these run first
///
/// (Damani et al., "GPU Subwarp Interleaving", HPCA 2022, sections III-B and VI). The second is a hint: it may stand
/// anywhere in the kernel. Neither changes what threads compute.

#include <span>
#include <vector>

#include "models/kernel/extension.hpp"
#include "models/kernel/program.hpp"

namespace reconverge {

std::span<const kernel::ExtensionInstruction> subwarp_instructions();

/// Where the hints of a program point.
std::vector<kernel::Pc> first_by_hint(const kernel::Program& program);

}  // namespace reconverge
