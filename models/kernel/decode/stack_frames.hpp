#pragma once
/// The pass that makes functions callable: registers that live across a call are kept in the frame of the caller.

#include <span>

#include "models/kernel/decode/constant_pool.hpp"
#include "models/kernel/draft.hpp"

namespace reconverge::kernel {

/// What the functions of a draft use of local memory, by index into Program::functions.
struct FrameSize {
  std::uint32_t bytes = 0;
  std::uint32_t alignment = 16;
};

/// Puts around every call what moves the stack pointer, saves the registers that live across it and takes them back.
/// Sets frame_bytes of the functions, local_bytes and deep_stack. Functions have their ranges, branches and direct
/// calls their targets; all of them move. Throws InputError when a thread needs more than 1 GiB.
void lay_out_stack(Draft& draft, ConstantPool& constants, std::span<const FrameSize> frames);

}  // namespace reconverge::kernel
