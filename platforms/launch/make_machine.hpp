#pragma once
/// Makes the kind of machine that an experiment asks for.

#include <memory>

#include "blocks/experiment.hpp"
#include "platforms/launch/plan.hpp"
#include "platforms/launch/platform.hpp"
#include "platforms/machine.hpp"
#include "platforms/machines/functional/functional_machine.hpp"
#include "platforms/machines/gpu/schemes.hpp"

namespace reconverge::launch {

/// The forward progress that threads which wait for each other can rely on with the GPU; its functional machine
/// guarantees the same.
FunctionalParameters functional_parameters(const GpuParameters& gpu, SchemeList schemes = built_in_schemes());

/// `timed`: the platform's GPU, with its divergence scheme. `functional`: the same results without timing, and the same
/// forward progress unless `warnings_of` says otherwise. `streams`: its stream processor; `multi_pass`: its machine
/// that has only guards. `schemes`: what the GPU may name. Needs a SimulationContext. Throws InputError.
std::unique_ptr<reconverge::Machine> make_machine(ExperimentMachine kind, const Platform& platform,
                                                  SchemeList schemes = built_in_schemes());

/// Warnings, with file and line, about programs of the plan that may behave on that machine otherwise than their
/// authors intend. Throws InputError for unknown schemes.
std::vector<std::string> warnings_of(const LaunchPlan& plan, ExperimentMachine kind, const GpuParameters& gpu,
                                     SchemeList schemes = built_in_schemes());

}  // namespace reconverge::launch
