// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The megakernel form of the ray-tracing workload: one launch whose threads generate their rays, trace and shade, over
/// all blocks of a picture or every n-th (Damani et al., HPCA 2022, section IV-B). Its native twin draws the same
/// pixels on the host. The pictures must be equal bit for bit, and Embree checks every ray that the twin traced. The
/// fourth channel of a pixel encodes its hits, so equal pictures mean equal hits.

#include <string>
#include <vector>

#include "models/protocols/scheme_list.hpp"
#include "platforms/experiment/ray_tracing.hpp"

namespace reconverge {

/// Refuses, by a ParameterError, what the form does not support: structures other than a BVH, keys for streams, a
/// kernel without a native twin or with other parameters (platforms/kernels/kernels.h), blocks that are not whole
/// tiles, a sample that omits columns. Returns warnings about the program. Loads only the program.
std::vector<std::string> check_megakernel(const ExperimentParameters& parameters, SchemeList schemes);

/// Like run_ray_tracing.
RayTracingResult run_megakernel(const ExperimentParameters& parameters, const RunControl& control);

}  // namespace reconverge
