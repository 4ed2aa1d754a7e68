// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Inputs that every form of the ray-tracing workload loads before the machine is built.

#include <string>
#include <string_view>

#include "blocks/workload.hpp"
#include "models/kernel/program.hpp"
#include "models/protocols/scheme_list.hpp"
#include "scenes/scene_library.hpp"

namespace reconverge {

/// A kernel of a PTX file. Throws an InputError about the file, or a ParameterError about one of the keys.
kernel::Program load_workload_kernel(std::string_view file_key, const std::string& file, std::string_view entry_key,
                                     const std::string& entry, SchemeList schemes);

/// The scene, seen by the workload's camera. Throws InputError.
scenes::LoadedScene load_workload_scene(const WorkloadParameters& workload);

}  // namespace reconverge
