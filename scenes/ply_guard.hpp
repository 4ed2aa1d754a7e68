#pragma once
/// Private to `mesh_io`: assimp's PLY reader runs on without end, or past its buffer, when a file is shorter than its
/// header says. This looks first.

#include <filesystem>

namespace reconverge::scenes {

/// Throws InputError, naming the file, unless it has a complete PLY header and a body at least as long as that says.
void check_ply(const std::filesystem::path& file);

}  // namespace reconverge::scenes
