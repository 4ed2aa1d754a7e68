// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The common part of the definitions of the driver API. If the runtime has the same call, the driver's function calls
/// it; most error codes have the same numbers.

#include <cstddef>
#include <utility>
#include <vector>

#include "platforms/cuda/runtime/api.hpp"

namespace reconverge::cuda {

/// A result of the driver: the numbers of CUresult.
using Result = int;

constexpr cudaError_t not_found = cudaErrorSymbolNotFound;

inline Result driver(cudaError_t code) {
  return code == cudaErrorInvalidConfiguration ? cudaErrorInvalidValue : static_cast<int>(code);
}

template <typename Action>
Result driver_call(Action&& action) {
  return driver(call(std::forward<Action>(action)));
}

}  // namespace reconverge::cuda
