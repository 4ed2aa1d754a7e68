#include "models/sm/scoreboard.hpp"

#include "models/sm/thread_scoreboard.hpp"
#include "models/sm/warp_scoreboard.hpp"

namespace reconverge {

std::unique_ptr<Scoreboard> make_scoreboard(const char* name, DependencyTracking tracking, std::size_t warp_slots) {
  if (tracking == DependencyTracking::thread) return std::make_unique<ThreadScoreboard>(name, warp_slots);
  return std::make_unique<WarpScoreboard>(name, warp_slots);
}

}  // namespace reconverge
