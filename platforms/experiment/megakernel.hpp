#pragma once
/// The megakernel form of the ray-tracing workload: one launch whose threads make their rays, trace and shade, over all
/// blocks of a picture or every n-th (Damani et al., HPCA 2022, section IV-B). Its native twin draws the same pixels on
/// the host: the pictures must be equal bit for bit, and Embree judges every ray that the twin traced. The fourth
/// channel of a pixel is made of its hits, so the machine's are the twin's.

#include <string>
#include <vector>

#include "platforms/experiment/ray_tracing.hpp"

namespace reconverge {

/// Refuses, by a ParameterError, what the form does not do: other structures than a BVH, keys that are about streams, a
/// kernel without a native twin or with other parameters (testbenches/kernels/kernels.h), blocks that are no whole
/// tiles, a sample that leaves out columns. Returns warnings of the program. Loads the program alone.
std::vector<std::string> check_megakernel(const ExperimentParameters& parameters, SchemeList schemes);

/// As run_ray_tracing.
RayTracingResult run_megakernel(const ExperimentParameters& parameters, const KeepRunning& keep_running,
                                const RunControl& control);

}  // namespace reconverge
