#pragma once
/// One ray after the other through the device's own arrays, in single precision and without packets: what a lane of
/// a traversal kernel computes, with the work counted. A second oracle besides Embree, which uses other arithmetic.

#include <cstdint>
#include <span>
#include <vector>

#include "scenes/bvh.hpp"

namespace reconverge::scenes {

/// Work of one ray or the sum over many.
struct TraceWork {
  std::uint64_t nodes = 0;      ///< inner nodes visited, two box tests each
  std::uint64_t leaves = 0;     ///< leaves entered
  std::uint64_t triangles = 0;  ///< triangle tests
  int deepest_stack = 0;        ///< entries

  void add(const TraceWork& other);
};

/// The nearest hit, or any hit when `any_hit` is set. A miss has triangle -1 and t = the ray's t_max.
/// Of two triangles at exactly the same distance, the one tested first stays.
Hit trace_scalar(const Bvh& bvh, const Ray& ray, bool any_hit = false, TraceWork* work = nullptr);

std::vector<Hit> trace_scalar(const Bvh& bvh, std::span<const Ray> rays, bool any_hit = false,
                              TraceWork* work = nullptr);

/// The same answer by trying every triangle.
Hit trace_brute_force(const Mesh& mesh, const Ray& ray);

}  // namespace reconverge::scenes
