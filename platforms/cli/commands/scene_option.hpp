// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The option of commands that read a scene from a file.

#include <CLI/CLI.hpp>

#include "scenes/scene_library.hpp"

namespace reconverge::cli {

/// Adds --outside-files.
void add_outside_files_option(CLI::App& command, bool& outside_files);

scenes::SceneOptions scene_options(bool outside_files);

}  // namespace reconverge::cli
