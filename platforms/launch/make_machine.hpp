#pragma once
/// A machine of the kind that an experiment asks for.

#include <memory>

#include "blocks/experiment.hpp"
#include "platforms/machine.hpp"

namespace reconverge::launch {

/// `timed`: the platform's GPU, with its divergence scheme. `functional`: the same answers with no time in them, for
/// which `gpu` means nothing. Needs a SimulationContext. Throws InputError.
std::unique_ptr<reconverge::Machine> make_machine(ExperimentMachine kind, const GpuParameters& gpu);

}  // namespace reconverge::launch
