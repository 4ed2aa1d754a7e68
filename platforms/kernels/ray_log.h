#pragma once
/* The rays that the native twin of a megakernel traces, and their hits, for comparison with an oracle. The device keeps
   no such list: the picture's fourth channel encodes the hits. */

#include "platforms/kernels/kernels.h"

#if !defined(__CUDA__)
#include <vector>
#endif

namespace reconverge::kernels {

#if defined(__CUDA__)

__device__ inline void log_closest(const Ray& /*ray*/, const Hit& /*hit*/) {}
__device__ inline void log_any(const Ray& /*ray*/, bool /*hit*/) {}

#else

struct RayLog {
  std::vector<Ray> closest;
  std::vector<Hit> hits; /* of these */
  std::vector<Ray> any;
  std::vector<bool> blocked; /* of these */
};

/* The log of the host's running thread; null: no log. */
inline thread_local RayLog* ray_log = nullptr;

inline void log_closest(const Ray& ray, const Hit& hit) {
  if (ray_log == nullptr) return;
  ray_log->closest.push_back(ray);
  ray_log->hits.push_back(hit);
}
inline void log_any(const Ray& ray, bool hit) {
  if (ray_log == nullptr) return;
  ray_log->any.push_back(ray);
  ray_log->blocked.push_back(hit);
}

#endif

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
