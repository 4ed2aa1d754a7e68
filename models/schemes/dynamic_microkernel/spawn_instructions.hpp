// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The extension instructions for dynamic micro-kernels (Steffen and Zambreno, MICRO 2010, section IV-B, Example 2). No
/// SystemC.

#include <span>

#include "models/kernel/program.hpp"

namespace reconverge {

/// - `spawn LABEL, %pointer;` creates a thread at LABEL, a micro-kernel, for each lane. The 32-bit pointer is the
///   address of the thread's state, which the new thread inherits. A thread spawns at most once and then ends; the new
///   thread inherits no registers.
/// - `mov.u32 %r, %spawnMemAddr;` returns, to a thread of the grid, the address of its state in spawn memory and, to a
///   spawned thread, the address of a word that contains this address.
/// - `ld.spawnMem`, `st.spawnMem`: like ld.shared and st.shared, in spawn memory. The type defaults to .b32.
std::span<const kernel::ExtensionInstruction> spawn_instructions();

/// Whether the instruction is a spawn.
inline bool is_spawn(const kernel::Instruction& instruction) {
  return instruction.extension != kernel::no_extension && instruction.target != kernel::no_pc;
}

}  // namespace reconverge
