// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Recorded rays of a path tracer: the workload for measurements of ray tracing hardware. Shading and ray generation
/// are done; only tracing is left (Lü et al., MICRO 2017, section 4.1).

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scenes/device_layout.h"
#include "scenes/mesh.hpp"

namespace reconverge::scenes {

/// Rays of one kind and one bounce, in ascending order of their pixels.
struct RayStream {
  std::vector<Ray> rays;
  std::vector<PathSample> samples;         ///< parallel to `rays`
  std::vector<std::uint32_t> pixel_first;  ///< pixels + 1 entries: pixel p owns rays pixel_first[p] .. pixel_first[p+1]
};

/// All rays of one picture:
///   picture = sum over bounces of ( weight * emission(what the extension ray hits)
///                                   + weight * (the shadow ray hits nothing) ).
struct RayStreams {
  std::string scene;
  std::uint64_t scene_triangles = 0;  ///< a stream fits only the scene that it was recorded in
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t samples_per_pixel = 0;
  std::uint32_t seed = 0;
  std::vector<RayStream> extension;  ///< [bounce]: from the camera or a surface to the next surface
  std::vector<RayStream> shadow;     ///< [bounce]: from the hit point of the bounce's extension ray to a light
  std::vector<float> picture;        ///< linear RGB, 3 * width * height, as the host computed it

  std::uint32_t pixels() const { return width * height; }
  std::size_t bounces() const { return extension.size(); }
};

/// Fills `pixel_first` from the samples' pixels. Throws InputError if they do not ascend or are out of range.
void index_pixels(RayStream& stream, std::uint32_t pixels, const std::string& name);

/// The picture's sum for given answers, in the order in which a kernel with one thread a pixel adds: bounce by
/// bounce, extension before shadow, then in stream order; each product is rounded before it is added.
/// `hit_triangle[bounce][ray]` is -1 for a miss; `blocked[bounce][ray]` is 0 for a clear shadow ray.
std::vector<float> sum_picture(const RayStreams& streams, const Mesh& mesh,
                               std::span<const std::vector<int>> hit_triangle,
                               std::span<const std::vector<std::uint8_t>> blocked);

}  // namespace reconverge::scenes
