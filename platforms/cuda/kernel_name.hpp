// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Names of kernels in the form of their source.

#include <string>

namespace reconverge::cuda {

/// `scale<float>` for `_Z5scaleIfEvPT_`; unchanged if the name is not that of a C++ function.
std::string kernel_name(const std::string& entry);

}  // namespace reconverge::cuda
