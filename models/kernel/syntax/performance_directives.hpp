// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Declarations of a kernel about its launches and its resources: `.maxntid`, `.reqntid`, `.minnctapersm`, `.maxnreg`
/// and the older `.maxnctapersm` (PTX ISA, section "Performance-Tuning Directives").

#include <string_view>

#include "models/kernel/program.hpp"
#include "models/kernel/syntax/token_stream.hpp"

namespace reconverge::kernel {

bool is_performance_directive(std::string_view word);

/// Parses one directive and its numbers, which must be positive and of the right count. Throws InputError.
PerformanceDirective parse_performance_directive(TokenStream& tokens);

/// Parses the text after `.pragma`: strings up to a semicolon. They are for NVIDIA's assembler and have no effect here.
void parse_pragma(TokenStream& tokens);

/// Combines the directives of a kernel. If a directive occurs twice, the last one applies, as in NVIDIA's assembler.
/// Throws InputError if both `.maxntid` and `.reqntid` are present.
LaunchBounds launch_bounds(const Module& module, const Function& kernel);

}  // namespace reconverge::kernel
