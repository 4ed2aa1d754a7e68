// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The voxel tracer with its native twins: as one kernel, and as seven kernels that run round by round.

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "platforms/kernels/kernels.h"
#include "platforms/kernels/twins.hpp"
#include "scenes/generators/small_scenes.hpp"
#include "scenes/mesh.hpp"
#include "scenes/structures/grid.hpp"

namespace reconverge::kernels {

/// The data for a picture. `grid` contains the triangles of `mesh`.
struct VoxelScene {
  scenes::Mesh mesh;
  scenes::Grid grid;
  EyeFrame eye{};
  scenes::Vec3 lamp;

  unsigned pixels() const { return eye.width * eye.height; }
  /// One thread for each pixel. `pixels()` must be a multiple of `threads`.
  LaunchShape shape(unsigned threads = 32) const { return {{pixels() / threads, 1, 1}, {threads, 1, 1}}; }
};

struct VoxelPicture {
  std::vector<Hit> hits;
  std::vector<unsigned> picture;

  explicit VoxelPicture(unsigned pixels) : hits(pixels), picture(pixels) {}
  bool operator==(const VoxelPicture& other) const {
    const auto bytes = std::as_bytes(std::span(hits));
    return std::ranges::equal(bytes, std::as_bytes(std::span(other.hits))) && picture == other.picture;
  }
};

/// Runs voxel_picture, or another kernel with the same parameters.
inline VoxelPicture voxel_picture(const VoxelScene& scene, std::string_view kernel = "voxel_picture") {
  VoxelPicture result(scene.pixels());
  const scenes::Grid& grid = scene.grid;
  twin(kernel)(scene.shape(), scene.eye, grid.frame, grid.first.data(), grid.cell_triangles.data(),
               grid.triangles.data(), scene.mesh.material_of_triangle.data(), scene.mesh.materials.data(), scene.lamp.x,
               scene.lamp.y, scene.lamp.z, result.hits.data(), result.picture.data());
  return result;
}

/// The data of rays between the seven kernels.
struct RayData {
  std::vector<Int4> cells;
  std::vector<Word2> lists;
  std::vector<Hit> hits;

  explicit RayData(unsigned pixels) : cells(pixels), lists(pixels), hits(pixels) {}
};

/// Runs the seven kernels.
class VoxelRounds {
 public:
  /// Runs the first three kernels. `scene` must outlive the object.
  explicit VoxelRounds(const VoxelScene& scene)
      : scene_(scene),
        directions(scene.pixels()),
        inverses(scene.pixels()),
        here(scene.pixels()),
        there(scene.pixels()) {
    twin("voxel_eye_rays")(scene.shape(), scene.eye, directions.data());
    twin("voxel_static_data")(scene.shape(), scene.eye, scene.grid.frame, directions.data(), inverses.data());
    twin("voxel_dynamic_data")(scene.shape(), scene.eye, scene.grid.frame, scene.grid.first.data(), directions.data(),
                               inverses.data(), here.cells.data(), here.lists.data(), here.hits.data());
  }

  /// Runs the kernels that traverse, intersect and validate once.
  void round() {
    const scenes::Grid& grid = scene_.grid;
    twin("voxel_traverse")(scene_.shape(), scene_.eye, grid.frame, grid.first.data(), directions.data(),
                           inverses.data(), here.cells.data(), here.lists.data(), there.cells.data(),
                           there.lists.data());
    twin("voxel_intersect")(scene_.shape(), scene_.eye, grid.cell_triangles.data(), grid.triangles.data(),
                            directions.data(), there.cells.data(), there.lists.data(), here.hits.data(),
                            there.hits.data());
    twin("voxel_validate")(scene_.shape(), scene_.eye, grid.frame, directions.data(), inverses.data(),
                           there.cells.data(), there.lists.data(), there.hits.data(), here.cells.data(),
                           here.lists.data(), here.hits.data());
  }

  /// Whether all rays wait for the last kernel.
  bool ended() const {
    constexpr int shading = 2;
    return std::ranges::all_of(here.cells, [](const Int4& cell) { return cell.w == shading; });
  }

  /// The last kernel's result for the hits so far.
  VoxelPicture shade() const {
    VoxelPicture result(scene_.pixels());
    result.hits = here.hits;
    twin("voxel_shade")(scene_.shape(), scene_.eye, scene_.grid.triangles.data(),
                        scene_.mesh.material_of_triangle.data(), scene_.mesh.materials.data(), scene_.lamp.x,
                        scene_.lamp.y, scene_.lamp.z, directions.data(), here.hits.data(), result.picture.data());
    return result;
  }

 private:
  const VoxelScene& scene_;

 public:
  std::vector<Float4> directions;
  std::vector<Float4> inverses;
  RayData here;
  RayData there;
};

/// The rays of the picture, for Embree.
inline std::vector<Ray> rays_of(const VoxelScene& scene) {
  const VoxelRounds begun(scene);
  std::vector<Ray> rays;
  for (const Float4& direction : begun.directions) {
    Ray ray{{}, 0.0F, {direction.x, direction.y, direction.z}, std::numeric_limits<float>::infinity()};
    std::ranges::copy(scene.eye.eye, ray.origin);
    rays.push_back(ray);
  }
  return rays;
}

/// The ambient light of BrookGPU's scenes.
inline constexpr scenes::Vec3 glassner_lamp{-206.808F, -16.2987F, 297.281F};

}  // namespace reconverge::kernels
