// SPDX-License-Identifier: Apache-2.0
#include "models/sm/scoreboard.hpp"

#include "models/core/error.hpp"
#include "models/sm/counted_scoreboard.hpp"
#include "models/sm/thread_scoreboard.hpp"
#include "models/sm/warp_scoreboard.hpp"

namespace reconverge {

std::unique_ptr<Scoreboard> make_scoreboard(const char* name, const ScoreboardParameters& parameters,
                                            const SchemeTraits& traits, std::size_t warp_slots) {
  const bool one_by_one = parameters.waits_for == ScoreboardWaitsFor::instructions;
  if (one_by_one && traits.tracking != DependencyTracking::warp) {
    throw ParameterError("gpu.sm.scoreboard.waits_for",
                         "`instructions` tracks results by warp, but this scheme returns results by thread",
                         "set it to registers, or use a scheme whose warps run one path");
  }
  switch (traits.tracking) {
    case DependencyTracking::warp:
      return std::make_unique<WarpScoreboard>(name, warp_slots, one_by_one);
    case DependencyTracking::thread:
      return std::make_unique<ThreadScoreboard>(name, warp_slots);
    case DependencyTracking::counted:
      return std::make_unique<CountedScoreboard>(name, warp_slots, traits.scoreboards);
  }
  return nullptr;
}

}  // namespace reconverge
