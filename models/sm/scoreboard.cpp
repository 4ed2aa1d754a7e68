#include "models/sm/scoreboard.hpp"

#include "models/sm/counted_scoreboard.hpp"
#include "models/sm/thread_scoreboard.hpp"
#include "models/sm/warp_scoreboard.hpp"

namespace reconverge {

std::unique_ptr<Scoreboard> make_scoreboard(const char* name, const SchemeTraits& traits, std::size_t warp_slots) {
  switch (traits.tracking) {
    case DependencyTracking::warp:
      return std::make_unique<WarpScoreboard>(name, warp_slots);
    case DependencyTracking::thread:
      return std::make_unique<ThreadScoreboard>(name, warp_slots);
    case DependencyTracking::counted:
      return std::make_unique<CountedScoreboard>(name, warp_slots, traits.scoreboards);
  }
  return nullptr;
}

}  // namespace reconverge
