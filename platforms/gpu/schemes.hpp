#pragma once
/// The divergence schemes that an SM can have: each a part of it that its block file does not name.

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

namespace reconverge {

using SchemeList = std::span<const SchemeKind* const>;

/// Those of this tree, in report order. Warps run by the first where nothing else says which paths they run.
SchemeList built_in_schemes();

/// The same as parts of an SM.
std::vector<ChildDescription> scheme_parts(SchemeList kinds = built_in_schemes());

/// `root` and the blocks within it, SMs with these schemes as parts.
BlockTree with_schemes(const BlockDescription& root, SchemeList kinds = built_in_schemes());

/// Zeros for all blocks of a GPU.
Statistics gpu_statistics(SchemeList kinds = built_in_schemes());

/// Whether `parameters` ask for the scheme of that name.
bool has_scheme(const SmParameters& parameters, std::string_view name);

/// The names in force, joined by `+`.
std::string scheme_names(const SmParameters& parameters);

/// Those that `parameters` name: first the one that says which paths warps run, then those beside it. Throws
/// ParameterError for names that are not known, and for schemes that do not go together.
std::vector<const SchemeKind*> schemes_of(const SmParameters& parameters, SchemeList kinds = built_in_schemes());

/// Modules of these kinds, each with the name of its block.
std::vector<std::unique_ptr<Scheme>> make_schemes(SchemeList kinds, const SchemePlace& place);

/// What slots are lost to while a scheme holds a warp for its first reason; where it has none, it may hold no warp.
/// `kinds`: all that the platform knows.
WarpSchedulerSlots first_cause_of(const SchemeKind& kind, SchemeList kinds);

/// Why the last of `kinds` cannot stand beside the others: too many causes, or one whose name is taken; empty: it can.
std::string problem_of_causes(SchemeList kinds);

/// The instructions that programs may use besides those of PTX: those of all schemes, and
/// emit, which is the stream processor's.
std::vector<kernel::ExtensionInstruction> extensions_of(SchemeList kinds = built_in_schemes());

/// For each extension instruction of the program the number of its scheme among `kinds`. Throws InputError at the PTX
/// line of one that none of them has.
std::vector<std::uint8_t> owners_of_extensions(const kernel::Program& program, SchemeList kinds);

/// Throws ParameterError when schemes of these kinds cannot do with the parameters of the SM.
void check_schemes(SchemeList kinds, const SmParameters& parameters);
/// Throws InputError when they cannot run the program.
void check_program(SchemeList kinds, const kernel::Program& program, const SmParameters& parameters);
/// The same of a launch.
void check_launch(SchemeList kinds, const Launch& launch);
/// What the program may do on these schemes otherwise than its author means, beside Program::warnings, with file and
/// line: threads that run alone race where a warp is relied on to run in lockstep; and what the schemes themselves say.
std::vector<std::string> scheme_warnings(SchemeList kinds, const kernel::Program& program,
                                         const SmParameters& parameters);

}  // namespace reconverge
