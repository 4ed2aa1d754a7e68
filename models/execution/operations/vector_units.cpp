// SPDX-License-Identifier: Apache-2.0
#include "models/execution/operations/vector_units.hpp"

#include <cstdlib>

namespace reconverge {

VectorUnits host_vector_units() {
#if defined(RECONVERGE_HAVE_AVX512)
  const char* const asked = std::getenv("RECONVERGE_VECTORS");
  if (asked != nullptr && std::string_view(asked) == "as_built") return VectorUnits::as_built;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw")) {
    return VectorUnits::avx512;
  }
#endif
  return VectorUnits::as_built;
}

std::string_view name_of(VectorUnits units) {
  if (units == VectorUnits::avx512) return "AVX-512";
#if defined(__AVX2__)
  return "AVX2";
#else
  return "portable";
#endif
}

}  // namespace reconverge
