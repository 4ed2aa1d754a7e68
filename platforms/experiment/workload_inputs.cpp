// SPDX-License-Identifier: Apache-2.0
#include "platforms/experiment/workload_inputs.hpp"

#include <fmt/format.h>

#include <optional>

#include "models/core/error.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/machines/gpu/schemes.hpp"

namespace reconverge {

namespace {

std::optional<scenes::Vec3> vector(std::string_view key, const std::vector<double>& numbers) {
  if (numbers.empty()) return std::nullopt;
  if (numbers.size() != 3)
    throw ParameterError(fmt::format("workload.camera.{}", key), fmt::format("it has {} numbers", numbers.size()),
                         "give x, y and z, or none");
  const auto at = [&numbers](std::size_t i) { return static_cast<float>(numbers[i]); };
  return scenes::Vec3{at(0), at(1), at(2)};
}

scenes::CameraSettings settings_of(const CameraParameters& camera) {
  scenes::CameraSettings settings{
      vector("eye", camera.eye), vector("look_at", camera.look_at), vector("up", camera.up), {}};
  if (camera.field_of_view > 0.0) settings.vertical_field_of_view = static_cast<float>(camera.field_of_view);
  return settings;
}

}  // namespace

kernel::Program load_workload_kernel(std::string_view file_key, const std::string& file, std::string_view entry_key,
                                     const std::string& entry, SchemeList schemes) {
  if (file.empty()) {
    throw ParameterError(std::string(file_key), "no PTX file is given",
                         "a platform does not run by itself: write a file that extends it and gives `workload:` with "
                         "programs such as those of platforms/kernels, or `launches:`");
  }
  return about_parameter(entry_key, [&] { return kernel::load_program(file, entry, extensions_of(schemes)); });
}

scenes::LoadedScene load_workload_scene(const WorkloadParameters& workload) {
  scenes::SceneOptions seen{.camera = settings_of(workload.camera)};
  if (workload.outside_files) seen.outside = scenes::OutsideFiles::allowed;
  return about_parameter("workload.scene", [&] { return scenes::load_scene(workload.scene, seen); });
}

}  // namespace reconverge
