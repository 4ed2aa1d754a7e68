// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Kernel launches, as the calls of the runtime and of the driver ask for them.

#include <cstddef>
#include <span>

#include "platforms/cuda/process.hpp"

namespace reconverge::cuda {

struct LaunchShape {
  dim3 grid;
  dim3 block;
  std::size_t shared = 0;    ///< bytes of dynamic shared memory
  bool cooperative = false;  ///< all blocks are resident together
};

/// What a launch passes to its kernel: the place of each argument, or all of them as the kernel lays them out.
struct LaunchArguments {
  void** each = nullptr;
  std::span<const std::byte> packed{};
};

/// The program of a kernel. Refuses one that does not run here, and tells the user why.
std::shared_ptr<const kernel::Program> program_of(Process& state, const DeviceName& kernel,
                                                  cudaError_t code = cudaErrorInvalidKernelImage);

/// Runs a kernel to its end. If it fails, the user gets a message, and the next call its code: on a GPU the launch
/// would have returned already. Ends the process at a limit, and if it is interrupted.
void launch(Process& state, const DeviceName& kernel, const LaunchShape& shape, const LaunchArguments& arguments);

}  // namespace reconverge::cuda
