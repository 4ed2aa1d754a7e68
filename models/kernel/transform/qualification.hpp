#pragma once
/// What a kernel must not do to be made of micro-kernels.
///
/// A spawned thread is in a warp, and maybe on a lane, that has nothing to do with those of its parent, belongs to no
/// block, and gets of its parent's memory only what passes by the state. So a kernel that waits for the threads of its
/// block or warp, exchanges values with them, shares memory with them or asks where it runs has no meaning there.

#include "models/kernel/transform/print_buffers.hpp"
#include "models/kernel/transform/written_kernel.hpp"

namespace reconverge::kernel {

/// Throws InputError if `function` spawns already, before anything else is looked at.
void refuse_spawning(const Module& module, const Function& function);

/// Throws InputError, with the line of the first instruction that does not fit and what to do about it. Local arrays
/// are refused unless they go to where they pass (`moves_local`), or hold arguments of printf.
void refuse_what_cannot_spawn(const WrittenKernel& kernel, const PrintBuffers& buffers, bool moves_local);

}  // namespace reconverge::kernel
