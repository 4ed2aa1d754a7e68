// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Dynamic micro-kernels as a kind of scheme: with the model of warp formation, with its RTL, or with both in lock
/// step.

#include "models/protocols/scheme_kind.hpp"

namespace reconverge {

const SchemeKind& dynamic_microkernel_scheme();

}  // namespace reconverge
