#pragma once
/// What a kernel declares about its launches and its resources: `.maxntid`, `.reqntid`, `.minnctapersm`, `.maxnreg`
/// and the older `.maxnctapersm` (PTX ISA, section "Performance-Tuning Directives").

#include <string_view>

#include "models/kernel/program.hpp"
#include "models/kernel/syntax/token_stream.hpp"

namespace reconverge::kernel {

bool is_performance_directive(std::string_view word);

/// Takes one directive and its numbers: positive, and as many as it has. Throws InputError.
PerformanceDirective parse_performance_directive(TokenStream& tokens);

/// Takes what follows `.pragma`: strings up to a semicolon. They speak to NVIDIA's assembler; none has an effect here.
void parse_pragma(TokenStream& tokens);

/// The directives of a kernel as one. Of a directive written twice the last counts, as in NVIDIA's assembler.
/// Throws InputError when `.maxntid` and `.reqntid` are both there.
LaunchBounds launch_bounds(const Module& module, const Function& kernel);

}  // namespace reconverge::kernel
