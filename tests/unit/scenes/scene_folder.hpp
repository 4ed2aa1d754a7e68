// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Scenes that are not part of the repository. RECONVERGE_SCENES is their folder; the default is shared/scenes next to
/// the source tree.

#include <cstdlib>
#include <filesystem>

namespace reconverge::scenes {

inline std::filesystem::path scene_folder() {
  const char* const named = std::getenv("RECONVERGE_SCENES");
  return named != nullptr ? std::filesystem::path(named)
                          : std::filesystem::path(RECONVERGE_SOURCE_DIR) / ".." / "shared" / "scenes";
}

}  // namespace reconverge::scenes
