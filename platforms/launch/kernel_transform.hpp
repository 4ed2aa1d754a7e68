#pragma once
/// What an experiment asks to be made of its kernels before they run (`transform:`), and what the machine and the
/// launch then need: states that are large enough, room for local arrays.

#include <cstdint>
#include <string>
#include <vector>

#include "blocks/experiment.hpp"
#include "models/kernel/program.hpp"
#include "platforms/gpu/schemes.hpp"

namespace reconverge::launch {

/// What was made of one kernel.
struct TransformedKernel {
  std::string file;      ///< its name in the folder of the report
  std::string original;  ///< the file of the kernel
  std::string text;      ///< PTX
  kernel::Program program;
  std::uint64_t state_bytes = 0;  ///< that a thread leaves to the next
  /// Of global memory for each thread of the launch; the last parameter is the address of all of it. Zero: it has the
  /// parameters that it had.
  std::uint64_t array_bytes = 0;
};

/// Whether `parameters` ask for anything.
bool transforms(const KernelTransformParameters& parameters);

/// Makes what `parameters` ask for of a kernel that was loaded from its file; messages call the result `file`. Throws
/// InputError, with the PTX line and the reason, for a kernel that it cannot be made of.
TransformedKernel transformed(const kernel::Program& original, const KernelTransformParameters& parameters,
                              std::string file, SchemeList schemes);

/// The GPU on which these run: with states that are large enough, where they are to fit. Throws ParameterError for a
/// machine that has no such threads, or too small states for them.
GpuParameters fitted_gpu(const ExperimentParameters& parameters, const std::vector<std::uint64_t>& state_bytes,
                         SchemeList schemes);

}  // namespace reconverge::launch
