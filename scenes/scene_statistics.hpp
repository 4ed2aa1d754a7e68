// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Statistics on how hard a scene is to trace, with which a generated scene can be compared with a real one.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/mesh.hpp"

namespace reconverge::scenes {

struct MaterialShare {
  std::string name;
  double triangles = 0;  ///< share of all triangles
};

struct SceneStatistics {
  std::size_t triangles = 0;
  std::size_t stored_triangles = 0;  ///< a part that is placed many times counts once
  std::size_t occupied_cells = 0;    ///< grid cells that a triangle touches
  double half_volume = 0;  ///< share of the bounds' volume in the fullest grid cells that hold half the triangles
  std::array<double, 5> edge_percentiles{};  ///< 5, 25, 50, 75, 95 % of edge lengths over the bounds' diagonal
  double hit_rate = 0;                       ///< of camera rays, one through the centre of each pixel
  double depth_complexity = 0;               ///< mean number of surfaces along a camera ray
  double mean_distance = 0;                  ///< of camera hits over the bounds' diagonal
  double diffuse_hit_rate = 0;               ///< of rays from these hits with cosine density
  std::vector<MaterialShare> materials;      ///< in the mesh's order
};

struct StatisticsOptions {
  std::uint32_t width = 320;
  std::uint32_t height = 240;
  int grid_cells = 64;  ///< along the longest side of the bounds; cells are cubes
};

/// Deterministic. The half volume counts triangles in the cell of their centroid.
SceneStatistics measure(const Mesh& mesh, const StatisticsOptions& options = {});

/// One number of the statistics.
struct NamedFigure {
  std::string_view name;
  double value = 0;
};

/// All numbers except those of materials and stored triangles, in report order; the edges as `edge_5` to `edge_95`.
std::vector<NamedFigure> figures(const SceneStatistics& statistics);

std::string to_string(const SceneStatistics& statistics);

}  // namespace reconverge::scenes
