// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Functions that drive the block without an SM, one request after another. `Shuffler`: RayShuffler or IdealShuffler.

#include <catch2/catch.hpp>

#include "models/cosim/dynamic_ray_shuffling/traffic/traffic.hpp"
#include "models/schemes/dynamic_ray_shuffling/ideal_shuffler.hpp"

namespace reconverge::tests {

/// Ends a cycle in which the register file grants all requests.
template <typename Shuffler>
void end_cycle(Shuffler& shuffler) {
  shuffler.step(grants_for(shuffler));
}

template <typename Shuffler, typename Condition>
void run_until(Shuffler& shuffler, Condition condition) {
  for (int cycle = 0; !condition(); ++cycle) {
    REQUIRE(cycle < 2000);
    end_cycle(shuffler);
  }
}

template <typename Shuffler>
void run_until_idle(Shuffler& shuffler) {
  run_until(shuffler, [&] { return shuffler.idle(); });
}

/// The warp executes rdctrl as soon as the block accepts it. Ends the cycle of the answer.
template <typename Shuffler>
RayControl execute_rdctrl(Shuffler& shuffler, std::size_t warp) {
  run_until(shuffler, [&] { return shuffler.takes_control(); });
  shuffler.control(warp);
  run_until(shuffler, [&] { return shuffler.answer().has_value(); });
  const RayControl answer = *shuffler.answer();
  end_cycle(shuffler);
  return answer;
}

/// Lanes of the warp report a state as soon as the block accepts it. Returns when the table shows the report.
template <typename Shuffler>
void report(Shuffler& shuffler, std::size_t warp, LaneMask lanes, RayState state) {
  run_until(shuffler, [&] { return shuffler.takes_report(); });
  shuffler.report(warp, lanes, uniform_row(state));
  end_cycle(shuffler);
  run_until(shuffler, [&] { return shuffler.takes_report(); });
  end_cycle(shuffler);
}

}  // namespace reconverge::tests
