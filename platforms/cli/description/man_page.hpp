// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Man pages of a program: one for itself and one for each of its commands, at any depth.

#include <string>
#include <string_view>
#include <vector>

#include "platforms/cli/description/command_description.hpp"

namespace reconverge::cli {

/// What the pages of a program have in common.
struct ManualOptions {
  std::string_view date;     ///< of the release, `2026-11-30`
  std::string_view version;  ///< `Reconverge 1.0.0`
};

struct ManPage {
  std::string file;  ///< `reconverge-inspect-cfg.1`
  std::string text;  ///< in the macros of man(7)
};

std::vector<ManPage> man_pages(const CommandDescription& program, const ManualOptions& options);

}  // namespace reconverge::cli
