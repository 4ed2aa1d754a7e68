// SPDX-License-Identifier: Apache-2.0
// Kernels: their attributes, and how many of their blocks an SM holds.

#include <algorithm>

#include "platforms/cuda/launching.hpp"
#include "platforms/cuda/runtime/api.hpp"

namespace reconverge::cuda {

namespace {

std::shared_ptr<const kernel::Program> program_of(Process& state, const void* host) {
  const DeviceName* const name = state.modules.kernel(host);
  require(name != nullptr, cudaErrorInvalidDeviceFunction);
  return program_of(state, *name);
}

int most_threads(const kernel::Program& program) {
  constexpr std::uint64_t limit = 1024;
  const auto& bound = program.launch_bounds.maximum_block;
  return static_cast<int>(bound ? std::min(kernel::threads_of(*bound), limit) : limit);
}

std::uint64_t resident_blocks(Device& device, const kernel::Program& program, int threads, std::size_t shared) {
  Launch launch;
  launch.program = &program;
  launch.block = {static_cast<std::uint32_t>(threads), 1, 1};
  launch.dynamic_shared_bytes = static_cast<std::uint32_t>(shared);
  return device.machine().resident_blocks(launch);
}

}  // namespace

extern "C" {

cudaError_t RECONVERGE_CUDA(cudaFuncGetAttributes)(cudaFuncAttributes* attributes, const void* kernel) {
  return call([&](Process& state) {
    require(attributes != nullptr);
    const auto program = program_of(state, kernel);
    *attributes = {};
    attributes->sharedSizeBytes = program->shared_bytes;
    attributes->localSizeBytes = program->local_bytes;
    attributes->maxThreadsPerBlock = most_threads(*program);
    attributes->numRegs = static_cast<int>(program->registers);
    attributes->ptxVersion = 75;
    attributes->binaryVersion = 75;
    attributes->maxDynamicSharedSizeBytes =
        static_cast<int>(state.device().platform().parameters.gpu.sm.shared_memory - program->shared_bytes);
  });
}

/// Launches may have all of the shared memory without this.
cudaError_t RECONVERGE_CUDA(cudaFuncSetAttribute)(const void* kernel, cudaFuncAttribute attribute, int value) {
  return call([&](Process& state) {
    const auto program = program_of(state, kernel);
    require(attribute == cudaFuncAttributeMaxDynamicSharedMemorySize ||
            attribute == cudaFuncAttributePreferredSharedMemoryCarveout);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return;
    const std::uint64_t most = state.device().platform().parameters.gpu.sm.shared_memory;
    require(value >= 0 && static_cast<std::uint64_t>(value) + program->shared_bytes <= most);
  });
}

cudaError_t RECONVERGE_CUDA(cudaFuncSetCacheConfig)(const void* kernel, cudaFuncCache /*preferred*/) {
  return call([&](Process& state) { program_of(state, kernel); });
}

cudaError_t RECONVERGE_CUDA(cudaFuncSetSharedMemConfig)(const void* kernel, cudaSharedMemConfig /*width*/) {
  return call([&](Process& state) { program_of(state, kernel); });
}

cudaError_t RECONVERGE_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(int* blocks, const void* kernel,
                                                                                    int threads, std::size_t shared,
                                                                                    unsigned /*flags*/) {
  return call([&](Process& state) {
    require(blocks != nullptr && threads > 0);
    const auto program = program_of(state, kernel);
    Device& device = state.device();
    const std::uint64_t sms = device.platform().parameters.gpu.sms;
    *blocks = static_cast<int>(resident_blocks(device, *program, threads, shared) / sms);
  });
}

cudaError_t RECONVERGE_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor)(int* blocks, const void* kernel, int threads,
                                                                           std::size_t shared) {
  return RECONVERGE_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(blocks, kernel, threads, shared, 0);
}

cudaError_t RECONVERGE_CUDA(cudaOccupancyAvailableDynamicSMemPerBlock)(std::size_t* bytes, const void* kernel,
                                                                       int blocks, int threads) {
  return call([&](Process& state) {
    require(bytes != nullptr && blocks > 0 && threads > 0);
    const auto program = program_of(state, kernel);
    const std::uint64_t share =
        state.device().platform().parameters.gpu.sm.shared_memory / static_cast<unsigned>(blocks);
    *bytes = share - std::min<std::uint64_t>(share, program->shared_bytes);
  });
}

}  // extern "C"

}  // namespace reconverge::cuda
