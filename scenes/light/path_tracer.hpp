#pragma once
/// The path tracer that records ray streams: Embree finds the hits, shadow rays and chance find the lights (next event
/// estimation with multiple importance sampling), surfaces are diffuse with a share of mirror, ideal or rough
/// (reflection.hpp). After pbrt's path integrator, which the ray streams of Lü et al. (MICRO 2017, section 4.1) come
/// from. The weight of an extension ray already holds the share of a light that the shadow ray before it did not count,
/// so tracing is all that is left.

#include <cstdint>

#include "scenes/light/ray_streams.hpp"

namespace reconverge::scenes {

struct PathTracerOptions {
  std::uint32_t width = 640;
  std::uint32_t height = 480;
  std::uint32_t samples_per_pixel = 64;
  std::uint32_t bounces = 8;  ///< extension rays of a path, 1..8; the first is the camera's
  std::uint32_t seed = 1;
  /// At most this many rays a stream, 0 for all. Fewer paths are followed then: runs of 1024 neighbouring paths,
  /// spread evenly over the picture. The picture is that of the paths followed.
  std::uint64_t max_rays = 0;
  unsigned threads = 2;  ///< no influence on the result
  /// Instead of light: for each camera ray that hits, so many rays about the normal, cosine-distributed, which find out
  /// how much of the near surroundings is open (ambient occlusion; Aila and Laine, HPG 2009, measure with 32). They
  /// make the shadow stream of the only bounce, and the picture shows the open share. 0 for paths.
  std::uint32_t occlusion_rays = 0;
  float occlusion_distance = 0.1F;  ///< how far those rays go, over the diagonal of the scene
};

/// Follows every path and records its rays. Deterministic for given options. Throws InputError when the mesh fails
/// `check_mesh` or an option is out of range. A mesh without lights gives no shadow rays and a black picture.
RayStreams trace_paths(const Mesh& mesh, const PathTracerOptions& options);

/// The ray through a point of the picture; x and y in 0..1 from the top left.
Ray camera_ray(const Camera& camera, float aspect, float x, float y);

}  // namespace reconverge::scenes
