// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Extension instructions for schemes with convergence barriers:
///
///     subwarp_yield;          the warp switches to another READY subwarp
///     subwarp_first LABEL;    when lanes diverge, lanes that go to LABEL run first
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
