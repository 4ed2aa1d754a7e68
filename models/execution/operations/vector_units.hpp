// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The vector instructions of the host that lanes use. Results do not depend on them.

#include <cstdint>
#include <string_view>

namespace reconverge {

enum class VectorUnits : std::uint8_t {
  as_built,  ///< the vector instructions of the whole build: AVX2, or none in a portable build
  avx512,    ///< F, VL, DQ and BW; only if the build has them
};

/// The widest that both this build and the host's processor have; `as_built` if the environment has
/// RECONVERGE_VECTORS=as_built, for comparisons.
VectorUnits host_vector_units();

/// `AVX-512`, `AVX2` or `portable`.
std::string_view name_of(VectorUnits units);

}  // namespace reconverge
