// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Checks of a GPU's parameters that the ranges of single parameters cannot express.

#include "blocks/gpu.hpp"
#include "models/protocols/scheme_list.hpp"

namespace reconverge {

/// The same parameters. Throws ParameterError if they are inconsistent. `schemes`: that they name.
const GpuParameters& checked(const GpuParameters& parameters, SchemeList schemes);

}  // namespace reconverge
