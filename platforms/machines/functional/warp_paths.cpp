// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/functional/warp_paths.hpp"

#include "platforms/machines/functional/lane_paths.hpp"
#include "platforms/machines/functional/stack_paths.hpp"

namespace reconverge {

std::unique_ptr<WarpPaths> make_paths(ForwardProgress progress) {
  if (progress == ForwardProgress::warps) return std::make_unique<StackPaths>();
  return std::make_unique<LanePaths>();
}

}  // namespace reconverge
