#pragma once
/// Which divergence schemes there are, and those that an SM has.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "blocks/sm.hpp"
#include "blocks/warp_scheduler.hpp"
#include "models/protocols/scheme_kind.hpp"

namespace reconverge {

/// Those of this tree. The first is the one that warps run by where nothing else says so.
std::span<const SchemeKind* const> built_in_schemes();

/// Null when there is none of that name.
const SchemeKind* find_scheme(std::string_view name);

/// Those of an SM with these parameters: first the one that says which paths warps run.
std::vector<const SchemeKind*> schemes_of(const SmParameters& parameters);

/// Modules of these kinds, each with the name of its block.
std::vector<std::unique_ptr<Scheme>> make_schemes(std::span<const SchemeKind* const> kinds, const SchemePlace& place);

/// What slots are lost to while a scheme holds a warp for its first reason.
WarpSchedulerSlots first_cause_of(const SchemeKind& kind);

/// For each extension instruction of the program the number of its scheme among `kinds`. Throws InputError at the PTX
/// line of one that none of them has.
std::vector<std::uint8_t> owners_of_extensions(const kernel::Program& program,
                                               std::span<const SchemeKind* const> kinds);

/// Throws ParameterError when schemes of these kinds cannot do with the parameters of the SM.
void check_schemes(std::span<const SchemeKind* const> kinds, const SmParameters& parameters);
/// Throws InputError when they cannot run the program.
void check_program(std::span<const SchemeKind* const> kinds, const kernel::Program& program,
                   const SmParameters& parameters);
/// The same of a launch.
void check_launch(std::span<const SchemeKind* const> kinds, const Launch& launch);

}  // namespace reconverge
