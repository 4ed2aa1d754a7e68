// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Dynamic micro-kernels as a kind of scheme: with the model of warp formation, with its RTL, or with the RTL in lock
/// step beside the model.

#include "models/protocols/scheme_kind.hpp"

namespace reconverge {

const SchemeKind& dynamic_microkernel_scheme();

}  // namespace reconverge
