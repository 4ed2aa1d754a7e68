// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/commands/scene_option.hpp"

namespace reconverge::cli {

void add_outside_files_option(CLI::App& command, bool& outside_files) {
  command.add_flag("--outside-files", outside_files, "Let the scene file name files outside its folder");
}

scenes::SceneOptions scene_options(bool outside_files) {
  scenes::SceneOptions options;
  if (outside_files) options.outside = scenes::OutsideFiles::allowed;
  return options;
}

}  // namespace reconverge::cli
