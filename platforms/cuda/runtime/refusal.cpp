// SPDX-License-Identifier: Apache-2.0
// Functions of CUDA that are not supported.

#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>

#include "platforms/cuda/runtime/api.hpp"

namespace reconverge::cuda {

/// What a function without a definition does (symbols.cmake): it fails, and tells the user its name once.
extern "C" cudaError_t reconverge_refuse(const char* name) {
  Process& state = process();
  const std::scoped_lock lock(state.mutex);
  static auto& named = *std::make_unique<std::set<std::string>>().release();
  if (named.insert(name).second)
    complain(fmt::format("{} is not supported, and returns cudaErrorNotSupported; docs/cuda.md lists what is", name));
  return note(cudaErrorNotSupported);
}

}  // namespace reconverge::cuda
