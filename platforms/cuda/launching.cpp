// SPDX-License-Identifier: Apache-2.0
#include "platforms/cuda/launching.hpp"

#include <cstring>
#include <vector>

#include "models/core/error.hpp"

namespace reconverge::cuda {

namespace {

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

std::vector<std::byte> parameters_of(const kernel::Program& program, const LaunchArguments& arguments) {
  if (arguments.each == nullptr) {
    require(arguments.packed.size() <= program.parameter_bytes);
    std::vector<std::byte> parameters(arguments.packed.begin(), arguments.packed.end());
    parameters.resize(program.parameter_bytes);
    return parameters;
  }
  std::vector<std::byte> parameters(program.parameter_bytes);
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const kernel::KernelParameter& parameter = program.parameters[i];
    std::memcpy(parameters.data() + parameter.offset, arguments.each[i], parameter.bytes);
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

}  // namespace

std::shared_ptr<const kernel::Program> program_of(Process& state, const DeviceName& kernel, cudaError_t code) {
  const auto extensions = extensions_of(state.device().platform().plugins.kinds().schemes);
  return or_else(code, [&] { return kernel.module->kernel(kernel.name, extensions); });
}

void launch(Process& state, const DeviceName& name, const LaunchShape& shape, const LaunchArguments& arguments) {
  constexpr int limit_reached = 6;
  constexpr int shell_signal = 128;
  Device& device = state.device();
  KernelLaunch kernel;
  kernel.program = program_of(state, name);
  kernel.grid = extent_of(shape.grid);
  kernel.block = extent_of(shape.block);
  kernel.dynamic_shared_bytes = static_cast<std::uint32_t>(shape.shared);
  kernel.parameters = parameters_of(*kernel.program, arguments);
  kernel.cooperative = shape.cooperative;
  const auto run = [&] {
    const Running running(state.running);
    try {
      return device.run(kernel);
    } catch (const ExecutionError& error) {
      complain(error.what());
      state.fault = code_of(error.fault());
      return true;
    }
  };
  const auto code = shape.cooperative ? cudaErrorCooperativeLaunchTooLarge : cudaErrorInvalidConfiguration;
  if (!or_else(code, run)) state.stop(Device::interrupted != 0 ? shell_signal + Device::interrupted : limit_reached);
}

}  // namespace reconverge::cuda
