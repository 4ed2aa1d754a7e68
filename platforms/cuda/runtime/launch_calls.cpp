// SPDX-License-Identifier: Apache-2.0
// Kernel launches.

#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "models/core/error.hpp"
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

Dim3 extent_of(const dim3& extent) { return {extent.x, extent.y, extent.z}; }

cudaError_t code_of(Fault fault) {
  switch (fault) {
    case Fault::address:
      return cudaErrorIllegalAddress;
    case Fault::alignment:
      return cudaErrorMisalignedAddress;
    case Fault::assertion:
      return cudaErrorAssert;
    case Fault::standstill:
      return cudaErrorLaunchTimeout;
    case Fault::other:
      break;
  }
  return cudaErrorLaunchFailure;
}

std::vector<std::byte> parameters_of(const kernel::Program& program, void** arguments) {
  std::vector<std::byte> parameters(program.parameter_bytes);
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const kernel::KernelParameter& parameter = program.parameters[i];
    std::memcpy(parameters.data() + parameter.offset, arguments[i], parameter.bytes);
  }
  return parameters;
}

/// While a kernel runs, a signal only asks it to stop.
class Running {
 public:
  explicit Running(std::atomic<bool>& flag) : flag_(flag) { flag_ = true; }
  ~Running() { flag_ = false; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  std::atomic<bool>& flag_;
};

void launch(Process& state, const void* host, const Configuration& configuration, void** arguments, bool cooperative) {
  constexpr int limit_reached = 6;
  const DeviceName* const name = state.modules.kernel(host);
  require(name != nullptr, cudaErrorInvalidDeviceFunction);
  Device& device = state.device();
  KernelLaunch kernel;
  kernel.program = or_else(cudaErrorInvalidKernelImage, [&] {
    return name->module->kernel(name->name, extensions_of(device.platform().plugins.kinds().schemes));
  });
  kernel.grid = extent_of(configuration.grid);
  kernel.block = extent_of(configuration.block);
  kernel.dynamic_shared_bytes = static_cast<std::uint32_t>(configuration.shared);
  kernel.parameters = parameters_of(*kernel.program, arguments);
  kernel.cooperative = cooperative;
  const auto run = [&] {
    const Running running(state.running);
    try {
      return device.run(kernel);
    } catch (const ExecutionError& error) {
      // As on a GPU, where the launch has returned already, the next call reports it.
      complain(error.what());
      state.fault = code_of(error.fault());
      return true;
    }
  };
  const auto code = cooperative ? cudaErrorCooperativeLaunchTooLarge : cudaErrorInvalidConfiguration;
  if (!or_else(code, run)) state.stop(Device::interrupted != 0 ? 128 + Device::interrupted : limit_reached);
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
                                              std::size_t shared, cudaStream_t stream) {
  return call([&](Process& state) { launch(state, kernel, {grid, block, shared, stream}, arguments, false); });
}

cudaError_t RECONVERGE_CUDA(cudaLaunchCooperativeKernel)(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                                         std::size_t shared, cudaStream_t stream) {
  return call([&](Process& state) { launch(state, kernel, {grid, block, shared, stream}, arguments, true); });
}

/// Kernels are known by the host's address of their function.
cudaError_t RECONVERGE_CUDA(__cudaGetKernel)(const void** kernel, const void* host) {
  *kernel = host;
  return cudaSuccess;
}

cudaError_t RECONVERGE_CUDA(__cudaLaunchKernel)(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                                std::size_t shared, cudaStream_t stream) {
  return call([&](Process& state) { launch(state, kernel, {grid, block, shared, stream}, arguments, false); });
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
    launch(state, kernel,
           {configuration->gridDim, configuration->blockDim, configuration->dynamicSmemBytes, configuration->stream},
           arguments, cooperative);
  });
}

}  // extern "C"

}  // namespace reconverge::cuda
