// SPDX-License-Identifier: Apache-2.0
#pragma once
/// What a kernel must not do to be split into micro-kernels.
///
/// A spawned thread is in a warp, and possibly on a lane, unrelated to those of its parent, belongs to no block, and
/// gets from its parent's memory only the state. So it makes no sense for such a kernel to wait for the threads of its
/// block or warp, exchange values with them, share memory with them or ask where it runs.

#include "models/kernel/transform/print_buffers.hpp"
#include "models/kernel/transform/written_kernel.hpp"

namespace reconverge::kernel {

/// Throws InputError if `function` already spawns; checked first.
void refuse_spawning(const Module& module, const Function& function);

/// Throws InputError, with the line of the first instruction that is not allowed and what to do about it. Local arrays
/// are rejected unless they are moved (`moves_local`), or hold arguments of printf.
void refuse_what_cannot_spawn(const WrittenKernel& kernel, const PrintBuffers& buffers, bool moves_local);

}  // namespace reconverge::kernel
