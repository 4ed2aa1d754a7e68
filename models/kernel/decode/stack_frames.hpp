// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The pass that makes functions callable: it saves registers that are live across a call in the frame of the caller.

#include <span>

#include "models/kernel/decode/constant_pool.hpp"
#include "models/kernel/draft.hpp"

namespace reconverge::kernel {

/// Local memory that the functions of a draft use, by index into Program::functions.
struct FrameSize {
  std::uint32_t bytes = 0;
  std::uint32_t alignment = 16;
};

/// Adds to every call the instructions that move the stack pointer, save the registers that are live across it, and
/// restore them. Sets frame_bytes of the functions, local_bytes and deep_stack. Functions have their ranges, branches
/// and direct calls their targets; all of them are updated. Throws InputError if a thread needs more than 1 GiB.
void lay_out_stack(Draft& draft, ConstantPool& constants, std::span<const FrameSize> frames);

}  // namespace reconverge::kernel
