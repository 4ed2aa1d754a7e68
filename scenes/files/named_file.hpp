// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Files that a scene file names. Scenes are untrusted, so the files that they name must be in the scene's folder or
/// below it; other files are read only if the user allows it.

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "models/core/error.hpp"

namespace reconverge::scenes {

/// Whether a scene file may name files outside its folder.
enum class OutsideFiles : std::uint8_t { refused, allowed };

/// The path of the file that a scene file in `folder` calls `name`. Throws InputError at `place` if the path is
/// absolute or leaves the folder by `..` or a link. The caller checks whether the file exists.
std::filesystem::path named_file(const std::filesystem::path& folder, std::string_view name, OutsideFiles outside,
                                 const SourceLocation& place);

}  // namespace reconverge::scenes
