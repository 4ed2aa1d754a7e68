// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Transforms kernels before they run, as an experiment's `transform:` specifies, and fits the machine and the launch
/// to the result: states that are large enough, memory for local arrays.

#include <cstdint>
#include <string>
#include <vector>

#include "blocks/experiment.hpp"
#include "models/kernel/program.hpp"
#include "platforms/machines/machines.hpp"

namespace reconverge::launch {

/// The result of transforming one kernel.
struct TransformedKernel {
  std::string file;      ///< its name in the report's folder
  std::string original;  ///< the file of the kernel
  std::string text;      ///< PTX
  kernel::Program program;
  std::uint64_t state_bytes = 0;  ///< that a thread leaves to the next
  /// Global memory for each thread of the launch; the last parameter is its address. Zero: the parameters are
  /// unchanged.
  std::uint64_t array_bytes = 0;
};

/// Whether `parameters` ask for a transformation.
bool transforms(const KernelTransformParameters& parameters);

/// Applies the transformation in `parameters` to a kernel that was loaded from its file; messages call the result
/// `file`. Throws InputError, with the PTX line and the reason, for a kernel that cannot be transformed.
TransformedKernel transformed(const kernel::Program& original, const KernelTransformParameters& parameters,
                              std::string file, SchemeList schemes);

/// The GPU on which the results run: with states that are large enough, if they are to be fitted. Throws ParameterError
/// for a machine on which threads cannot create others, or whose states are too small.
GpuParameters fitted_gpu(const ExperimentParameters& parameters, const std::vector<std::uint64_t>& state_bytes,
                         Kinds kinds);

}  // namespace reconverge::launch
