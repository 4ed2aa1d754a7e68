// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Kernel launches for calls of the runtime and of the driver.

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

/// The arguments of a launch: the location of each, or all of them in the layout of the kernel.
struct LaunchArguments {
  void** each = nullptr;
  std::span<const std::byte> packed{};
};

/// The program of a kernel. Refuses an unsupported one, and prints the reason for the user.
std::shared_ptr<const kernel::Program> program_of(Process& state, const DeviceName& kernel,
                                                  cudaError_t code = cudaErrorInvalidKernelImage);

/// Runs a kernel to its end. If it fails, the user gets a message, and the next call its code: on a GPU the launch
/// would have returned already. Ends the process at a limit, and if it is interrupted.
void launch(Process& state, const DeviceName& kernel, const LaunchShape& shape, const LaunchArguments& arguments);

}  // namespace reconverge::cuda
