// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Checks that a kernel can be split into micro-kernels.
///
/// A spawned thread runs in a warp, and possibly on a lane, unrelated to its parent's. It belongs to no block, and gets
/// only the state from its parent's memory. Such a kernel therefore must not wait for the threads of its block or warp,
/// exchange values with them, share memory with them, or read its warp or lane number.

#include "models/kernel/transform/print_buffers.hpp"
#include "models/kernel/transform/written_kernel.hpp"

namespace reconverge::kernel {

/// Throws InputError if `function` already spawns; checked first.
void refuse_spawning(const Module& module, const Function& function);

/// Throws InputError, with the line of the first instruction that is not allowed, and the remedy. Local arrays are
/// rejected unless they are moved (`moves_local`) or hold arguments of printf.
void refuse_what_cannot_spawn(const WrittenKernel& kernel, const PrintBuffers& buffers, bool moves_local);

}  // namespace reconverge::kernel
