// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Parameters of the functional machine, for code that needs no machine.

#include <cstdint>
#include <functional>

namespace reconverge {

struct Launch;

/// The forward progress that threads of one warp which wait for each other can rely on.
enum class ForwardProgress : std::uint8_t {
  warps,          ///< none: diverged lanes run one path after the other, then reconverge (reconvergence stack)
  waiting_lanes,  ///< a lane that waits for another in a loop, at an exchange or at a barrier lets it run
  lanes           ///< every lane that can run does run, eventually
};

/// The defaults hold as many blocks as any GPU.
struct FunctionalParameters {
  ForwardProgress progress = ForwardProgress::warps;
  /// Resident blocks of a launch; empty: as many as any GPU holds.
  std::function<std::uint64_t(const Launch&)> resident_blocks;
};

}  // namespace reconverge
