#pragma once
/// The instructions by which kernels make dynamic micro-kernels (Steffen and Zambreno, MICRO 2010, section IV-B,
/// Example 2). No SystemC.

#include <span>

#include "models/kernel/program.hpp"

namespace reconverge {

/// - `spawn LABEL, %pointer;` begins a thread at LABEL for each lane: a micro-kernel. The pointer (32 bits) is that of
///   the thread's state, which passes to the new thread. A thread spawns once at most, and then ends; registers pass to
///   nobody.
/// - `mov.u32 %r, %spawnMemAddr;` of a thread of the grid gives the address of its state in spawn memory, of a spawned
///   one the address of a word that holds it.
/// - `ld.spawnMem`, `st.spawnMem`: as ld.shared and st.shared, in spawn memory. Without a type: .b32.
std::span<const kernel::ExtensionInstruction> spawn_instructions();

/// Whether the instruction is a spawn.
inline bool is_spawn(const kernel::Instruction& instruction) {
  return instruction.extension != kernel::no_extension && instruction.target != kernel::no_pc;
}

}  // namespace reconverge
