// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The cases in which NVIDIA's compiler departs from the PTX ISA manual. The list describes the results of an NVIDIA
/// H100 (sm_90) with driver 580.159.04 (CUDA 13.0).

#include <string>

namespace reconverge::tests {

/// Empty, or why the result of the instruction on a GPU is not the manual's. `line` is an instruction of PTX text, with
/// its guard.
std::string departure(const std::string& line);

}  // namespace reconverge::tests
