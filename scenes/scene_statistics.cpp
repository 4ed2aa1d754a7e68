// SPDX-License-Identifier: Apache-2.0
#include "scenes/scene_statistics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numbers>

#include "scenes/light/path_tracer.hpp"
#include "scenes/sampler.hpp"
#include "scenes/structures/cell_grid.hpp"
#include "scenes/structures/embree_scene.hpp"

namespace reconverge::scenes {

namespace {

std::array<double, 5> edge_percentiles(const Mesh& mesh) {
  std::vector<float> edges;
  edges.reserve(3 * mesh.triangle_count());
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
    const auto c = mesh.corners(i);
    for (std::size_t k = 0; k < 3; ++k) edges.push_back(length(c[(k + 1) % 3] - c[k]));
  }
  std::ranges::sort(edges);
  std::array<double, 5> result{};
  constexpr std::array<double, 5> at{0.05, 0.25, 0.5, 0.75, 0.95};
  for (std::size_t k = 0; k < at.size(); ++k) {
    result[k] =
        edges[static_cast<std::size_t>(at[k] * static_cast<double>(edges.size() - 1))] / mesh.bounds().diagonal();
  }
  return result;
}

std::vector<Ray> camera_rays(const Mesh& mesh, const StatisticsOptions& options) {
  std::vector<Ray> rays;
  const float w = static_cast<float>(options.width);
  const float h = static_cast<float>(options.height);
  for (std::uint32_t y = 0; y < options.height; ++y) {
    for (std::uint32_t x = 0; x < options.width; ++x) {
      rays.push_back(
          camera_ray(mesh.camera, w / h, (static_cast<float>(x) + 0.5F) / w, (static_cast<float>(y) + 0.5F) / h));
    }
  }
  return rays;
}

/// Counts hits by restarting each ray just past its hit.
double depth_complexity(const EmbreeScene& scene, std::vector<Ray> rays) {
  const double all = static_cast<double>(rays.size());
  std::size_t surfaces = 0;
  for (int layer = 0; layer < 256 && !rays.empty(); ++layer) {
    const std::vector<Hit> hits = scene.intersect(rays);
    std::vector<Ray> next_rays;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      if (hits[i].triangle < 0) continue;
      ++surfaces;
      Ray next = rays[i];
      next.t_min = hits[i].t * (1.0F + 0x1p-18F);
      next_rays.push_back(next);
    }
    rays = std::move(next_rays);
  }
  return static_cast<double>(surfaces) / all;
}

Ray diffuse_ray(const Mesh& mesh, const Ray& ray, const Hit& hit, std::uint32_t index, float offset) {
  const auto corners = mesh.corners(static_cast<std::size_t>(hit.triangle));
  Vec3 normal = normalize(geometric_normal(corners));
  if (dot(normal, to_vec3(ray.direction)) > 0.0F) normal = -normal;
  const Vec3 origin = to_vec3(ray.origin) + to_vec3(ray.direction) * hit.t + normal * offset;
  const auto [x, y] = Sampler(1, index, 0).pair(0);
  // A uniform point on the unit sphere around the tip of the normal gives cosine density.
  const float z = 1.0F - 2.0F * x;
  const float ring = std::sqrt(std::max(0.0F, 1.0F - z * z));
  const float angle = 2.0F * std::numbers::pi_v<float> * y;
  const Vec3 direction = normal + Vec3{ring * std::cos(angle), ring * std::sin(angle), z};
  return {{origin.x, origin.y, origin.z}, 0.0F, {direction.x, direction.y, direction.z}, ray.t_max};
}

std::vector<MaterialShare> material_shares(const Mesh& mesh) {
  std::vector<std::size_t> count(mesh.materials.size());
  for (const std::uint32_t material : mesh.material_of_triangle) ++count[material];
  std::vector<MaterialShare> shares;
  for (std::size_t i = 0; i < count.size(); ++i) {
    shares.push_back({mesh.material_names[i], double(count[i]) / double(mesh.triangle_count())});
  }
  return shares;
}

}  // namespace

SceneStatistics measure(const Mesh& mesh, const StatisticsOptions& options) {
  check_mesh(mesh);
  SceneStatistics statistics;
  statistics.triangles = mesh.triangle_count();
  statistics.stored_triangles = mesh.triangle_count() - mesh.copies;
  const CellGrid grid(mesh, options.grid_cells);
  statistics.half_volume = grid.half_volume();
  statistics.occupied_cells = grid.occupied();
  statistics.materials = material_shares(mesh);
  statistics.edge_percentiles = edge_percentiles(mesh);
  const EmbreeScene scene(mesh);
  const std::vector<Ray> rays = camera_rays(mesh, options);
  const std::vector<Hit> hits = scene.intersect(rays);
  const float diagonal = mesh.bounds().diagonal();
  std::vector<Ray> onward;
  double distance = 0.0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    if (hits[i].triangle < 0) continue;
    distance += double(hits[i].t) / diagonal;
    onward.push_back(diffuse_ray(mesh, rays[i], hits[i], static_cast<std::uint32_t>(i), diagonal * 0x1p-16F));
  }
  statistics.depth_complexity = depth_complexity(scene, rays);
  if (onward.empty()) return statistics;
  const double found = static_cast<double>(onward.size());
  statistics.hit_rate = found / static_cast<double>(rays.size());
  statistics.mean_distance = distance / found;
  const std::vector<Hit> second = scene.intersect(onward);
  statistics.diffuse_hit_rate =
      static_cast<double>(std::ranges::count_if(second, [](const Hit& hit) { return hit.triangle >= 0; })) / found;
  return statistics;
}

std::vector<NamedFigure> figures(const SceneStatistics& s) {
  return {{"triangles", double(s.triangles)}, {"occupied_cells", double(s.occupied_cells)},
          {"half_volume", s.half_volume},     {"edge_5", s.edge_percentiles[0]},
          {"edge_25", s.edge_percentiles[1]}, {"edge_50", s.edge_percentiles[2]},
          {"edge_75", s.edge_percentiles[3]}, {"edge_95", s.edge_percentiles[4]},
          {"hit_rate", s.hit_rate},           {"depth_complexity", s.depth_complexity},
          {"mean_distance", s.mean_distance}, {"diffuse_hit_rate", s.diffuse_hit_rate}};
}

std::string to_string(const SceneStatistics& s) {
  return fmt::format(
      "{} triangles in {} cells; half of them in {:.2f} % of the volume; edges at 5/25/50/75/95 %: {:.5f} of the "
      "diagonal; camera hits {:.4f}, depth complexity {:.2f}, mean distance {:.3f}; diffuse bounce hits {:.4f}",
      s.triangles, s.occupied_cells, 100.0 * s.half_volume, fmt::join(s.edge_percentiles, " "), s.hit_rate,
      s.depth_complexity, s.mean_distance, s.diffuse_hit_rate);
}

}  // namespace reconverge::scenes
