// SPDX-License-Identifier: Apache-2.0
// The driver API: functions of modules and their launches, in the current form and in the form of CUDA 3, in which each
// function stores its next block and arguments.

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>

#include "platforms/cuda/launching.hpp"
#include "platforms/cuda/runtime/driver.hpp"

namespace reconverge::cuda {

namespace {

/// A program's handle of a kernel.
struct Function {
  explicit Function(DeviceName kernel) : name(std::move(kernel)) {}

  DeviceName name;
  dim3 block{};
  std::uint32_t shared = 0;
  std::vector<std::byte> arguments{};
};

std::deque<Function>& functions() {
  static auto& known = *std::make_unique<std::deque<Function>>().release();
  return known;
}

Result set_argument(Function* function, int offset, const void* value, std::size_t bytes) {
  return driver_call([&](Process&) {
    require(function != nullptr && offset >= 0 && (value != nullptr || bytes == 0));
    const std::size_t end = static_cast<std::size_t>(offset) + bytes;
    if (function->arguments.size() < end) function->arguments.resize(end);
    if (bytes != 0) std::memcpy(function->arguments.data() + offset, value, bytes);
  });
}

}  // namespace

extern "C" {

Result RECONVERGE_CUDA(cuModuleGetFunction)(Function** function, Module* module, const char* name) {
  return driver_call([&](Process& state) {
    require(function != nullptr && module != nullptr && name != nullptr);
    DeviceName kernel{module, name};
    program_of(state, kernel, not_found);
    *function = &functions().emplace_back(std::move(kernel));
  });
}

Result RECONVERGE_CUDA(cuFuncGetAttribute)(int* value, int attribute, const Function* function) {
  return driver_call([&](Process& state) {
    require(value != nullptr && function != nullptr);
    const auto program = program_of(state, function->name);
    const auto& bound = program->launch_bounds.maximum_block;
    switch (attribute) {
      case 0:
        *value = bound ? static_cast<int>(kernel::threads_of(*bound)) : 1024;
        return;
      case 1:
        *value = static_cast<int>(program->shared_bytes);
        return;
      case 3:
        *value = static_cast<int>(program->local_bytes);
        return;
      case 4:
        *value = static_cast<int>(program->registers);
        return;
      default:
        throw Refusal{cudaErrorNotSupported};
    }
  });
}

Result RECONVERGE_CUDA(cuLaunchKernel)(const Function* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                       cudaStream_t /*stream*/, void** each, void** extra) {
  return driver_call([&](Process& state) {
    require(function != nullptr, cudaErrorInvalidResourceHandle);
    LaunchArguments arguments{each};
    // Pairs of a name and a value: 1, where the arguments are, and 2, how many bytes; 0 ends them.
    for (void** pair = extra; each == nullptr && pair != nullptr && *pair != nullptr; pair += 2) {
      const auto name = reinterpret_cast<std::uintptr_t>(pair[0]);
      require(name == 1 || name == 2);
      arguments.packed = name == 1 ? std::span(static_cast<const std::byte*>(pair[1]), arguments.packed.size())
                                   : std::span(arguments.packed.data(), *static_cast<const std::size_t*>(pair[1]));
    }
    launch(state, function->name, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared}, arguments);
  });
}

Result RECONVERGE_CUDA(cuLaunchCooperativeKernel)(const Function* function, unsigned grid_x, unsigned grid_y,
                                                  unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                                                  unsigned shared, cudaStream_t /*stream*/, void** each) {
  return driver_call([&](Process& state) {
    require(function != nullptr, cudaErrorInvalidResourceHandle);
    launch(state, function->name, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, true}, {each});
  });
}

/// A hint.
Result RECONVERGE_CUDA(cuFuncSetCacheConfig)(const Function* function, int /*which*/) {
  return driver_call([&](Process&) { require(function != nullptr, cudaErrorInvalidResourceHandle); });
}

Result RECONVERGE_CUDA(cuFuncSetBlockShape)(Function* function, int x, int y, int z) {
  return driver_call([&](Process&) {
    require(function != nullptr && x > 0 && y > 0 && z > 0);
    function->block = {static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z)};
  });
}

Result RECONVERGE_CUDA(cuFuncSetSharedSize)(Function* function, unsigned bytes) {
  return driver_call([&](Process&) {
    require(function != nullptr);
    function->shared = bytes;
  });
}

Result RECONVERGE_CUDA(cuParamSetSize)(Function* function, unsigned bytes) {
  return driver_call([&](Process&) {
    require(function != nullptr);
    function->arguments.resize(bytes);
  });
}

Result RECONVERGE_CUDA(cuParamSeti)(Function* function, int offset, unsigned value) {
  return set_argument(function, offset, &value, sizeof value);
}

Result RECONVERGE_CUDA(cuParamSetf)(Function* function, int offset, float value) {
  return set_argument(function, offset, &value, sizeof value);
}

Result RECONVERGE_CUDA(cuParamSetv)(Function* function, int offset, void* value, unsigned bytes) {
  return set_argument(function, offset, value, bytes);
}

Result RECONVERGE_CUDA(cuLaunchGrid)(const Function* function, int width, int height) {
  return driver_call([&](Process& state) {
    require(function != nullptr && width > 0 && height > 0 && function->block.x != 0);
    const dim3 grid{static_cast<unsigned>(width), static_cast<unsigned>(height), 1};
    launch(state, function->name, {grid, function->block, function->shared}, {nullptr, function->arguments});
  });
}

Result RECONVERGE_CUDA(cuLaunchGridAsync)(const Function* function, int width, int height, cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cuLaunchGrid)(function, width, height);
}

Result RECONVERGE_CUDA(cuLaunch)(const Function* function) { return RECONVERGE_CUDA(cuLaunchGrid)(function, 1, 1); }

}  // extern "C"

}  // namespace reconverge::cuda
