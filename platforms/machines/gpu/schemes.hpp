// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The divergence schemes that an SM can have. Each is a part of the SM, although the SM's block file does not name it.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "blocks/sm.hpp"
#include "blocks/warp_scheduler.hpp"
#include "models/core/block_tree.hpp"
#include "models/core/statistics_tree.hpp"
#include "models/protocols/scheme_kind.hpp"
#include "models/protocols/scheme_list.hpp"

namespace reconverge {

/// The schemes as parts of an SM.
OpenParts scheme_parts(SchemeList kinds = built_in_schemes());

/// `root`, a GPU or a block within one; SMs have these schemes as parts.
BlockTree with_schemes(const BlockDescription& root, SchemeList kinds = built_in_schemes());

/// Zeros for all blocks of a GPU.
Statistics gpu_statistics(SchemeList kinds = built_in_schemes());

/// Whether `parameters` select the scheme of that name.
bool has_scheme(const SmParameters& parameters, std::string_view name);

/// The selected names, joined by `+`.
std::string scheme_names(const SmParameters& parameters);

/// The schemes that `parameters` select: first the one that decides which paths warps run, then the additional ones.
/// Throws ParameterError for unknown names and for schemes that cannot be combined.
std::vector<const SchemeKind*> schemes_of(const SmParameters& parameters, SchemeList kinds = built_in_schemes());

/// Modules of these kinds, each named after its block.
std::vector<std::unique_ptr<Scheme>> make_schemes(SchemeList kinds, const SchemePlace& place);

/// The stall cause that slots are charged to while a scheme holds a warp for its first reason; a scheme without causes
/// may not hold warps. `kinds`: all schemes that the platform knows.
WarpSchedulerSlots first_cause_of(const SchemeKind& kind, SchemeList kinds);

/// The reason that the last of `kinds` cannot be added: too many causes, or one whose name is taken; empty if it can.
std::string problem_of_causes(SchemeList kinds);

/// The instructions that programs may use in addition to PTX: those of all schemes, and `emit` of the stream processor.
std::vector<kernel::ExtensionInstruction> extensions_of(SchemeList kinds = built_in_schemes());

/// For each extension instruction of the program, the number of its scheme among `kinds`. Throws InputError at the PTX
/// line of an instruction that no scheme has.
std::vector<std::uint8_t> owners_of_extensions(const kernel::Program& program, SchemeList kinds);

/// Throws ParameterError if schemes of these kinds do not support the SM's parameters.
void check_schemes(SchemeList kinds, const SmParameters& parameters);
/// Throws InputError if they cannot run the program.
void check_program(SchemeList kinds, const kernel::Program& program, const SmParameters& parameters);
/// The same for a launch.
void check_launch(SchemeList kinds, const Launch& launch);
/// Warnings, with file and line and in addition to Program::warnings, about unintended behaviour of the program on
/// these schemes: races of independently scheduled threads if the program relies on lockstep warps, and the warnings of
/// the schemes.
std::vector<std::string> scheme_warnings(SchemeList kinds, const kernel::Program& program,
                                         const SmParameters& parameters);

}  // namespace reconverge
