#pragma once
/* The rays that the native twin of a megakernel traces, and what it finds, for whoever holds them against an oracle.
   The device keeps no such list: the picture's fourth channel is made of the hits. */

#include "testbenches/kernels/kernels.h"

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

/* Of the running thread of the host; null: nobody asks. */
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
