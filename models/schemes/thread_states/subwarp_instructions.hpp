// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Extension instructions for schemes with convergence barriers:
///
///     subwarp_yield;          the subwarp makes way for another of its warp that is READY
///     subwarp_first LABEL;    where lanes part, and some go to LABEL, these run first
///
/// (Damani et al., "GPU Subwarp Interleaving", HPCA 2022, sections III-B and VI). The second is a hint: it may be
/// anywhere in the kernel. Neither changes what threads compute.

#include <span>
#include <vector>

#include "models/kernel/extension.hpp"
#include "models/kernel/program.hpp"

namespace reconverge {

std::span<const kernel::ExtensionInstruction> subwarp_instructions();

/// The targets of a program's subwarp_first hints.
std::vector<kernel::Pc> first_by_hint(const kernel::Program& program);

}  // namespace reconverge
