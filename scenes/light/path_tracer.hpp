// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The path tracer that records ray streams: Embree finds the triangles that rays hit, precise_hit.hpp the points (so
/// that streams do not depend on the host's processor), and lights are sampled by next event estimation with multiple
/// importance sampling. Surfaces are diffuse with a share of mirror, ideal or rough (reflection.hpp). It follows pbrt's
/// path integrator, from which the ray streams of Lü et al. (MICRO 2017, section 4.1) come. The weight of an extension
/// ray already contains the share of a light that the previous shadow ray did not count, so that only tracing is left
/// to do.

#include <cstdint>

#include "scenes/light/ray_streams.hpp"

namespace reconverge::scenes {

struct PathTracerOptions {
  std::uint32_t width = 640;
  std::uint32_t height = 480;
  std::uint32_t samples_per_pixel = 64;
  std::uint32_t bounces = 8;  ///< extension rays of a path, 1..8; the first is the camera's
  std::uint32_t seed = 1;
  /// At most this many rays a stream, 0 for all. A limit reduces the traced paths to runs of 1024 neighbouring paths,
  /// spread evenly over the picture. The picture is that of the traced paths.
  std::uint64_t max_rays = 0;
  unsigned threads = 2;  ///< no influence on the result
  /// Replaces light by ambient occlusion: for each camera ray that hits, this many cosine-distributed rays about the
  /// normal measure how open the surroundings are (Aila and Laine, HPG 2009, use 32). They form the shadow stream of
  /// the only bounce, and the picture shows the open share. 0 for paths.
  std::uint32_t occlusion_rays = 0;
  float occlusion_distance = 0.1F;  ///< length of these rays as a fraction of the scene's diagonal
};

/// Traces every path and records its rays. Deterministic for given options. Throws InputError if the mesh fails
/// `check_mesh` or an option is out of range. A mesh without lights gives no shadow rays and a black picture.
RayStreams trace_paths(const Mesh& mesh, const PathTracerOptions& options);

/// The ray through a point of the picture; x and y in 0..1 from the top left.
Ray camera_ray(const Camera& camera, float aspect, float x, float y);

}  // namespace reconverge::scenes
