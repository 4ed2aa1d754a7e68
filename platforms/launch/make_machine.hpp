#pragma once
/// A machine of the kind that an experiment asks for.

#include <memory>

#include "blocks/experiment.hpp"
#include "platforms/functional/functional_machine.hpp"
#include "platforms/gpu/schemes.hpp"
#include "platforms/launch/plan.hpp"
#include "platforms/launch/platform.hpp"
#include "platforms/machine.hpp"

namespace reconverge::launch {

/// What threads that wait for each other can rely on with the GPU: its functional machine grants the same.
FunctionalParameters functional_parameters(const GpuParameters& gpu, SchemeList schemes = built_in_schemes());

/// `timed`: the platform's GPU, with its divergence scheme. `functional`: the same answers with no time in them, and
/// the same forward progress as far as `warnings_of` says nothing else. `streams`: its stream processor; `multi_pass`:
/// its machine with guards alone. `schemes`: that the GPU may name. Needs a SimulationContext. Throws InputError.
std::unique_ptr<reconverge::Machine> make_machine(ExperimentMachine kind, const Platform& platform,
                                                  SchemeList schemes = built_in_schemes());

/// What the plan's programs may do on that machine otherwise than their authors mean, with file and line. Throws
/// InputError for schemes that there are not.
std::vector<std::string> warnings_of(const LaunchPlan& plan, ExperimentMachine kind, const GpuParameters& gpu,
                                     SchemeList schemes = built_in_schemes());

}  // namespace reconverge::launch
