// SPDX-License-Identifier: Apache-2.0
// Kernel launches.

#include <vector>

#include "platforms/cuda/launching.hpp"
#include "platforms/cuda/runtime/api.hpp"

namespace reconverge::cuda {

namespace {

struct Configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};

// Between __cudaPushCallConfiguration and the launch, which the compiler writes one after the other.
thread_local std::vector<Configuration> pushed;

const DeviceName& kernel_of(Process& state, const void* host) {
  const DeviceName* const name = state.modules.kernel(host);
  require(name != nullptr, cudaErrorInvalidDeviceFunction);
  return *name;
}

}  // namespace

extern "C" {

unsigned RECONVERGE_CUDA(__cudaPushCallConfiguration)(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream) {
  pushed.push_back({grid, block, shared, stream});
  return 0;
}

cudaError_t RECONVERGE_CUDA(__cudaPopCallConfiguration)(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  if (pushed.empty()) return note(cudaErrorMissingConfiguration);
  *grid = pushed.back().grid;
  *block = pushed.back().block;
  *shared = pushed.back().shared;
  *static_cast<cudaStream_t*>(stream) = pushed.back().stream;
  pushed.pop_back();
  return cudaSuccess;
}

cudaError_t RECONVERGE_CUDA(cudaLaunchKernel)(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                              std::size_t shared, cudaStream_t /*stream*/) {
  return call([&](Process& state) { launch(state, kernel_of(state, kernel), {grid, block, shared}, {arguments}); });
}

cudaError_t RECONVERGE_CUDA(cudaLaunchCooperativeKernel)(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                                         std::size_t shared, cudaStream_t /*stream*/) {
  return call([&](Process& state) {
    launch(state, kernel_of(state, kernel), {grid, block, shared, true}, {arguments});
  });
}

/// Kernels are known by the host's address of their function.
cudaError_t RECONVERGE_CUDA(__cudaGetKernel)(const void** kernel, const void* host) {
  *kernel = host;
  return cudaSuccess;
}

cudaError_t RECONVERGE_CUDA(__cudaLaunchKernel)(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                                std::size_t shared, cudaStream_t /*stream*/) {
  return call([&](Process& state) { launch(state, kernel_of(state, kernel), {grid, block, shared}, {arguments}); });
}

cudaError_t RECONVERGE_CUDA(cudaLaunchKernelExC)(const cudaLaunchConfig_t* configuration, const void* kernel,
                                                 void** arguments) {
  return call([&](Process& state) {
    bool cooperative = false;
    for (unsigned i = 0; i < configuration->numAttrs; ++i) {
      const cudaLaunchAttribute& attribute = configuration->attrs[i];
      require(attribute.id == cudaLaunchAttributeIgnore || attribute.id == cudaLaunchAttributeCooperative ||
                  attribute.id == cudaLaunchAttributePriority,
              cudaErrorNotSupported);
      if (attribute.id == cudaLaunchAttributeCooperative) cooperative = attribute.val.cooperative != 0;
    }
    launch(state, kernel_of(state, kernel),
           {configuration->gridDim, configuration->blockDim, configuration->dynamicSmemBytes, cooperative},
           {arguments});
  });
}

}  // extern "C"

}  // namespace reconverge::cuda
