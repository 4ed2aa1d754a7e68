#pragma once
/// What makes a scene easy or hard to trace, measured, so that a generated scene can be compared with a real one.

#include <array>
#include <string>

#include "scenes/mesh.hpp"

namespace reconverge::scenes {

struct SceneStatistics {
  std::size_t triangles = 0;
  double half_volume = 0;  ///< share of the bounds' volume in the fullest grid cells that hold half the triangles
  std::array<double, 5> edge_percentiles{};  ///< 5, 25, 50, 75, 95 % of edge lengths over the bounds' diagonal
  double hit_rate = 0;                       ///< of camera rays, one through the centre of each pixel
  double depth_complexity = 0;               ///< surfaces behind each other along a camera ray, mean
  double mean_distance = 0;                  ///< of camera hits over the bounds' diagonal
  double diffuse_hit_rate = 0;               ///< of rays that leave those hits with cosine density
};

struct StatisticsOptions {
  std::uint32_t width = 320;
  std::uint32_t height = 240;
  int grid_cells = 64;  ///< along the longest side of the bounds; cells are cubes
};

/// Deterministic. Triangles are counted in the cell of their centroid.
SceneStatistics measure(const Mesh& mesh, const StatisticsOptions& options = {});

std::string to_string(const SceneStatistics& statistics);

}  // namespace reconverge::scenes
