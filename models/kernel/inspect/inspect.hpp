// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A program in readable form. If it has several functions, each is listed under its name.

#include <string>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// An operand: r5, r[4:5], c3, %tid.x, p2.
std::string to_string(const Operand& operand, bool wide);

/// The decoded form of one instruction: `@!p1 add.s32 r3 <- r1 c0`.
std::string to_string(const Instruction& instruction);

/// Every instruction with its pc, decoded operands, PTX, branch targets and reconvergence points, block by block,
/// followed by the jump tables and constants.
std::string listing(const Program& program);

/// A parameter in the form for messages: `saxpy_param_1 (.u64, 8 bytes)`, or `(.align 8 .b8, 24 bytes)` for a struct.
std::string describe(const KernelParameter& parameter);

/// The entry with a line for each parameter: position, name, type, size and offset in bytes.
std::string parameter_table(const Program& program);

/// The functions, one a line: pcs, frame, local memory of a call with all nested calls, and callees.
std::string functions_text(const Program& program);

/// The blocks with their edges and immediate post-dominators, one a line.
std::string flow_text(const Program& program);

/// The control-flow graph for Graphviz: solid edges for control, dashed for immediate post-dominators, dotted for
/// calls.
std::string flow_dot(const Program& program);

}  // namespace reconverge::kernel
