// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A subwarp scheduler as the model, as RTL, or as RTL in lock step with the model. `models/cosim` implements it.

#include <memory>

#include "models/schemes/subwarp_interleaving/subwarp_unit.hpp"

namespace reconverge {

enum class SubwarpImplementation : std::uint8_t { model, rtl, lockstep };

/// Makes the scheduler of a sub-core with `warps` warp slots. Throws ParameterError if the selected RTL was not built.
std::unique_ptr<SubwarpUnit> make_subwarp_unit(const char* name, std::uint32_t warps, unsigned entries,
                                               SelectTrigger trigger, SubwarpImplementation implementation);

}  // namespace reconverge
