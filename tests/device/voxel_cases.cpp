// SPDX-License-Identifier: Apache-2.0
#include "tests/device/kernel_job.hpp"
#include "tests/unit/kernels/voxel_tracing.hpp"

namespace reconverge::tests {

void add_voxel_tracer(std::vector<DeviceCase>& all) {
  kernels::VoxelScene scene{scenes::box(), {}, {}, {0.3F, 0.2F, 0.8F}};
  scene.grid = scenes::build_grid(scene.mesh, {.resolution = {6, 5, 4}});
  scene.eye = scenes::eye_frame(scene.mesh.camera, 32, 24);
  const scenes::Grid& grid = scene.grid;
  const kernels::VoxelPicture nothing(scene.pixels());
  const kernels::RayData no_rays(scene.pixels());
  const std::vector<kernels::Float4> no_directions(scene.pixels());
  kernels::VoxelRounds rounds(scene);
  for (int i = 0; i < 6; ++i) rounds.round();
  const kernels::RayData rays = rounds.here;
  rounds.round();
  const kernels::RayData& later = rounds.there;
  const auto job = [&](const char* entry) {
    KernelJob begun("voxel_tracer", entry, scene.shape());
    return begun.value(scene.eye);
  };
  const auto add_shading = [&](KernelJob& shading) {
    shading.buffer(scene.mesh.material_of_triangle).buffer(scene.mesh.materials);
    shading.value(scene.lamp.x).value(scene.lamp.y).value(scene.lamp.z);
  };
  for (const char* const entry : {"voxel_picture", "voxel_picture_ifs", "voxel_picture_rounds"}) {
    KernelJob whole = job(entry);
    whole.value(grid.frame).buffer(grid.first).buffer(grid.cell_triangles).buffer(grid.triangles);
    add_shading(whole);
    all.push_back(whole.buffer(nothing.hits).buffer(nothing.picture).finished());
  }
  all.push_back(job("voxel_eye_rays").buffer(no_directions).finished());
  KernelJob fixed = job("voxel_static_data");
  all.push_back(fixed.value(grid.frame).buffer(rounds.directions).buffer(no_directions).finished());
  KernelJob first = job("voxel_dynamic_data");
  first.value(grid.frame).buffer(grid.first).buffer(rounds.directions).buffer(rounds.inverses);
  all.push_back(first.buffer(no_rays.cells).buffer(no_rays.lists).buffer(no_rays.hits).finished());
  KernelJob traverse = job("voxel_traverse");
  traverse.value(grid.frame).buffer(grid.first).buffer(rounds.directions).buffer(rounds.inverses);
  all.push_back(traverse.buffer(rays.cells).buffer(rays.lists).buffer(no_rays.cells).buffer(no_rays.lists).finished());
  KernelJob intersect = job("voxel_intersect");
  intersect.buffer(grid.cell_triangles).buffer(grid.triangles).buffer(rounds.directions);
  all.push_back(intersect.buffer(later.cells).buffer(later.lists).buffer(rays.hits).buffer(no_rays.hits).finished());
  KernelJob validate = job("voxel_validate");
  validate.value(grid.frame).buffer(rounds.directions).buffer(rounds.inverses);
  validate.buffer(later.cells).buffer(later.lists).buffer(later.hits);
  all.push_back(validate.buffer(no_rays.cells).buffer(no_rays.lists).buffer(no_rays.hits).finished());
  KernelJob shade = job("voxel_shade");
  shade.buffer(grid.triangles);
  add_shading(shade);
  all.push_back(shade.buffer(rounds.directions).buffer(later.hits).buffer(nothing.picture).finished());
}

}  // namespace reconverge::tests
