#pragma once
/// The instructions by which kernels say where the nodes of their streaming graph begin. No SystemC.

#include <span>

#include "models/kernel/extension.hpp"

namespace reconverge {

/// - `emit LABEL;` writes a record to the stream of the node at LABEL: another thread begins there, with the registers
///   that this one has now. This one goes on; it may emit as often as it wants (data amplification, Popa 2004, section
///   3.1), with a guard or without, and ends with exit.
/// - `emit.stack LABEL;` the same, to the top of a stack of stream registers: for a record that leads to more of its
///   kind.
std::span<const kernel::ExtensionInstruction> stream_instructions();

}  // namespace reconverge
