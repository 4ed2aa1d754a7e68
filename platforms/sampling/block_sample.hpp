// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Which blocks of a launch are simulated with timing, and why all of them are.

#include <cstdint>
#include <string>

#include "blocks/sampling.hpp"
#include "models/execution/launch.hpp"
#include "platforms/machine.hpp"
#include "platforms/sampling/sampler.hpp"

namespace reconverge::sampling {

/// Why the blocks of a kernel cannot run one part after the other, with and without timing; empty: they can.
std::string in_full_because(const kernel::Program& program);

/// One block in `every`, with `consecutive` blocks in a row, or `resident` if that is 0.
BlockSelection selection_of(const SamplingParameters& sampling, std::uint64_t resident);

/// The blocks of the selection, as the work of a launch that has this selection.
Work work_of(const Launch& launch, const Machine& machine);

}  // namespace reconverge::sampling
