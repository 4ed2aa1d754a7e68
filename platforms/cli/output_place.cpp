// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/output_place.hpp"

#include <fmt/format.h>

#include <string>

#include "models/core/printable.hpp"

namespace reconverge::cli {

CLI::Validator output_place() {
  const auto check = [](const std::string& place) -> std::string {
    if (place.empty()) return "an empty name is no place; name one, or leave the option out";
    if (has_control_character(place)) return fmt::format("'{}' has a control character; leave it out", place);
    return {};
  };
  return {check, ""};
}

void add_force_option(CLI::App& command, bool& force) {
  command.add_flag("--force", force, "Replace a file of that name that this command did not write");
}

}  // namespace reconverge::cli
