// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Golden vectors of a subwarp scheduler.

#include "models/cosim/twin/golden_vectors.hpp"
#include "models/schemes/subwarp_interleaving/messages.hpp"

namespace reconverge {

struct SubwarpVectorsOptions {
  std::uint32_t warps = 8;
  unsigned entries = 32;
  SelectTrigger trigger = SelectTrigger::half;
  std::uint64_t cycles = 2000;
  std::uint32_t seed = 1;
};

/// Golden vectors of random traffic, starting at reset.
twin::GoldenVectors make_subwarp_vectors(const SubwarpVectorsOptions& options);

}  // namespace reconverge
