#pragma once
/// Files that a scene file names. Scenes come from anywhere, so what one names must lie beneath its own folder: nothing
/// else of the machine is read for it unless the user says so.

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "models/core/error.hpp"

namespace reconverge::scenes {

/// Whether a scene file may name files that do not lie beneath its folder.
enum class OutsideFiles : std::uint8_t { refused, allowed };

/// The path of what a scene file in `folder` calls `name`. Throws InputError at `place` when that is absolute, goes up
/// and out of the folder, or leads out of it by a link. Whether there is such a file is for the caller to see.
std::filesystem::path named_file(const std::filesystem::path& folder, std::string_view name, OutsideFiles outside,
                                 const SourceLocation& place);

}  // namespace reconverge::scenes
