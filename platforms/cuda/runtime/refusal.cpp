// SPDX-License-Identifier: Apache-2.0
// Functions of CUDA that are not supported.

#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>

#include "platforms/cuda/runtime/api.hpp"

namespace reconverge::cuda {

/// The behaviour of a function without a definition (symbols.cmake): it fails, and its name is printed once.
extern "C" cudaError_t reconverge_refuse(const char* name) {
  Process& state = process();
  const std::scoped_lock lock(state.mutex);
  static auto& named = *std::make_unique<std::set<std::string>>().release();
  if (named.insert(name).second)
    complain(fmt::format("{} is not supported, and returns cudaErrorNotSupported; docs/cuda.md lists what is", name));
  return note(cudaErrorNotSupported);
}

}  // namespace reconverge::cuda
