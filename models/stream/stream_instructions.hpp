// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The extension instructions that define the nodes of a streaming graph in a kernel. No SystemC.

#include <span>

#include "models/kernel/extension.hpp"

namespace reconverge {

/// - `emit LABEL;` writes a record to the stream of the node at LABEL: another thread begins there, with a copy of this
///   thread's registers. This thread continues; it may emit any number of times (data amplification, Popa 2004, section
///   3.1), with or without a guard, and ends with exit.
/// - `emit.stack LABEL;` the same, to the top of a stack of stream registers: for recursion, where a record produces
///   more records of its kind.
std::span<const kernel::ExtensionInstruction> stream_instructions();

}  // namespace reconverge
